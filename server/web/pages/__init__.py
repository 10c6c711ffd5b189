"""Every page: what it asks of the operations and what it shows."""
