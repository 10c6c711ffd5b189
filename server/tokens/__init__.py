"""Tokens: what one looks like, where they are kept, and who one speaks for."""
