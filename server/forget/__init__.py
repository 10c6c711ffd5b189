"""Forget for good: the one real deletion, from every table, the index, the queue and what was made of it."""
