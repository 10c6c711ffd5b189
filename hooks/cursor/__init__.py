"""The cursor adapter."""
