"""Lines of credential files: netrc, pgpass, passwd, Wi-Fi codes, seed phrases."""

from capture.redact import looks, values
from capture.redact.programs import IGNORECASE, MULTILINE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_PGPASS = Program(
    "files.pgpass",
    r"^[^:\s#]{1,80}:(?:[0-9]{2,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:((?:[^\s:\\]|\\[:\\]){4,120})$",
    MULTILINE,
)
_PASSWD = Program("files.passwd", r"^[\w.@-]{1,40}:([^\s:]{8,120}):[0-9]{1,6}:[0-9]{1,6}:", MULTILINE)
_NETRC = Program(
    "files.netrc",
    r"login[ \t\r\n]{1,8}\S{1,80}[ \t\r\n]{1,8}password[ \t]{1,8}[\"']?([^\s\"']{3,120})",
    IGNORECASE,
)
_WIFI = Program("files.wifi", r"WIFI:(?:[TSHE]:[^;]{0,64};){0,4}P:((?:[^;\\]|\\.){4,80});")
_WORD = r"[\"']?(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}[\"']?"
_SEED = Program(
    "files.seed",
    r"(?:mnemonic|seed|recovery|backup|secret)(?:[ _-]?(?:phrase|words?|mnemonic|seed|key))?[\w ]{0,30}[\"'`]?"
    r"[ \t]{0,4}(?:is|[:=,])?[ \t\n]{0,4}[\"'`\[]{0,2}"
    r"((?:" + _WORD + r"(?:,[ \t]{0,2}|[ \t]{1,2}|\n[ \t]{0,4})){11,23}" + _WORD + r")",
    IGNORECASE,
)
_FTP = Program(
    "files.ftp", r"user[ \t]{1,4}[\w.@\\-]{1,40}[ \t]{1,4}([^\s\"']{6,80})[ \t]{0,4}(?=\r?\n|$)", IGNORECASE
)
_KINDS = (
    ("login", _NETRC, "credentials-file"),
    ("wifi:", _WIFI, "credentials-file"),
    ("mnemonic", _SEED, "seed-phrase"),
    ("seed", _SEED, "seed-phrase"),
    ("recovery", _SEED, "seed-phrase"),
)


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secrets in lines of credential files."""
    text, low = view.text, view.low
    for hint, pattern, name in _KINDS:
        at = low.find(hint)
        while at >= 0:
            match = pattern().match(text, at)
            if match and not values.placeholder(match[1]):
                spans.append((match.start(1), match.end(1), name))
            at = low.find(hint, at + len(hint))
    if "ftp" in low:
        for match in _FTP().finditer(text):
            if values.likely(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
    if view.colons():
        for match in _PGPASS().finditer(text):
            if not values.placeholder(match[1]) and not looks.path(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
        for match in _PASSWD().finditer(text):
            if values.generated(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
