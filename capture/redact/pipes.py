"""Secrets handed to a program in other ways: piped, here-strings, typed by expect, ``user/password``, ``--value``."""

from capture.redact import cues, looks, told, values
from capture.redact.commands import QUOTED, unquote
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from capture.redact.finders import Spans
    from capture.redact.view import View

_WORD = r"[^\s\"'|;&<>()]{3,200}+"
_ECHO = Program(
    "pipes.echo",
    r"(?:echo|printf|print|Write-Output|Write-Host)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}){0,2}"
    r"(?:[\"']?%s(?:\\n)?[\"']?[ \t]{1,4})?("
    + QUOTED
    + "|"
    + _WORD
    + r")(?:[ \t]{0,4}\|[ \t]{0,4}([^\n]{1,200})|[ \t]{0,2}\))",
)
_PLAIN = Program("pipes.plain", r"[\"']([^\s\"']{4,120})[\"'][ \t]{0,4}\|[ \t]{0,4}([^\n]{1,200})")
_HERE = Program("pipes.here", r"<<<[ \t]{0,3}(" + QUOTED + r"|[^\s\"'|;&<>]{3,200}+)")
_READER = Program(
    "pipes.reader",
    r"pass|sudo|\bsu\b|login|token|secret|passphrase|vault|gpg|kinit|cryptsetup|luks|stdin|auth|credential"
    r"|\bkey|keychain|openssl|pass insert|ftp|telnet|expect|SecureString",
    IGNORECASE,
)
_ASKING = Program(
    "pipes.asking",
    r"sudo[^\n|]{0,40} -\w{0,4}S|stdin|passwd|chpasswd|passphrase|cryptsetup|luks|\bsu\b|kinit",
    IGNORECASE,
)
# A flag that takes a file of a password, given what a command prints.
_FILED = Program(
    "pipes.filed",
    r"(?:sshpass[^\n|;]{0,20} -f|-p|--?[a-z-]{0,20}pass(?:word|phrase)?(?:-file)?)[ =]<\($",
    IGNORECASE,
)
_SEND = Program(
    "pipes.send",
    r"send(?:_user|line)?(?:\(|[ \t]{1,3})(?:-- )?\\{0,2}[\"']([^\"'\n\\]{6,120})(?:\\{1,4}[rn])?\\{0,2}[\"']",
)
_ORACLE = Program(
    "pipes.oracle",
    r"\w{2,8}[ \t]{1,4}(?:-\w{1,8}[ \t]{1,4}|target[ \t]{1,4}){0,3}"
    r"[\"']?[\w$#.]{1,30}/\\{0,2}\"?([^\s@\"'/]{4,60})(?=[@\"'\s]|$)",
)
_VALUE = Program(
    "pipes.value",
    (
        r"--(?:[a-z]{1,12}-)?(?:value|string|body|data|content|literal"
        r"|plaintext|input|text|payload)(?:-\w{1,12})?(?:[= ]|[ \t]{1,4})("
    )
    + QUOTED
    + r"|[^\s\"'|;&<>()]{6,200}+)",
)
_SED = Program(
    "pipes.sed", r"\bs([/|#,~])[^/|#,~\n]{1,80}\1([^\s/|#,~\"'&\\]{6,120})\1[gi]{0,2}(?=[\"'\s;]|$)"
)
_LOGIN = Program(
    "pipes.login", r"(?:^|[ \t])(?:-u|-U|-l|--?user(?:name|id)?|/u(?:ser)?|-n|--login|--account)[ :=]"
)
_PASS = Program(
    "pipes.pass",
    r"(?:-p|-P|-w|-W|-pw|-pass|/p|/pass|--pass|--pwd|--pw|-k|-s)(?:[ \t]{1,3}|[:=])("
    + QUOTED
    + r"|[^\s\"'|;&<>()]{6,120}+)",
)
_SECURE = Program(
    "pipes.secure",
    r"ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?[\"']?([^\s\"')]{6,120})",
    IGNORECASE,
)
_DEVICE = Program(
    "pipes.device",
    r"(?:radius|tacacs|isakmp|ospf|standby|vrrp|bgp|eigrp|neighbor|key-string|pre-shared|ppp|chap|ntp)[^\n]{0,60}?"
    r"[ \t](?:key|md5|authentication|password|secret|key-string|ascii-text)(?:[ \t]\d{1,3})?"
    r"[ \t]{1,3}\"?([^\s\"]{6,80})",
    IGNORECASE,
)
_CUE = Program(
    "pipes.cue",
    r"secret|passw|pwd|credential|token|SecureString|keyvault|vault|auth|api.?key|login",
    IGNORECASE,
)

