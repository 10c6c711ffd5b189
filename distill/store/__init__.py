"""Facts, events and summaries in Postgres: the one place with their SQL."""
