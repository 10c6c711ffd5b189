"""What was saved on purpose: the memory bank, what agents remember by key, and how often either was of use."""
