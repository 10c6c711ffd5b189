"""The deterministic distiller: no model, no key, no network."""
