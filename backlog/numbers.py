"""Numbers of items: BU3001. Given once, at approval, by the database; never given again."""

from __future__ import annotations

import re

from sqlalchemy import Connection, text

from backlog.errors import BadValue, NotANumber
from schema.backlog import RANGES, TYPE_NAMES

_NUMBER = re.compile(r"([A-Za-z]{2})-?([0-9]{4,9})\Z")
# One statement: the row is locked while it counts, so two approvals cannot read the same number.
_NEXT = text("""
    INSERT INTO item_numbers AS known (client, project, type, last) VALUES (:client, :project, :type, :first)
    ON CONFLICT (client, project, type) DO UPDATE SET last = known.last + 1
    RETURNING last
""")


def parse(number: str) -> tuple[str, int]:
    """Return type and serial of "BU3001", in any case. Raises NotANumber."""
    found = _NUMBER.match(number.strip())
    if found is None or found[1].upper() not in RANGES:
        raise NotANumber(number=number)
    return found[1].upper(), int(found[2])


def plain(number: str) -> str:
    """Return "bu-3001" as it is kept: BU3001. Raises NotANumber."""
    kind, serial = parse(number)
    return f"{kind}{serial}"


def type_named(name: str) -> str:
    """Return the type called ``name``: its two letters or its word ("bug"). Raises BadValue."""
    wanted = name.strip()
    for letters, word in TYPE_NAMES.items():
        if wanted.upper() == letters or wanted.lower() == word:
            return letters
    either = ", ".join(f"{letters} ({word})" for letters, word in TYPE_NAMES.items())
    raise BadValue(what="the type", value=name, why=f"it is one of {either}")


def give(connection: Connection, client: str, project: str, kind: str) -> int:
    """Return the next serial of a type in a project: the first is 1001, 2001, 3001, 4001, 5001 or 6001."""
    values = {"client": client, "project": project, "type": kind, "first": RANGES[kind] + 1}
    return int(connection.execute(_NEXT, values).scalar_one())
