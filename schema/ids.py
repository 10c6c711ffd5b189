"""Ids of rows: the same UUIDv7 the hooks make."""

from capture.ids import new_id

__all__ = ["new_id"]
