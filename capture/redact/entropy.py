"""The fallback: an unlabelled run of characters that only a generator would write."""

from capture.redact import values
from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.engine import Spans, View

_RUN = Program("entropy.run", r"[A-Za-z0-9_+/=.~-]{20,}+")
_PIECE = Program("entropy.piece", r"[A-Za-z0-9_+/~-]{20,200}+={0,2}")
_KNOWN = Program(
    "entropy.known",
    r"(?:sha(?:1|224|256|384|512)[-:=_]|h1:|md5[-:]|toolu_|msg_|call_|chatcmpl-|resp_|req_|run_|thread_|asst_|item_|file-|evt_|rs_|fc_|cmpl-|gen-|sess_|srvtoolu_"
    r"|pi_|cus_|in_|sub_|price_|prod_|ch_|acct_|cs_|G-|UA-|xn--|urn|0x|_Z|\?\?|goog|lib[a-z]+[-_]|cp\d|py\d|node_|npm-|[a-z]+-[a-z]+-[a-z]+)",
)
_CONSTANT = Program("entropy.constant", r"[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,14})*")
_MOST = 200


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every unlabelled run that looks generated."""
    text = view.text
    for run in _RUN().finditer(text):
        if run.end() - run.start() > _MOST * 4:  # a data block, not a token
            continue
        for piece in _PIECE().finditer(text, run.start(), run.end()):
            if _generated(text, piece.start(), piece.end(), piece[0]):
                spans.append((piece.start(), piece.end(), "high-entropy"))


def _generated(text: str, start: int, end: int, run: str) -> bool:
    if end - start > _MOST or _KNOWN().match(run):
        return False
    digits = sum(map(str.isdigit, run))
    if digits < 2 or not any(map(str.isupper, run)) or not any(map(str.islower, run)):
        return False
    before, after = text[max(0, start - 12) : start], text[end : end + 1]
    if after == "(" or before.endswith(("sha256-", "sha384-", "sha512-", "sha1-", "base64,", "#")):
        return False
    if values.path(run) or values.uuid(run) or _wordlike(run):
        return False
    return values.entropy(run) >= 3.7 and values.transitions(run) * 10 >= len(run) * 3


def _wordlike(run: str) -> bool:
    """Whether separators or capitals cut the run into words: more than half of the letters in runs of four."""
    letters = sum(map(str.isalpha, run))
    in_words = 0
    size = 0
    for char in run + " ":
        if char.islower():
            size += 1
            continue
        if size >= 4:
            in_words += size
        size = 0
    return in_words * 2 > letters
