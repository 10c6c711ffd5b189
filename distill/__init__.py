"""Evidence to summaries, events and facts; facts resolved by code, proved by code."""
