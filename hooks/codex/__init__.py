"""The codex adapter."""
