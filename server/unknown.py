"""Names that an input does not have: which one was given, and which may have been meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel

LONGEST = 60  # characters of a given name that are repeated
NEAR, MOST = 3, 12


def sentence(model: type[BaseModel], place: Sequence[int | str]) -> str:
    """Return what to tell of the name at the end of ``place``, which ``model`` does not have there."""
    given, holder = shown(place[-1]), _at(model, place[:-1])
    fields = {} if holder is None else holder.model_fields
    names = {name: field.alias or name for name, field in fields.items()}
    if given in names or given in names.values():
        return f"`{given}` is given twice: it is the same as `{names.get(given, given)}`."
    if not names:
        return f"There is no `{given}` here, and nothing else to give."
    plain = {_plain(alias): alias for alias in names.values()}
    if near := get_close_matches(_plain(given), plain, NEAR):
        return f"There is no `{given}` here: did you mean {_listed([plain[one] for one in near], 'or')}?"
    told = [f"`{alias}`" for alias in names.values()]
    more = f" and {len(told) - MOST} more" if len(told) > MOST else ""
    return f"There is no `{given}` here; there is {', '.join(told[:MOST])}{more}."


def shown(part: int | str) -> str:
    """Return a given name as it may be repeated: in one line, and not at any length."""
    name = "".join(character if character.isprintable() else "?" for character in str(part))
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}..."


def _listed(names: Sequence[str], last: str) -> str:
    *others, end = [f"`{name}`" for name in names]
    return f"{', '.join(others)} {last} {end}" if others else end


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _at(model: type[BaseModel], place: Sequence[int | str]) -> type[BaseModel] | None:
    """The model that stands at ``place`` in ``model``; None where it is not known."""
    here: type[BaseModel] | None = model
    for part in place:
        if isinstance(part, int) or here is None:
            continue
        held = [field.annotation for name, field in here.model_fields.items() if part in (name, field.alias)]
        here = next((inner for one in held for inner in _models(one)), None)
    return here


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)
