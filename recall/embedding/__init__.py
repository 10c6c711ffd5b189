"""Text to vectors: the offline model by default, a provider over the network by setting."""
