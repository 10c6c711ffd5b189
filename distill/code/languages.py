"""Which language a tree is written in, from its lines by language."""

from __future__ import annotations

from collections.abc import Mapping

from distill.code.statement import Stated
from distill.slots import LANGUAGE
from schema.records import Slot

SERVER = frozenset(
    (
        "python",
        "rust",
        "go",
        "java",
        "kotlin",
        "scala",
        "ruby",
        "php",
        "c#",
        "c++",
        "c",
        "elixir",
        "erlang",
        "haskell",
        "swift",
        "dart",
        "zig",
        "clojure",
        "perl",
        "ocaml",
        "lua",
    )
)
BROWSER = ("typescript", "javascript", "vue", "svelte")
LEAST_SHARE = 0.5
LEAST_LINES = 3

BACKEND, FRONTEND = Slot("backend", LANGUAGE), Slot("frontend", LANGUAGE)


def languages(lines: Mapping[str, int]) -> list[Stated]:
    """State the language of the backend, and of the frontend, where one makes up most of its lines."""
    stated = []
    server = _main({name: count for name, count in lines.items() if name.lower() in SERVER})
    browser = _main({name: count for name, count in lines.items() if name.lower() in BROWSER})
    if server:
        name, share = server
        stated.append(Stated(BACKEND, name, f"The backend is written in {name} ({share:.0%} of its lines)."))
    if browser:
        slot = FRONTEND if server else BACKEND
        name, share = browser
        stated.append(
            Stated(slot, name, f"The {slot.subject} is written in {name} ({share:.0%} of its lines).")
        )
    return stated


def _main(lines: Mapping[str, int]) -> tuple[str, float] | None:
    total = sum(lines.values())
    if total < LEAST_LINES:
        return None
    name = max(lines, key=lambda language: (lines[language], language))
    share = lines[name] / total
    return (name, share) if share >= LEAST_SHARE else None
