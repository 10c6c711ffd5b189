"""The gemini adapter."""
