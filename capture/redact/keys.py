"""Private keys: PEM and PGP blocks in any dress, PuTTY files, kubeconfig data, base64 of PEM."""

from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.engine import Spans, View

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
_PUBLIC = Program(
    "keys.public",
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE"
    r"(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|SIGNATURE|MESSAGE|CRL|PARAMETERS)"
    r"-----[^-]{0,20000}+",
)
_MAX = 20_000


def find(view: "View", spans: "Spans") -> None:
    """Add the body of every private key block; a block without an end runs as far as key material goes."""
    text = view.text
    if "PRIVATE KEY" in text:
        at = text.find("---")
        while at >= 0:
            begin = _BEGIN().match(text, at)
            at = _block(text, begin.end(), spans) if begin else at + 3
            at = text.find("---", at)
    if "Private-Lines:" in text:
        for match in _PUTTY().finditer(text):
            spans.append((match.start(1), match.end(1), "private-key"))


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


def public_blocks(text: str) -> list[tuple[int, int]]:
    """Where blocks of certificates, public keys and signatures stand: long, but no secret."""
    if "-----BEGIN " not in text:
        return []
    return [match.span() for match in _PUBLIC().finditer(text)]