_ASKED = 60


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secrets that a command line hands over beside its flags."""
    text, low = view.text, view.low
    if "|" in text or "<(" in text:
        for word in ("echo ", "printf ", "print ", "Write-"):
            at = text.find(word)
            while at >= 0:
                match = _ECHO().match(text, at)
                if match:
                    _piped(match, match[2] or _line(text, at), spans)
                at = text.find(word, at + 5)
        if "' |" in text or '" |' in text:
            for match in _PLAIN().finditer(text):
                _piped(match, match[2], spans)
    at = text.find("<<<")
    while at >= 0:
        here = _HERE().match(text, at)
        if here:
            _piped(here, _line(text, at), spans)
        at = text.find("<<<", at + 3)
    if "send" in low and ("expect" in low or "spawn" in low):
        for match in _SEND().finditer(text):
            asked = "assw" in text[max(0, match.start() - _ASKED) : match.start()] and (
                told.named(match[1]) or told.personal(match[1])
            )
            if asked:
                spans.append((match.start(1), match.end(1), "piped-password"))
            else:
                _add(match, "piped-password", spans, not looks.identifier(match[1]))
    if "/" in text:
        for word in cues.ORACLES:
            at = low.find(word)
            while at >= 0:
                match = _ORACLE().match(text, at)
                if match:
                    if told.lone(match[1]) or told.personal(match[1]):
                        spans.append((match.start(1), match.end(1), "positional"))
                    else:
                        _add(match, "positional", spans, values.generated(match[1]))
                at = low.find(word, at + len(word))
    if "converttosecure" in low.replace("-", ""):
        for match in _SECURE().finditer(text):
            _add(match, "tool-password", spans, values.likely(match[1]) or told.personal(match[1]))
    if "sed " in low:
        for match in _SED().finditer(text):
            line = _line(text, match.start()) + text[match.start() : match.end() + _ASKED].split("\n", 1)[0]
            if _CUE().search(line) and (values.likely(match[2]) or told.personal(match[2])):
                spans.append((*match.span(2), "cli-flag"))
    for word in cues.DEVICES:
        at = low.find(word)
        if at >= 0:
            for match in _DEVICE().finditer(text, at):
                _add(match, "tool-password", spans, values.likely(match[1]) or told.personal(match[1]))
            break
    for sign in (" -", " /"):
        at = text.find(sign)
        while at >= 0:
            _flag(text, at, spans)
            at = text.find(sign, at + 2)


def _line(text: str, at: int) -> str:
    return text[max(0, at - 160) : at].rsplit("\n", 1)[-1]


def _flag(text: str, at: int, spans: "Spans") -> None:
    match = _PASS().match(text, at + 1)
    if match:
        line = _line(text, match.start()) + text[match.end() : match.end() + 120].split("\n", 1)[0]
        alone = not _LOGIN().search(line)
        _quoted(match, "tool-password", spans, alone)
        return
    match = _VALUE().match(text, at + 1)
    if match and _CUE().search(_line(text, at) + match[0]):
        _quoted(match, "cli-flag", spans)


def _quoted(match: "re.Match[str]", name: str, spans: "Spans", alone: bool = False) -> None:
    start, end, value = unquote(match.start(1), match.end(1), match[1])
    if alone and not (values.generated(value) and looks.mixed(value)):
        return  # without a user beside it, -p is more often a port or a path
    if values.likely(value) or values.strong(value) or (not alone and told.personal(value)):
        spans.append((start, end, name))


def _add(match: "re.Match[str]", name: str, spans: "Spans", sure: bool) -> None:
    value = match[1]
    if sure and not values.placeholder(value) and not looks.wordy(value) and not looks.path(value):
        spans.append((match.start(1), match.end(1), name))


def _piped(match: "re.Match[str]", reader: str, spans: "Spans") -> None:
    start, end, value = unquote(match.start(1), match.end(1), match[1])
    known = _READER().search(reader) is not None
    if ("chpasswd" in reader or values.generated(value.partition(":")[2])) and ":" in value:
        user = value.partition(":")[0]
        start, value = start + len(user) + 1, value[len(user) + 1 :]
    value = value.split("\\n", 1)[0]
    if len(value) < 4 or values.placeholder(value) or values.has_scheme(value) or looks.path(value):
        return
    asked = known and _ASKING().search(reader) is not None and (told.lone(value) or told.personal(value))
    asked = asked or (reader.endswith("<(") and _FILED().search(reader) is not None and told.lone(value))
    if asked or (known and not looks.wordy(value)) or (values.generated(value) and looks.mixed(value)):
        spans.append((start, end, "piped-password"))
