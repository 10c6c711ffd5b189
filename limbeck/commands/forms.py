"""The forms of what is typed: what has none of them cannot be right, and is refused before anything is opened.

Each is a callback of an argument or an option, for one value, for several or for none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from typer import BadParameter

from schema.ids import FEWEST, whole_id

_ID = re.compile(rf"[0-9a-f-]{{{FEWEST},36}}", re.IGNORECASE)
_VERSION = re.compile(r"[0-9a-f]{12}")
_HASH = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)


def _form(refused: Callable[[str], str | None]) -> Callable[[Any], Any]:
    """The callback that refuses each value of which ``refused`` says why it cannot be right."""

    def looked(value: str | list[str] | None) -> str | list[str] | None:
        for one in [value] if isinstance(value, str) else value or []:
            if why := refused(one):
                raise BadParameter(why)
        return value

    return looked


def _is_id(text: str) -> bool:
    return bool(_ID.fullmatch(text)) and len(text.replace("-", "")) >= FEWEST


def _no_id(text: str) -> str | None:
    return None if _is_id(text) else f"{text!r} is no id, nor the first {FEWEST} or more characters of one"


def _no_memory(text: str) -> str | None:
    from server.memory.typeid import MEMORY, decode

    return None if decode(MEMORY, text) else f"{text!r} is no memory's id, which is mem_ and 26 characters"


def _no_number(text: str) -> str | None:
    from backlog.numbers import parse

    parse(text)
    return None


def _no_use_case(text: str) -> str | None:
    from backlog.numbers import parse

    return None if parse(text)[0] == "US" else f"{text!r} is not the number of a use case, such as US1001"


def _no_type(text: str) -> str | None:
    from backlog.numbers import type_named

    type_named(text)
    return None


def _no_state(text: str) -> str | None:
    from backlog.lifecycle import state_named

    state_named(text)
    return None


def _no_title(text: str) -> str | None:
    from backlog.items import titled

    titled(text)
    return None


def _blank(text: str) -> str | None:
    return None if text.strip() else "it is empty"


def _no_hash(text: str) -> str | None:
    return (
        None
        if _HASH.fullmatch(text)
        else f"{text!r} is no hash of a commit, nor its first 7 or more characters"
    )


def _no_setting(text: str) -> str | None:
    from limbeck.settings import known_settings

    return (
        None
        if text in known_settings()
        else f"there is no setting {text!r}; `limbeck config list` shows them"
    )


def _no_version(text: str) -> str | None:
    return (
        None
        if _VERSION.fullmatch(text)
        else f"{text!r} is no version of a setting; `limbeck config get NAME --json` tells it"
    )


def _no_server(text: str) -> str | None:
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.hostname:
        return None
    return f"{text!r} is no address of a server, such as https://memory.example"


def _no_queue(text: str) -> str | None:
    from workers.app import QUEUES

    unknown = sorted(set(text.split(",")) - set(QUEUES))
    return f"there is no queue {unknown[0]!r}; the queues are {', '.join(QUEUES)}" if unknown else None


an_id = _form(_no_id)
a_memory = _form(_no_memory)
a_memory_or_entry = _form(lambda text: None if whole_id(text) else _no_memory(text))
a_number = _form(_no_number)
a_use_case = _form(_no_use_case)
a_use_case_or_none = _form(lambda text: _no_use_case(text) if text else None)
a_draft_or_number = _form(lambda text: None if _is_id(text) else _no_number(text))
a_type = _form(_no_type)
a_state = _form(_no_state)
a_title = _form(_no_title)
a_hash = _form(_no_hash)
words = _form(_blank)
a_server = _form(_no_server)
a_setting = _form(_no_setting)
a_version = _form(_no_version)
queue_names = _form(_no_queue)


def a_number_at_all(value: float | None) -> float | None:
    """Refuse "nan", which is inside every range."""
    if value is not None and math.isnan(value):
        raise BadParameter("'nan' is no number")
    return value
