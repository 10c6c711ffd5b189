"""Secrets told in sentences, comments and small file formats."""

from capture.redact import values
from capture.redact.programs import IGNORECASE, MULTILINE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.engine import Spans, View

_TOLD = Program(
    "prose.told",
    r"s?(?:[ \t]{1,3}\([^)\n]{1,40}\))?(?:[ \t]{1,3}(?:for|of|to|on|in|at|from|there|here|he|she|they|I|we|you|it|gave|sent|got|me|us|the|this|that|our|your|staging|prod|production|new|old|db|database|server|box|account|user|[\w.@-]{2,24})){0,7}?"
    r"[ \t]{0,3}(?:is|was|are|were|be|became|=|:|->|to|into|as|with|used|use|try|gave|equals|remains|-)?(?:[ \t]{1,3}(?:now|still|currently|simply|just|set|changed|to|reset|be|called|equal))?"
    r"[ \t]{0,3}(?:=|:|,|->|\u2192|\u2014|-)?[ \t\n]{0,3}([\"'`\u2018\u201c(<*]{0,2})([^\s\"'`\u2019\u201d<>]{6,120})",
    IGNORECASE,
)
_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "token",
    "api key",
    "secret",
    "credential",
    "creds",
    " pw",
    "access key",
    "kennwort",
    "passwort",
    "mot de passe",
    "contraseña",
)
_SLASH = Program("prose.slash", r"([\w.@+-]{2,60})[ \t]{1,2}[/|][ \t]{1,2}[\"'`]?([^\s\"'`]{6,80})")
_CUE = Program(
    "prose.cue",
    r"log[ -]?in|sign[ -]?in|cred|user|admin|root|account|pass|access|auth|connect|# ?[\w.@+-]{2,60}$",
    IGNORECASE,
)
_WITH = Program(
    "prose.with",
    r"(?:log[ -]?in|sign[ -]?in|authenticate|connect|auth)[^\n]{0,60}?[ \t](?:with|as|using|via)[ \t][^\n]{0,60}?([\w.@+-]{2,60})[ \t]?[/:|][ \t]?[\"'`]?([^\s\"'`]{6,80})",
    IGNORECASE,
)
_PGPASS = Program(
    "prose.pgpass",
    r"^[^:\s#]{1,80}:(?:\d{2,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:((?:[^\s:\\]|\\[:\\]){4,120})$",
    MULTILINE,
)
_NETRC = Program(
    "prose.netrc",
    r"login[ \t\r\n]{1,8}\S{1,80}[ \t\r\n]{1,8}password[ \t]{1,8}[\"']?([^\s\"']{3,120})",
    IGNORECASE,
)
_WIFI = Program("prose.wifi", r"WIFI:(?:[TSHE]:[^;]{0,64};){0,4}P:((?:[^;\\]|\\.){4,80});")
_SEED = Program(
    "prose.seed",
    r"(?:mnemonic|seed|recovery|backup|secret)(?:[ _-]?(?:phrase|words?|mnemonic|seed|key))?[\w ]{0,30}[\"'`]?[ \t]{0,4}(?:is|[:=,])?[ \t\n]{0,4}[\"'`\[]{0,2}((?:[\"']?(?:\d{1,2}[.)] ?)?[a-z]{3,8}[\"']?(?:,[ \t]{0,2}|[ \t]{1,2}|\n[ \t]{0,4})){11,23}[\"']?(?:\d{1,2}[.)] ?)?[a-z]{3,8})",
    IGNORECASE,
)


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secrets that prose or a line of a credentials file gives away."""
    text, low = view.text, view.low
    for word in _WORDS:
        at = low.find(word)
        while at >= 0:
            match = _TOLD().match(text, at + len(word))
            if match:
                _told(word, match[2], match.start(2), spans)
            at = low.find(word, at + len(word))
    for sign in (" / ", " | "):
        at = text.find(sign)
        while at >= 0:
            begin = max(text.rfind(" ", max(0, at - 60), at), text.rfind("\n", max(0, at - 60), at)) + 1
            _pair(text, begin, spans)
            at = text.find(sign, at + 3)
    if "with" in low or "using" in low or " as " in low:
        for match in _WITH().finditer(text):
            value, start = _trim(match[2]), match.start(2)
            if values.generated(value):
                spans.append((start, start + len(value), "prose-password"))
    _files(text, low, spans)


def _files(text: str, low: str, spans: "Spans") -> None:
    for hint, pattern, name in (
        ("login", _NETRC, "credentials-file"),
        ("wifi:", _WIFI, "credentials-file"),
        ("mnemonic", _SEED, "seed-phrase"),
        ("seed", _SEED, "seed-phrase"),
        ("recovery", _SEED, "seed-phrase"),
    ):
        if hint in low:
            for match in pattern().finditer(text):
                if not values.placeholder(match[1]):
                    spans.append((match.start(1), match.end(1), name))
    if text.count(":") >= 4:
        for match in _PGPASS().finditer(text):
            if not values.placeholder(match[1]) and not values.path(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))


def _trim(value: str) -> str:
    while value and value[-1] in ".,;:)]}>!?*" and (len(value) < 2 or value[-2] not in "!?*#"):
        value = value[:-1]
    return value


def _told(word: str, value: str, start: int, spans: "Spans") -> None:
    value = _trim(value)
    if (
        values.placeholder(value)
        or values.code(value)
        or values.path(value)
        or values.has_scheme(value)
        or values.plain_data(value)
    ):
        return
    strict = word in ("token", "secret", "credential", "creds", "access key", "api key")
    if values.strong(value) or (values.generated(value) and (values.mixed(value) or not strict)):
        spans.append((start, start + len(value), "prose-password"))


def _pair(text: str, begin: int, spans: "Spans") -> None:
    match = _SLASH().match(text, begin)
    if match is None:
        return
    value = _trim(match[2])
    before = text[max(0, begin - 80) : match.end(1)].rsplit("\n", 1)[-1]
    if values.generated(value) and _CUE().search(before):
        spans.append((match.start(2), match.start(2) + len(value), "prose-password"))
