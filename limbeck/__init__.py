"""The front door: command line, settings, embedded services."""
