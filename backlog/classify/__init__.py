"""From what was said, committed, sent and imported to drafts: offline, or with a model."""
