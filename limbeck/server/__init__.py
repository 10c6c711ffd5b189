"""How this machine runs the server, reaches it, and signs in to it."""
