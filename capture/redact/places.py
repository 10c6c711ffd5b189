"""Where a named value stands, by which ``accept`` judges it."""

LINE, ENV, FLAG, CODE = range(4)
"""A line of a config file; NAME=value of a shell; a command line flag; anything else, such as code."""
