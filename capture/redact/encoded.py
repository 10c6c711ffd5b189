"""Secrets in an encoding: base64, hexadecimal and percent runs are decoded one level and searched."""

from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from capture.redact.finders import Spans
    from capture.redact.view import View

_BASE64 = Program("encoded.base64", r"[A-Za-z0-9+/_-]{24,20000}+={0,2}")
# Groups of base64 that are letters, digits and signs of ASCII: the bits that would make them more are not set.
_ASCII_GROUPS = Program(
    "encoded.ascii", r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/]){4}"
)
_HEX = frozenset("0123456789abcdefABCDEF")
_PERCENT = Program(
    "encoded.percent", r"[A-Za-z0-9_.~+-]{0,400}+(?:%[0-9A-Fa-f]{2}[A-Za-z0-9_.~+/-]{0,400}+){2,400}+"
)
_LONGEST = 200_000


def find(view: "View", spans: "Spans", search: "Callable[[str], bool]") -> None:
    """Add every encoded run whose decoded text ``search`` finds a secret in."""
    text = view.text
    if len(text) > _LONGEST:
        return
    for match in _BASE64().finditer(text):
        plain = _hexadecimal(match[0]) if _HEX.issuperset(match[0][-16:]) else ""
        plain = plain or _base64(match[0])
        if plain and search(plain):
            spans.append((match.start(), match.end(), "encoded"))
    if text.count("%") >= 2:
        for match in _PERCENT().finditer(text):
            plain = _percent(match[0])
            if plain and search(plain):
                spans.append((match.start(), match.end(), "encoded"))


def _hexadecimal(run: str) -> str:
    """The text a hexadecimal run encodes, with or without ``0x``, empty where it is none."""
    digits = run.removeprefix("0x")
    if len(digits) < 32 or not _HEX.issuperset(digits):
        return ""
    return _ascii(bytes.fromhex(digits[: len(digits) & ~1]))


def _base64(run: str) -> str:
    """The text a base64 run encodes, empty where it is none; the start is checked before the rest is decoded."""
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    for skip in (0, 1, 2, 3) if len(body) % 4 == 1 else (0,):
        part = body[skip:]
        if not _ASCII_GROUPS().match(part):
            continue
        from binascii import Error, a2b_base64

        try:
            plain = _ascii(a2b_base64(part + "=" * (-len(part) % 4)))
        except (Error, ValueError):
            continue
        if plain:
            return plain
    return ""


def _percent(run: str) -> str:
    parts = run.split("%")
    out = [parts[0]]
    for part in parts[1:]:
        out.append(chr(int(part[:2], 16)) + part[2:])
    plain = "".join(out)
    return plain if plain.isascii() else ""


def _ascii(raw: bytes) -> str:
    if not raw.isascii():
        return ""
    plain = raw.decode("ascii")
    return plain if all(char.isprintable() or char in "\r\n\t" for char in plain) else ""
