"""The fallback for passwords that nothing announces: short runs whose characters no name or number would mix so."""

from capture.redact import looks, values
from capture.redact.programs import IGNORECASE, Program
from capture.redact.public import public_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_TOKEN = Program(
    "short.token",
    r"(?<![^\s\"'`=(,:])(?=[^\s0-9]{0,39}[0-9])[^\s\\\"'`(){}\[\],;<>|:]{9,40}+(?![^\s\"'`),;:.\\|<\]}])",
)
_PATH = Program(
    "short.path",
    r"(?<![^\s\"'`=(,])(?:(?:~|\.{1,2})?/|[A-Za-z]:[\\/])[^\s\"'`(){}\[\],;<>|:*?=&]{9,400}+(?![?=&*])",
)
_IDENTITY = Program(
    "short.identity",
    r"(?:id|uid|guid|ref|hash|sha\d{0,3}|etag|rev|revision|commit|digest|checksum|version|tag|cursor|slug|#|0x|md5|crc|address|pc)"
    r"[\"']?[ \t]{0,3}[:=/]?[ \t]{0,3}[\"'`]?$",
    IGNORECASE,
)
_PERSON = Program(
    "short.person",
    r"[A-Z][a-z]{3,18}[0-9]{2,4}[!@#$%*?]{1,2}$"
    r"|[A-Za-z0-9]{0,12}(?:[A-Z][a-z]{2,12}[0-9]{2,6}|[0-9]{2,6}[A-Z][a-z]{2,12})[!@#$%*?][A-Za-z0-9]{0,14}$",
)
_EXPRESSION = Program(
    "short.expression",
    r"[A-Za-z_]\w{1,20}[+*%^&=]\w{1,40}$|.{0,40}(?:[\\/]|[=+@]{2}|[A-Za-z_]{2}=|%[sdrx]|_or_|&[a-z#])",
)
_JOINTS = ("=", "/", "&")
_SHORTEST = 8
_SIGNS = frozenset("!@#$%^&*?=+~")
_HEX = frozenset("0123456789abcdefABCDEFxX-")


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every short run that only a generator or a password's owner would write."""
    text = view.text
    public = public_blocks(text)
    for match in _TOKEN().finditer(text):
        if any(first <= match.start() < last for first, last in public):
            continue
        value = match[0].rstrip(".!?" if match[0][-2:-1].isalpha() else ".")
        start = match.start()
        own = value.rpartition("@")[0] or value
        own = own[max(map(own.rfind, _JOINTS)) + 1 :]
        if own != value and len(own) >= _SHORTEST and _PERSON().match(own) and not own[-1].isdigit():
            start = match.start() + value.index(own)
            spans.append((start, start + len(own), "high-entropy"))
            continue
        if (
            not _HEX.issuperset(value)
            and _secret(value)
            and not _IDENTITY().search(text, max(0, start - 20), start)
        ):
            spans.append((start, start + len(value), "high-entropy"))
    if "/" in text or ":\\" in text:
        _segments(text, public, spans)


def _segments(text: str, public: list[tuple[int, int]], spans: "Spans") -> None:
    """Judge every segment of a path; the others must be names, so that base64 with slashes is none."""
    for match in _PATH().finditer(text):
        if any(first <= match.start() < last for first, last in public):
            continue
        segments = match[0].replace("\\", "/").split("/")
        made = [9 <= len(one) <= 40 and _segment(one) for one in segments]
        if not any(made) or not all(own or _name(one) for own, one in zip(made, segments, strict=True)):
            continue
        at = match.start()
        for own, segment in zip(made, segments, strict=True):
            if own:
                spans.append((at, at + len(segment), "high-entropy"))
            at += len(segment) + 1


def _name(segment: str) -> bool:
    return not segment or (not segment[0].isdigit() and looks.transitions(segment) < 4)


def _segment(value: str) -> bool:
    if _HEX.issuperset(value):
        return False
    mixed = any(map(str.isupper, value)) and looks.transitions(value) >= 5
    return _secret(value) or (mixed and value.isalnum() and values.generated(value))


def _secret(value: str) -> bool:
    upper = sum(map(str.isupper, value))
    lower = sum(map(str.islower, value))
    changes = looks.transitions(value)
    if value.isalnum():
        if upper >= 2 and lower >= 2 and len(value) >= 10:
            return changes * 2 >= len(value) and not looks.wordlike(value)
        digits = len(value) - lower
        return (
            not upper
            and 12 <= len(value) <= 22
            and digits >= 2
            and lower >= 5
            and changes >= 5
            and not looks.wordlike(value)
        )
    if not upper or not lower or _SIGNS.isdisjoint(value):
        return False
    if _PERSON().match(value):
        return True
    if not value[0].isalnum() or changes < 5 or changes * 5 < len(value) * 2:
        return False
    return not (
        values.code(value) or looks.path(value) or values.has_scheme(value) or _EXPRESSION().match(value)
    )
