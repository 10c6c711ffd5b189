"""Source documents: turned into Markdown, cleaned, kept in versions, cut into passages."""
