"""The git adapter."""
