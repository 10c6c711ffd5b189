"""The envelope, version 1 (docs/contracts.md section 1): encoding within a size, and strict decoding."""

from __future__ import annotations

from capture.errors import MalformedEnvelope, OversizedEnvelope, UnknownVersion
from capture.jsonio import encode as to_json
from capture.jsonio import parse

VERSION = 1
MOST_BYTES = 256 * 1024
ORIGINS = ("hook", "import", "api")
KINDS = (
    "session.start", "prompt", "tool", "reply", "subagent", "compaction", "session.end", "commit", "rewrite",
    "merge", "outcomes", "message", "code", "symbols",
)  # fmt: skip
STRINGS = ("event", "session", "turn", "call", "cwd", "hv", "needs", "transcript")
TABLES = ("subagent", "project", "redactions")
LATER = 1000
LONGEST_ID = 200
LONGEST_AGENT = 32
_HEX = frozenset("0123456789abcdef")


def encode(envelope: dict[str, object]) -> bytes:
    """Return the envelope as one line of at most ``MOST_BYTES`` bytes; OversizedEnvelope where it cannot be."""
    line = to_json(envelope)
    if len(line) > MOST_BYTES:
        raise OversizedEnvelope(size=len(line), limit=MOST_BYTES)
    return line


def decode(line: bytes) -> dict[str, object]:
    """Return the envelope in ``line``, with every field that the contract types checked (``capture.fields``).

    Raises OversizedEnvelope, MalformedEnvelope or UnknownVersion; keys it does not know are kept.
    """
    if len(line) > MOST_BYTES:
        raise OversizedEnvelope(size=len(line), limit=MOST_BYTES)
    try:
        value = parse(line.decode("utf-8"))
    except ValueError as error:
        raise MalformedEnvelope(why=f"it is not JSON in UTF-8 ({type(error).__name__})") from None
    if not isinstance(value, dict):
        raise MalformedEnvelope(why="it is not a JSON object")
    version = value.get("v")
    if version != VERSION or isinstance(version, bool):
        raise UnknownVersion(version=_version(version))
    _check(value)
    return value


def _check(value: dict[str, object]) -> None:
    from capture.fields import shown, wrong  # hooks only encode, and do without

    if not _is_id(value.get("id")):
        raise MalformedEnvelope(why="id is not a UUID of 36 characters")
    at = value.get("at")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 < at < 1 << 48:
        raise MalformedEnvelope(why="at is not a time in Unix milliseconds")
    agent = value.get("agent")
    if not isinstance(agent, str) or not agent.isidentifier() or len(agent) > LONGEST_AGENT:
        raise MalformedEnvelope(why=f"agent is {shown(agent)}, not a name")
    for key, allowed in (("origin", ORIGINS), ("kind", KINDS)):
        if value.get(key) not in allowed:
            raise MalformedEnvelope(why=f"{key} is {shown(value.get(key))}, not one of {', '.join(allowed)}")
    for key in STRINGS:
        if key in value and not isinstance(value[key], str):
            raise MalformedEnvelope(why=f"{key} is not a string")
    for key in ("session", "turn", "call"):
        if len(str(value.get(key, ""))) > LONGEST_ID:
            raise MalformedEnvelope(why=f"{key} is longer than {LONGEST_ID} characters")
    for key in TABLES:
        if key in value and not isinstance(value[key], dict):
            raise MalformedEnvelope(why=f"{key} is not an object")
    if not isinstance(value.get("body"), dict):
        raise MalformedEnvelope(why="body is not an object")
    found = wrong(value)
    if found is not None:
        raise MalformedEnvelope(why=found)


def _is_id(value: object) -> bool:
    if not isinstance(value, str) or len(value) != 36:
        return False
    digits = value.replace("-", "")
    dashes = value[8] == value[13] == value[18] == value[23] == "-"
    return dashes and len(digits) == 32 and _HEX.issuperset(digits)


def _version(value: object) -> str:
    from capture.fields import shown

    told = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LATER
    return str(value) if told else f"({shown(value)})"
