"""Every operation, one module a subject. ``ALL`` is the list that the renderings and their tests read."""

from __future__ import annotations

from typing import Any

from server.operation import Operation
from server.operations import bank, forget, health, pulse, remember, views

ALL: tuple[Operation[Any, Any], ...] = (
    *bank.OPERATIONS,
    *forget.OPERATIONS,
    *health.OPERATIONS,
    *remember.OPERATIONS,
    *pulse.OPERATIONS,
    *views.OPERATIONS,
)
