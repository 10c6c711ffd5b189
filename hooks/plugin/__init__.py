"""The plugin folder's adapter: one command for Claude Code and Codex."""
