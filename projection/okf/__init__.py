"""The open bundle: what is known of a project as Markdown files, and those files on a disk."""
