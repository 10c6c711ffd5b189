"""Whether what a commit changed bears out what its message says.

A message is a claim about the change beside it. With no file changed, or where the message names a technology that
nothing in the change names, it is only an inference and outranks nobody's word.
"""

from __future__ import annotations

import re

from distill.code.proof import read
from distill.values import kind_of_value, same, value_key
from distill.vocabulary import CANONICAL
from schema.records import Commit, FactKind

# Packages that are used with one technology only and do not bear its name.
DRIVERS = {
    "postgres": ("psycopg", "asyncpg", "pg8000", "pgx", "libpq"),
    "sql server": ("pyodbc", "tedious"),
    "mongodb": ("motor", "mongoose"),
    "memcached": ("pylibmc",),
    "rabbitmq": ("pika", "amqplib"),
}
LONG = 5  # a name this long is told inside a word ("pymongo"); a shorter one must stand by itself


def supports(commit: Commit, value: str, kind: FactKind, *, ended: bool = False) -> bool:
    """Say whether ``commit`` changed something that bears out ``value``; with ``ended``, that it holds no longer."""
    if not commit.files and not commit.manifests:
        return False
    if kind is not FactKind.STACK and kind_of_value(value) is None:
        return True
    manifests = " ".join(manifest.text or "" for manifest in commit.manifests)
    paths = " ".join([*(file.path for file in commit.files), *(m.path for m in commit.manifests)])
    if ended:
        return bool(commit.manifests or names(value, paths)) and not names(value, manifests)
    stated = [proposal for manifest in commit.manifests for proposal in read(manifest, commit)]
    spoken = any(same(name, value) for name in commit.languages) or any(same(p.value, value) for p in stated)
    return spoken or names(value, f"{manifests} {paths}")


def names(value: str, text: str) -> bool:
    """Say whether ``text`` names ``value``, in any spelling, or a package that is used with it alone."""
    words = re.findall(r"[a-z0-9+#]+", text.lower())
    alone, joined = set(words), " ".join(words)
    for spelling in _spellings(value_key(value)):
        name = " ".join(re.findall(r"[a-z0-9+#]+", spelling))
        if name and (name in joined if len(name) >= LONG else name in alone):
            return True
    return False


def _spellings(name: str) -> list[str]:
    return [name, *DRIVERS.get(name, ()), *(other for other, known in CANONICAL.items() if known == name)]
