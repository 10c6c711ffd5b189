"""What a session should know before it begins: a bounded text about one project."""
