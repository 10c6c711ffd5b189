"""A question to ranked, current answers with their provenance."""
