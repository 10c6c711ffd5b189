"""compose.yaml as the tests read it: variables filled in, secrets and addresses of this machine in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def load(path: Path = ROOT / "compose.yaml", variables: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Read a compose file and fill in its ``${NAME:-default}``; a required variable that is not there fails."""
    return _filled(yaml.safe_load(path.read_text()), variables or {})


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, variables) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, variables) for item in value]
    return VARIABLE.sub(lambda found: _value(found, variables), value) if isinstance(value, str) else value


def _value(found: re.Match[str], variables: Mapping[str, str]) -> str:
    name, kind, rest = found.groups()
    if variables.get(name):
        return variables[name]
    assert kind == "-", f"{name} is required: {rest}"
    return rest
