"""What could keep an installation from working, each found by one function that says what to do about it."""
