"""Private keys: PEM and PGP blocks in any dress, PuTTY files, kubeconfig data, base64 of PEM."""

from capture.redact import names
from capture.redact.programs import IGNORECASE, Program
from capture.redact.public import public_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_BEGIN = Program(
    "keys.begin",
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
)
_END = Program(
    "keys.end",
    r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----",
)
# What a key body is made of, with its line breaks written in any way, line numbers, quotes, headers.
_BODY = Program(
    "keys.body",
    r"(?:[A-Za-z0-9+/=]{16,4000}+|\\{1,4}[rnt]|\s|[|>:\u2192\"'+,`#*-]{1,3}"
    r"|\d{1,6}(?=\s{0,4}[\u2192\t|:])"
    r"|(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash): ?[^\n\\]{1,80}"
    r"|[A-Za-z0-9+/=]{1,15}(?=[\s\\\"']|$)){1,2000}",
)
_PUTTY = Program("keys.putty", r"Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{4,80}\r?\n?){1,80})")
# Lines of base64 of one length, as key files are wrapped, with a line's own number, quotes or escapes around each.
_WRAPPED = Program(
    "keys.wrapped",
    r"(?:(?<=\\n)|(?<=\n[+-])|(?<![A-Za-z0-9+/=_.-]))[A-Za-z0-9+/]{56,80}+(?![A-Za-z0-9+/=_.-])",
)
_BETWEEN = Program(
    "keys.between",
    r"(?:\\{1,4}[rn]|\r?\n|[\"',+ \t]|\\(?=\r?\n)){1,64}+"
    r"(?:[0-9]{1,6}[ \t]{0,8}[\u2192\t|:][ \t]{0,40}|[>|+-][ \t]{0,8})?",
)
_TAIL = Program("keys.tail", r"[A-Za-z0-9+/]{1,80}+={0,2}(?=[ \t]{0,8}(?:[\r\n\"'\\,]|$))")
# A key of 256 or 512 bits that is called one, written in hexadecimal digits.
_HEX = Program(
    "keys.hex",
    r"(?:([\w-]{1,40})[ \t])?\bkey(?:[ \t]{0,3}(?:is|was|[:=]))?[ \t]{1,3}[\"'`]?"
    r"([0-9a-f]{64}(?:[0-9a-f]{64})?)(?![\w])",
    IGNORECASE,
)
_NO_SECRET = (
    "rsa", "dsa", "ecdsa", "ed25519", "gpg", "pgp", "ssh", "idempotency", "dedupe", "content", "image", "layer",
    "state", "storage", "session", "lookup", "digest", "sha256", "checksum", "build", "blob", "etag",
)  # fmt: skip
_IMAGES = (
    "iVBORw0KGgo",
    "R0lGOD",
    "/9j/",
    "PHN2Zy",
    "UklGR",
    "JVBERi0",
    "UEsDB",
    "H4sIA",
    "AAAAB3NzaC1",
    "d09GM",
    "T2dnU",
)
_LEAST_LINES = 2
_SHORTEST = 16
_MAX = 20_000


def find(view: "View", spans: "Spans") -> None:
    """Add the body of every private key block; a block without an end runs as far as key material goes."""
    text = view.text
    if "PRIVATE KEY" in text:
        at = text.find("---")
        while at >= 0:
            begin = _BEGIN().match(text, at)
            at = _block(text, begin.end(), spans) if begin else at + 1
            at = text.find("---", at)
    if "Private-Lines:" in text:
        for match in _PUTTY().finditer(text):
            spans.append((match.start(1), match.end(1), "private-key"))
    if "key" in view.low:
        for match in _HEX().finditer(text):
            before = (match[1] or "").lower()
            if before not in _NO_SECRET and names.level(f"{before} key"):
                spans.append((*match.span(2), "api-key"))
    _bodies(text, spans)


def _bodies(text: str, spans: "Spans") -> None:
    """Add blocks of wrapped base64 that no header tells to be public, an image or an archive."""
    public: list[tuple[int, int]] | None = None
    at = 0
    while True:
        first = _WRAPPED().search(text, at)
        if first is None:
            return
        start, at = first.span()
        size, lines, end = at - start, 1, at
        while lines < 400:
            between = _BETWEEN().match(text, at)
            following = _TAIL().match(text, between.end()) if between and between.end() > at else None
            if following is None or len(following[0]) > size:
                break
            short = len(following[0]) < size
            if short and following[0].isalpha() and len(following[0]) < _SHORTEST:
                break  # a word of the text behind the block
            at = end = following.end()
            lines += 1
            if short:
                break
        if lines < _LEAST_LINES or not _random(text[start : start + size]):
            continue
        if public is None:
            public = public_blocks(text)
        if text.startswith(_IMAGES, start) or any(one <= start < other for one, other in public):
            continue
        spans.append((start, end, "private-key"))


def _random(line: str) -> bool:
    """Whether a line of base64 is of all kinds of characters, as bytes that look random are."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(sum(map(kind, line)) * 25 >= len(line) for kind in kinds) and len(set(line)) >= 24


def _block(text: str, start: int, spans: "Spans") -> int:
    end = _END().search(text, start, start + _MAX)
    if end:
        stop = end.start()
    else:
        body = _BODY().match(text, start, start + _MAX)
        stop = body.end() if body else start
        while stop > start and text[stop - 1] in " \t\r\n\"',:|+-#*`>":
            stop -= 1
    inner = text[start:stop]
    solid = "".join(inner.split())
    if len(solid) >= 12 and len(set(solid)) > 8 and not solid.lower().startswith(("xxxx", "...", "<")):
        spans.append((start, stop, "private-key"))
    return stop + 1
