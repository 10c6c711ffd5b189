"""Secrets told in sentences, comments, logs and lines that name a secret without assigning it."""

from capture.redact import looks, values
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.engine import Spans, View

_CUES = (
    "passw", "pwd", "passphrase", "passcode", "token", "api key", "api_key", "apikey", "secret", "credential", "creds",
    " pw", "access key", "kennwort", "mot de passe", "contrase", "senha", "login", "log in", "log into", "sign in",
    "community", "auth", "connect(", "connection(", "client(", "begin(", "keys",
)  # fmt: skip
_SURE = ("passw", "pwd", "passphrase", "passcode", " pw", "kennwort", "mot de passe", "contrase", "senha")
_TOKEN = Program("prose.token", r"[^\s\"'`=:,;{}()\[\]<>|\u2018\u2019\u201c\u201d]{8,120}")
_WHOLE = Program(
    "prose.whole",
    r"(?:(?<=is)|(?<=was)|(?<=ist)|(?<=to)|(?<=with)|(?<=from)|(?<=[:=>/|-])|(?<=\u2192)|(?<=\w))[ \t]{1,3}[\"'`(\u201c]?([^\s\"'`\u201d]{6,120})",
)
_SLASH = Program("prose.slash", r"([\w.@+-]{2,60})[ \t]{1,2}[/|][ \t]{1,2}[\"'`]?([^\s\"'`]{6,80})")
_USER = Program(
    "prose.user",
    r"log|sign|cred|user|admin|root|account|pass|access|auth|connect|# ?[\w.@+-]{2,60}$",
    IGNORECASE,
)
_PAIR = Program("prose.pair", r",[ \t]{0,4}[\"']([^\"'\n]{8,80})[\"'][ \t]{0,4}[,)]")
_USERPASS = Program(
    "prose.userpass", r"(?<=[ \t(])[\w.@+-]{2,40}[:/]([^\s:/\"'(){}\[\]<>=]{8,80})(?=[\s\"']|$)"
)
_MAIL = Program(
    "prose.mail", r"@(?!sha[0-9])[\w-]{1,40}(?:\.[\w-]{1,40}){0,4}[:;|]([^\s:;|\"']{8,80})(?=[\s:;|\"']|$)"
)
_ADDRESS = Program("prose.address", r"[\w.+-]{1,64}@[\w-]{1,40}(?:\.[\w-]{1,40}){1,5}$")
_BEFORE, _AFTER = 60, 110


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secrets that a sentence, a log line or a call gives away."""
    text, low = view.text, view.low
    seen: dict[int, int] = {}
    for cue in _CUES:
        at = low.find(cue)
        while at >= 0:
            _near(text, at, at + len(cue), cue in _SURE, seen, spans)
            at = low.find(cue, at + len(cue))
    for sign in (" / ", " | "):
        at = text.find(sign)
        while at >= 0:
            begin = max(text.rfind(" ", max(0, at - 60), at), text.rfind("\n", max(0, at - 60), at)) + 1
            _slash(text, begin, spans)
            at = text.find(sign, at + 3)
    at = text.find("@")
    while at >= 0:
        mail = _MAIL().match(text, at)
        if mail and at and text[at - 1].isalnum() and values.generated(trim(mail[1])):
            spans.append((mail.start(1), mail.start(1) + len(trim(mail[1])), "prose-password"))
        at = text.find("@", at + 1)


def _near(text: str, at: int, end: int, sure: bool, seen: dict[int, int], spans: "Spans") -> None:
    """Judge each token of the line around a cue, more easily where a word such as "is" leads to it."""
    start = max(0, at - _BEFORE, text.rfind("\n", 0, at) + 1)
    stop = text.find("\n", end, end + _AFTER)
    stop = min(len(text), end + _AFTER) if stop < 0 else stop
    if text[end:stop].rstrip().endswith(":") or not text[end:stop].strip():
        stop = min(len(text), stop + 80)
    for match in _TOKEN().finditer(text, start, stop):
        if match.start() < seen.get(0, 0):
            continue
        value = trim(match[0])
        if "@" in value and _ADDRESS().match(value):
            continue
        if not _clean(text, match.start()) or not any(map(str.isdigit, value)):
            continue
        if _secret(value, sure):
            spans.append((match.start(), match.start() + len(value), "cue"))
    if sure:
        for match in _WHOLE().finditer(text, end, stop):
            value = trim(match[1])
            if values.likely(value) and not values.code(value) and not values.placeholder(value):
                spans.append((match.start(1), match.start(1) + len(value), "prose-password"))
    for match in _USERPASS().finditer(text, end, stop):
        value = trim(match[1])
        if values.generated(value):
            spans.append((match.start(1), match.start(1) + len(value), "prose-password"))
    pair = _PAIR().search(text, end, stop)
    if pair and values.generated(pair[1]) and looks.transitions(pair[1]) >= 2 and " " not in pair[1]:
        spans.append((pair.start(1), pair.end(1), "prose-password"))


def _clean(text: str, at: int) -> bool:
    """Whether a token begins where a word would: not in the middle of an expression."""
    return at == 0 or text[at - 1] in " \t\n\"'`:=(\u201c\u2018,<>|/{["


def _secret(value: str, sure: bool) -> bool:
    if values.placeholder(value) or values.code(value):
        return False
    return values.strong(value) or (
        values.generated(value) and (looks.transitions(value) >= (3 if sure else 4))
    )


def _slash(text: str, begin: int, spans: "Spans") -> None:
    match = _SLASH().match(text, begin)
    if match is None:
        return
    value = trim(match[2])
    before = text[max(0, begin - 80) : match.end(1)].rsplit("\n", 1)[-1]
    if values.generated(value) and _USER().search(before):
        spans.append((match.start(2), match.start(2) + len(value), "prose-password"))


def trim(value: str) -> str:
    """``value`` without the punctuation of the sentence around it."""
    while (value and value[-1] in ".,;:)]}>$") or (
        value[-1:] in "!?*" and len(value) > 1 and value[-2].isalpha()
    ):
        value = value[:-1]
    return value
