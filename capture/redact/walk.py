"""Redaction of JSON values."""

from capture.redact import accept, engine, marker, names, values
from capture.redact.deadline import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Net: TypeAlias = Callable[[str], tuple[str, dict[str, int]]]

_DEEPEST = 64
_COMPOSED = ("tool", "server")
_SESSION = (
    "session"  # an agent's session by its id: what holds one session together is told by its own form alone
)


def redact_value(value: "Any", *, deadline: Deadline | None = None) -> "tuple[Any, dict[str, int]]":
    """Return a JSON ``value`` with every string in it redacted, and the counts by rule.

    A key that names a secret gives its string value context. Keys are redacted where they hold a secret
    themselves. The same object comes back where nothing changed; what is nested deeper than 64 becomes a marker.
    """
    return walk(value, lambda text: engine.redact(text, deadline=deadline))


def walk(value: "Any", net: "Net") -> "tuple[Any, dict[str, int]]":
    """``redact_value`` with another ``net``: what gives a text redacted and the counts by rule."""
    counts: dict[str, int] = {}
    return _walk(value, "", counts, net, 0), counts


def apart(value: "Any") -> list[str]:
    """The pieces that the names of a tool and its server in the table ``value`` are redacted by."""
    if not isinstance(value, dict):
        return []
    found = [piece for held in value.values() for piece in apart(held)]
    named = [value[key] for key in _COMPOSED if isinstance(value.get(key), str)]
    return found + [piece for name in named for piece in name.replace("__", "-").split("-")]


def made_up(piece: str) -> bool:
    """Whether a piece of such a name is what a generator writes, not a word, a version or a part of a UUID."""
    return values.generated(piece) and not values.hexadecimal(piece)


def _walk(value: "Any", key: str, counts: dict[str, int], net: "Net", depth: int) -> "Any":
    if depth > _DEEPEST:
        return _marked("depth", counts)
    if isinstance(value, str):
        return _string(value, key, counts, net)
    if isinstance(value, dict):
        made = {
            (_string(name, "", counts, net) if isinstance(name, str) else name): _walk(
                item, name if isinstance(name, str) else "", counts, net, depth + 1
            )
            for name, item in value.items()
        }
        same = all(
            left is right
            for pair in zip(made.items(), value.items(), strict=False)
            for left, right in zip(*pair, strict=True)
        )
        return value if same and len(made) == len(value) else made
    if isinstance(value, list):
        items = [_walk(item, key, counts, net, depth + 1) for item in value]
        return value if all(left is right for left, right in zip(items, value, strict=True)) else items
    if key and isinstance(value, int) and abs(value) > 999_999 and names.level(key) == names.PASSWORD:
        return _marked("password", counts)
    return value


def _string(value: str, key: str, counts: dict[str, int], net: "Net") -> str:
    if key in _COMPOSED:
        value = _composed(value, counts, net)
    clean, found = net(value)
    for rule, count in found.items():
        counts[rule] = counts.get(rule, 0) + count
    if key and key != _SESSION and clean is value:
        sure = names.level(key)
        if sure and accept.quoted(value, sure, ":"):
            return _marked(names.label(key, sure), counts)
    return clean


def _composed(value: str, counts: dict[str, int], net: "Net") -> str:
    """Redact each piece of a name such as ``mcp__server__tool`` by itself."""
    for joint in ("__", "-"):
        if joint in value:
            made = joint.join([_composed(piece, counts, net) for piece in value.split(joint)])
            return value if made == value else made
    if made_up(value):
        return _marked("high-entropy", counts)
    return _string(value, "", counts, net)


def _marked(rule: str, counts: dict[str, int]) -> str:
    counts[rule] = counts.get(rule, 0) + 1
    return marker.marker(rule)
