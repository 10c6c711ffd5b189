"""Which type each field of an envelope has, as one table; what is wrong is told by name and type, never by value."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[object], bool]

DEEPEST = 32
SMALL, LONG = 1 << 31, 1 << 48
LONGEST_RULE, LONGEST_VERSION = 64, 32
OUTCOMES = ("ok", "failed", "unknown")
SYMBOLS = ("function", "method", "class", "type")
CHANGES = ("added", "removed", "changed")
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_VERSION = _LOWER | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ.+")


def _string(value: object) -> bool:
    return isinstance(value, str)


def _boolean(value: object) -> bool:
    return isinstance(value, bool)


def _number(most: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and -most <= value < most


_small = _number(SMALL)


def _none_or(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _counts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_small, value.values()))


def _object(needed: dict[str, Check], **other: Check) -> Check:
    """An object with every ``needed`` field; ``other`` ones may be absent or null, further ones are left alone."""
    optional = {name: _none_or(check) for name, check in other.items()}

    def check(value: object) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value and good(value[name]) for name, good in needed.items())
            and all(good(value.get(name)) for name, good in optional.items())
        )

    return check


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_string, value))


def _one_of(names: tuple[str, ...]) -> Check:
    return lambda value: value in names


def _rules(value: object) -> bool:
    return (
        _counts(value)
        and isinstance(value, dict)
        and all(_made_of(rule, _LOWER, LONGEST_RULE) for rule in value)
    )


def _version(value: object) -> bool:
    return _made_of(value, _VERSION, LONGEST_VERSION)


def _made_of(value: object, signs: frozenset[str], longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest and signs.issuperset(value)


_STRINGS = _list_of(_string), "a list of strings"
_CHANGED = _list_of(_object({"path": _string}, added=_small, deleted=_small)), "a list of changed files"
_COUNTS = _counts, "an object of whole numbers"
_SMALL = _small, "a whole number of 32 bits"

HEAD: dict[str, tuple[Check, str]] = {
    "hv": (_version, f"a version of at most {LONGEST_VERSION} characters"),
    "project": (
        _object({}, common=_string, root=_string, remote=_string, id=_string),
        "an object of strings",
    ),
    "subagent": (_object({}, id=_string, type=_string), "an object of strings"),
    "redactions": (_rules, "an object of rule names and how often each replaced something"),
}
BODY: dict[str, tuple[Check, str]] = {
    **dict.fromkeys(
        ("text", "title", "source", "reason", "trigger", "model", "tool", "target", "shape", "server", "message",
         "sha", "base", "branch", "author", "how", "brief"),
        (_string, "a string"),
    ),
    **dict.fromkeys(("chars", "exit", "ms", "files_total"), _SMALL),
    **dict.fromkeys(("cut", "machine", "squash", "enriched", "manifests_cut"), (_boolean, "true or false")),
    "committed": (_number(LONG), "a time in Unix milliseconds"),
    "outcome": (_one_of(OUTCOMES), f"one of {', '.join(OUTCOMES)}"),
    "parents": _STRINGS,
    "manifests": (
        _list_of(_object({"path": _string}, text=_string, cut=_boolean)),
        "a list of files with their texts",
    ),
    "languages": _COUNTS,
    "languages_before": _COUNTS,
    "pairs": (_list_of(_pair), "a list of pairs of strings"),
    "calls": (
        _list_of(_object({"call": _string, "outcome": _one_of(OUTCOMES)}, exit=_small)),
        "a list of calls and outcomes",
    ),
}  # fmt: skip
_SYMBOL = _object(
    {"name": _string, "kind": _one_of(SYMBOLS), "change": _one_of(CHANGES), "start": _small, "end": _small},
    before=_small,
    after=_small,
)
_MEASURED = _object(
    {"path": _string, "language": _string},
    skipped=_string,
    broken=_boolean,
    symbols=_list_of(_SYMBOL),
    **dict.fromkeys(
        ("complexity_before", "complexity_after", "functions_before", "functions_after", "symbols_total"),
        _small,
    ),
)
FILES = {
    "tool": _STRINGS,
    "commit": _CHANGED,
    "code": _CHANGED,
    "symbols": (_list_of(_MEASURED), "a list of measured files"),
}


def wrong(envelope: dict[str, object]) -> str | None:
    """Say which field of an envelope (its ``kind`` known, its ``body`` an object) has not its type; None where none.

    A field that is null counts as absent, one that is not in the table is left alone.
    """
    if deep(envelope, DEEPEST):
        return f"it is nested more than {DEEPEST} levels deep"
    body = envelope["body"]
    known = {**BODY, "files": FILES.get(str(envelope["kind"]), _STRINGS)}
    for place, table, expected in (("", envelope, HEAD), ("body.", body, known)):
        for name, value in table.items() if isinstance(table, dict) else ():
            check, wanted = expected.get(name, (None, ""))
            if check and value is not None and not check(value):
                return f"{place}{name} is {shown(value)}, not {wanted}"
    return None


def deep(value: object, left: int) -> bool:
    """Whether ``value`` is nested more than ``left`` levels."""
    level = [value] if isinstance(value, (dict, list)) else []
    while level and left >= 0:
        left -= 1
        level = [
            one
            for held in level
            for one in (held.values() if isinstance(held, dict) else held)
            if isinstance(one, (dict, list))
        ]
    return left < 0


def shown(value: object) -> str:
    """Return the type of a value and its length, which tell what is wrong with it and nothing of what it says."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true or false"
    if isinstance(value, (str, list, dict)):
        name, unit = {
            str: ("a string", "characters"),
            list: ("a list", "entries"),
            dict: ("an object", "keys"),
        }[type(value)]
        return f"{name} of {len(value)} {unit}"
    return "a number"
