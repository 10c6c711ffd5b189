"""The distiller that asks a model: bounded prompt, strict reply, a ledger of every call."""
