"""State to files: the open bundle and managed pages."""
