"""The viewer: pages drawn on the server over the operations, for people."""
