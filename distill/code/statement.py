"""What one file states, before it is tied to a commit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from distill.slots import CHOICE, DEPENDENCY, PROJECT, VERSION, slot
from distill.values import kind_of_value
from distill.vocabulary import CANONICAL, KINDS
from schema.records import Slot

DEVELOPMENT = "development dependency"
PROVEN_BY_DEPENDENCY = {
    "web framework",
    "frontend framework",
    "orm",
    "migration tool",
    "test framework",
    "linter",
    "formatter",
    "type checker",
    "bundler",
    "task queue",
}
MOST_DEPENDENCIES = 120


@dataclass(frozen=True, slots=True)
class Stated:
    """One slot, the value a file gives it, and the sentence that says so."""

    slot: Slot
    value: str
    statement: str


def scope_of(path: str) -> str:
    """Return the folder a manifest speaks for: '' at the top of the repository."""
    parent = str(PurePosixPath(path).parent)
    return "" if parent in {".", ""} else parent


def choice(role: str, value: str, path: str) -> Stated:
    """State that a role is filled by ``value``."""
    return Stated(slot(role, CHOICE, scope=scope_of(path)), value, f"The {role} is {value} ({path}).")


def version(tool: str, value: str, path: str) -> Stated:
    """State which version of a tool or language the project asks for."""
    return Stated(slot(tool, VERSION, scope=scope_of(path)), value, f"{tool} version: {value} ({path}).")


def one_of(attribute: str, value: str, path: str, sentence: str, subject: str = PROJECT) -> Stated:
    """State one of many values of an additive attribute."""
    return Stated(Slot(subject, attribute, scope_of(path)), value, f"{sentence} ({path}).")


def dependencies(names: Iterable[str], path: str, *, development: bool = False) -> list[Stated]:
    """State each dependency, in the order of the file."""
    attribute = DEVELOPMENT if development else DEPENDENCY
    words = "uses {} in development" if development else "depends on {}"
    unique = list(dict.fromkeys(name for name in names if name))[:MOST_DEPENDENCIES]
    return [one_of(attribute, name, path, f"The project {words.format(name)}") for name in unique]


def roles(names: Iterable[str], path: str) -> list[Stated]:
    """State the roles that dependencies fill, where exactly one of them fills a role."""
    filled: dict[str, set[str]] = {}
    for name in names:
        kind = kind_of_value(name)
        if kind in PROVEN_BY_DEPENDENCY:
            filled.setdefault(kind, set()).add(CANONICAL[name.lower()])
    return [choice(kind, min(found), path) for kind, found in filled.items() if len(found) == 1]


def product(image: str) -> tuple[str, str] | None:
    """Return the role and the value a well-known container image stands for: ("database", "postgres 16")."""
    name, _, tag = image.rpartition("/")[2].partition(":")
    known = CANONICAL.get(name.lower())
    kind = kind_of_value(name)
    if (
        known is None
        or kind not in {"database", "cache", "message queue", "search engine"}
        or kind not in KINDS
    ):
        return None
    number = tag.split("-")[0].lstrip("v")
    return kind, f"{known} {number}" if number[:1].isdigit() else known
