"""The embedded servers and the one small process that keeps them running."""
