"""Old transcripts through the same capture, redaction, queue and workers as live events."""
