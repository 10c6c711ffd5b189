"""From an event on stdin to a clean, queued envelope. Standard library only (but for net.py)."""
