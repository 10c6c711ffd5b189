"""The fallback: an unlabelled run of characters that only a generator would write."""

from capture.redact import looks, values
from capture.redact.programs import IGNORECASE, Program
from capture.redact.public import public_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_RUN = Program("entropy.run", r"[A-Za-z0-9_+/=.~-]{20,4000}+")
_PIECE = Program("entropy.piece", r"[A-Za-z0-9_+/~-]{20,200}+={0,2}")
_SEGMENT = Program("entropy.segment", r"[A-Za-z0-9_+~-]{20,200}+={0,2}")
_PUBLIC_NAME = Program(
    "entropy.public-name",
    r"(?:sha-?[0-9]{1,3}|md5|digest|fingerprint|etag|integrity|checksum|public_?key|kid|x5t|id-2|commit|revision)"
    r"[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"'`]?$",
    IGNORECASE,
)
_KNOWN = Program(
    "entropy.known",
    r"(?:I[0-9a-f]{40}|sha(?:1|224|256|384|512)[-:=_]|h1:|md5[-:]|toolu_|msg_|call_|chatcmpl-|resp_|req_|run_|thread_|asst_|item_|file-|evt_|rs_|fc_|cmpl-|gen-|sess_|srvtoolu_"
    r"|pi_|cus_|in_|sub_|price_|prod_|ch_|acct_|cs_|G-|UA-|xn--|urn|0x|_Z|\?\?|goog|lib[a-z]{1,20}[-_]|cp\d|py\d|node_|npm-|[a-z]{1,20}-[a-z]{1,20}-[a-z]{1,20}|[a-z]{3,10}_01[A-Za-z0-9]{22}|N\d{1,2}[a-z]|iVBORw0KGgo|R0lGOD|/9j/|PHN2Zy|UklGR|JVBERi0|UEsDB|H4sIA|AAAB)",
)
_MOST = 200


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every unlabelled run that looks generated."""
    text = view.text
    public = public_blocks(text)
    for run in _RUN().finditer(text):
        start, end = run.span()
        if (
            end - start > _MOST
            or text[max(0, start - 7) : start].endswith(("base64,", "AAAA"))
            or text.startswith("AAAA", start)
        ):
            continue
        if any(first <= start < last for first, last in public) or _data_line(text, start, end):
            continue
        if _PUBLIC_NAME().search(text, max(0, start - 24), start):
            continue
        in_path = "." in run[0] or "://" in text[max(0, start - 12) : start]
        for piece in (_SEGMENT if in_path else _PIECE)().finditer(text, start, end):
            if _generated(text, piece.start(), piece.end(), piece[0]):
                spans.append((piece.start(), piece.end(), "high-entropy"))


def _data_line(text: str, start: int, end: int) -> bool:
    """Whether the run is a full line of base64 next to another: a data block, not a token."""
    if (
        end - start < 56
        or text[start - 1 : start] not in ("", "\n", " ", "\t")
        or text[end : end + 1] not in ("", "\n", "\r")
    ):
        return False
    size = end - start
    before, after = text[max(0, start - size - 8) : start].rstrip(), text[end : end + size + 8].lstrip()
    return any(len(near) > 40 and " " not in near[:40] for near in (before[-size:], after[:size]))


def _generated(text: str, start: int, end: int, run: str) -> bool:
    if end - start > _MOST or _KNOWN().match(run):
        return False
    digits = sum(map(str.isdigit, run))
    if not any(map(str.isupper, run)) or not any(map(str.islower, run)):
        return False
    if digits < 2 and not (len(run) >= 28 and run.isalnum() and looks.gibberish(run)):
        return False
    before, after = text[max(0, start - 12) : start], text[end : end + 1]
    if after == "(" or before.endswith(("sha256-", "sha384-", "sha512-", "sha1-", "base64,", "#", "h1:")):
        return False
    if looks.path(run) or values.uuid(run) or looks.wordlike(run):
        return False
    return looks.entropy(run) >= 3.7 and looks.transitions(run) * 10 >= len(run) * 3
