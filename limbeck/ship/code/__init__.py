"""Changed symbols and complexity of a commit's files: tree-sitter and lizard, in a process of their own."""
