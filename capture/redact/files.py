"""Lines of credential files: netrc, pgpass, passwd, Wi-Fi codes, seed phrases."""

from capture.redact import looks, told, values
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
_ACL = Program(
    "files.acl",
    r"(?:user|setuser)[ \t]{1,4}[\w.@-]{1,40}[ \t]{1,4}[^\n>]{0,80}(?<=[ \t])>([^\s\"']{4,200})",
    IGNORECASE,
)
_NTLM = Program("files.ntlm", r":([0-9a-f]{32}):([0-9a-f]{32})(?=:|\s|$)", IGNORECASE)
_WLAN = Program(
    "files.wlan",
    r"(?:wi-?fi|wlan|ssid)[^\n]{0,60}?\b(?:key|psk|pass|pw)[ \t]{0,3}[:=][ \t]{0,3}[\"']?([^\s\"';,]{8,63})",
    IGNORECASE,
)
_NETSH = Program("files.netsh", r"[Kk]ey [Cc]ontent[ \t]{1,20}:[ \t]{1,4}(\S{4,63})")
_PLAIN = Program("files.plain", r"\{(?:PLAIN|CLEARTEXT|CLEAR|PLAINTEXT)\}([^\s\"']{4,80})", IGNORECASE)
_LIST = Program(
    "files.list", r"^[ \t]{0,20}(?:- )?[\"']?[\w.-]{1,32}:([^\s:\"']{6,80})[\"']?[ \t]{0,4}$", MULTILINE
)
_CODES = Program(
    "files.codes",
    r"(?:recovery|backup|scratch|rescue|emergency)[ _-]codes?"
    r"(?:[ \t](?:for|of)[^\n:]{1,30})?(?:[ \t](?:are|is)\b|[ \t]{0,2}[:=]|(?=[ \t]{0,4}\n))"
    r"((?:[\s,;]{1,4}(?:[0-9]{1,2}[.)][ \t])?"
    r"(?:[-*][ \t])?(?=[a-z-]{0,20}[0-9])[0-9a-z]{4,16}(?:-[0-9a-z]{4,10}){0,3}(?![\w(=])){1,20})",
    IGNORECASE,
)
_CODE = Program(
    "files.code", r"(?<![\w.)-])(?=[a-z-]{0,20}[0-9])[0-9a-z]{4,16}(?:-[0-9a-z]{4,10}){0,3}", IGNORECASE
)
_WORD = r"[\"']?(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}[\"']?"
_SEED = Program(
    "files.seed",
    r"(?:(?:mnemonic|(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words?|mnemonic|seed|key))"
    r"(?:[ _-]?(?:phrase|words?))?(?:[ \t](?:for|of|to)[\w ]{0,30})?[\"'`]?[ \t]{0,4}(?:is\b|are\b|[:=,])?"
    r"|(?:seed|recovery|wallet|(?:12|15|18|21|24)[ -]words?)[\"'`]?[ \t]{0,4}(?:is\b|are\b|[:=]))"
    r"[ \t\n]{0,4}[\"'`\[]{0,2}"
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
    ("wallet", _SEED, "seed-phrase"),
    ("backup phrase", _SEED, "seed-phrase"),
    ("12 words", _SEED, "seed-phrase"),
    ("24 words", _SEED, "seed-phrase"),
    ("{plain", _PLAIN, "credentials-file"),
    ("{clear", _PLAIN, "credentials-file"),
    ("user ", _ACL, "credentials-file"),
    ("key content", _NETSH, "credentials-file"),
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
    if "code" in low:
        for block in _CODES().finditer(text):
            spans.extend((*code.span(), "recovery-code") for code in _CODE().finditer(text, *block.span(1)))
    if "chpasswd" in low:
        for match in _LIST().finditer(text):
            if values.likely(match[1]) or told.personal(match[1]):
                spans.append((*match.span(1), "credentials-file"))
    if "ssid" in low or "wifi" in low or "wi-fi" in low or "wlan" in low:
        for match in _WLAN().finditer(text):
            if values.likely(match[1]) or told.personal(match[1]) or told.lone(match[1]):
                spans.append((*match.span(1), "credentials-file"))
    if "ftp" in low:
        for match in _FTP().finditer(text):
            if values.likely(match[1]) or told.personal(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
    if view.colons():
        for match in _PGPASS().finditer(text):
            if not values.placeholder(match[1]) and not looks.path(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
        for match in _NTLM().finditer(text):
            spans.extend((*match.span(group), "password-hash") for group in (1, 2))
        for match in _PASSWD().finditer(text):
            if values.generated(match[1]):
                spans.append((match.start(1), match.end(1), "credentials-file"))
