"""Use cases, items, drafts and the work log."""
