"""The claude adapter."""
