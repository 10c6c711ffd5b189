"""Secrets in command lines: flags and positions by program, values piped into what reads a password."""

from capture.redact import tools, values
from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from capture.redact.engine import Spans, View

_WORD = Program("commands.word", r"[a-z][a-z0-9_.-]{1,24}")
_QUOTED = r"(?:\"(?:[^\"\\\n]|\\.){0,400}+\"|'[^'\n]{0,400}+')"
_ARG = Program(
    "commands.argument",
    r"[ \t]{0,8}(?:\\\r?\n[ \t]{0,40})?("
    + _QUOTED
    + r"|(?:\\[^\n]|[^\s\"'\\|;&<>()`]){1,400}+(?:(?<=[=:+])"
    + _QUOTED
    + r"|(?<=\s-\w)"
    + _QUOTED
    + r")?)",
)
_ECHO = Program(
    "commands.echo",
    r"(?:echo|printf|print|Write-Output)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}){0,2}(?:[\"']%s(?:\\n)?[\"'][ \t]{1,4})?("
    + _QUOTED
    + r"|[^\s\"'|;&<>]{3,200}+)[ \t]{0,4}\|[ \t]{0,4}([^\n]{1,200})",
)
_HERE = Program("commands.here", r"<<<[ \t]{0,3}(" + _QUOTED + r"|[^\s\"'|;&<>]{3,200}+)")
_READER = Program(
    "commands.reader",
    r"passw|sudo|\bsu\b|login|token|secret|chpasswd|passphrase|vault|gpg|kinit|cryptsetup|luks|stdin|auth|credential|\bkey|htpasswd|keychain|openssl|pass insert|smbpasswd|ftp|telnet|expect",
)
_MOST = 40


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secret arguments."""
    text, low = view.text, view.low
    for name in tools.NAMES & set(_WORD().findall(low)):
        at = low.find(name)
        while at >= 0:
            end = at + len(name)
            if low[end : end + 1] in (" ", "\t") and (
                at == 0 or not (low[at - 1].isalnum() or low[at - 1] in "_-.")
            ):
                _command(text, end, name, spans)
            at = low.find(name, end)
    if "|" in text:
        for match in _ECHO().finditer(text):
            _piped(match, match[2], spans)
    at = text.find("<<<")
    while at >= 0:
        here = _HERE().match(text, at)
        if here:
            _piped(here, text[max(0, at - 120) : at].rsplit("\n", 1)[-1], spans)
        at = text.find("<<<", at + 3)


def _command(text: str, at: int, name: str, spans: "Spans") -> None:
    """Read the arguments from ``at`` on and mark the secret ones of program ``name``."""
    arguments: list[tuple[int, int, str]] = []
    for _ in range(_MOST):
        match = _ARG().match(text, at)
        if match is None:
            break
        arguments.append((match.start(1), match.end(1), match[1]))
        at = match.end()
    for flag in tools.FLAGS.get(name, "").split():
        _flag(arguments, flag, spans)
    for words, index in tools.POSITIONS.get(name, ()):
        _position(arguments, words.split(), index, spans)


def _flag(arguments: list[tuple[int, int, str]], flag: str, spans: "Spans") -> None:
    how = flag[-1] if flag[-1] in "+:%^," else ""
    flag = flag[: len(flag) - len(how)]
    short = len(flag) == 2 and flag[0] == "-"
    for at, (start, end, word) in enumerate(arguments):
        if word == flag or (
            short
            and how != "+"
            and len(word) <= 6
            and word[:1] == "-"
            and word[1:].isalpha()
            and word[-1] == flag[1]
        ):
            if at + 1 < len(arguments) and not (
                flag == "-p" and how == "+" and len(arguments) == at + 2 and _is_plain(arguments[at + 1][2])
            ):
                _value(arguments[at + 1], how, 0, spans)
        elif word.startswith(flag) and len(word) > len(flag):
            after = word[len(flag)]
            if after in "=:" and (not short or flag[0] == "/" or after == "="):
                _value((start, end, word), how, len(flag) + 1, spans)
            elif short and (how == "+" or how in (":", "%")):
                _value((start, end, word), how, len(flag), spans)


def _is_plain(word: str) -> bool:
    return values.identifier(word) or values.path(word) or ":" in word


def _value(argument: tuple[int, int, str], how: str, skip: int, spans: "Spans") -> None:
    start, end, word = argument
    start, value = start + skip, word[skip:]
    start, end, value = _unquote(start, end, value)
    if how in (":", "%", ",") and how:
        user, found, value = value.partition(how)
        if not found:
            return
        start += len(user) + 1
    if how == "^":
        if not value.startswith("pass:"):
            return
        start, value = start + 5, value[5:]
    if len(value) >= 3 and value[0] != "-" and not values.placeholder(value):
        spans.append((start, end, "curl-user" if how == ":" else "tool-password"))


def _unquote(start: int, end: int, value: str) -> tuple[int, int, str]:
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        return start + 1, end - 1, value[1:-1]
    return start, end, value


def _position(arguments: list[tuple[int, int, str]], words: list[str], index: int, spans: "Spans") -> None:
    plain = [arg for arg in arguments if arg[2][0] != "-" or arg[2] in words]
    at = 0
    for word in words:
        while at < len(plain) and not (plain[at][2] == word or plain[at][2].startswith(word + ".")):
            at += 1
        at += 1
    rest = plain[at:]
    if not (-len(rest) <= index < len(rest)) or (index < 0 and len(rest) < 2 and not words):
        return
    start, end, value = _unquote(*rest[index])
    if len(value) >= 6 and _positional(value):
        spans.append((start, end, "positional"))


def _positional(value: str) -> bool:
    if (
        values.placeholder(value)
        or values.has_scheme(value)
        or values.plain_data(value)
        or values.wordy(value)
        or values.code(value)
    ):
        return False
    return (
        not values.path(value)
        and not values.identifier(value)
        and (any(map(str.isdigit, value)) or values.gibberish(value))
    )


def _piped(match: "re.Match[str]", reader: str, spans: "Spans") -> None:
    start, end, value = _unquote(match.start(1), match.end(1), match[1])
    known = _READER().search(reader) is not None
    if "chpasswd" in reader and ":" in value:
        user = value.partition(":")[0]
        start, value = start + len(user) + 1, value[len(user) + 1 :]
    if len(value) < 4 or values.placeholder(value) or values.has_scheme(value):
        return
    if (known and not values.wordy(value)) or (values.generated(value) and values.mixed(value)):
        spans.append((start, end, "piped-password"))
