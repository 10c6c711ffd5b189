"""Putting the hooks into the agents' own settings and into git, and taking them out again without a trace."""
