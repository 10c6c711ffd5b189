"""Use cases as Markdown pages that people and agents edit: what a page says reaches the backlog, and back."""
