"""Every operation, one module a subject. ``ALL`` is the list that the renderings and their tests read."""

from __future__ import annotations

from typing import Any

from server.operation import Operation
from server.operations import bank, health

ALL: tuple[Operation[Any, Any], ...] = (*bank.OPERATIONS, *health.OPERATIONS)
