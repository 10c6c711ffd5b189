"""Secrets in command lines by program: flags whose value is one, and arguments at a known place."""

from capture.redact import cues, looks, told, tools, values
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_WORD = Program("commands.word", r"[a-z0-9][a-z0-9_.-]{1,24}")
QUOTED = r"(?:\"(?:[^\"\\\n]|\\.){0,400}+\"|'[^'\n]{0,400}+')"
_ARG = Program(
    "commands.argument",
    r"[ \t]{0,8}(?:\\\r?\n[ \t]{0,40})?("
    + QUOTED
    + r"|(?:\\[^\n]|[^\s\"'\\|;&<>()`]){1,400}+(?:(?<=[=:+])"
    + QUOTED
    + r"|(?<=\s-\w)"
    + QUOTED
    + r")?)",
)
_SECRET_KEY = Program("commands.secret-key", r"auth|token|pass|secret|key|cred|basic|bearer|pin", IGNORECASE)
_SETTERS = ("set", "config")
_BATCH = ("htpasswd", "mosquitto_passwd")
_CODES = ("--token-code", "--totp", "--otp", "--mfa-code")
_SAYING = ("nmcli", "wpa_passphrase")
_ONLY = {"docker": "login", "podman": "login", "nerdctl": "login", "gh": "secret"}
_MOST = 40


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secret arguments."""
    text, low = view.text, view.low
    for name in cues.programs(_WORD().findall(low)):
        at = low.find(name)
        while at >= 0:
            end = at + len(name)
            if low[end : end + 1] in (" ", "\t") and (
                at == 0 or not (low[at - 1].isalnum() or low[at - 1] in "_-.")
            ):
                end = max(end, _command(text, end, name, spans))
            at = low.find(name, end)


def _command(text: str, at: int, name: str, spans: "Spans") -> int:
    """Read the arguments from ``at`` on and mark the secret ones of program ``name``."""
    arguments: list[tuple[int, int, str]] = []
    for _ in range(_MOST):
        match = _ARG().match(text, at)
        if match is None:
            break
        arguments.append((match.start(1), match.end(1), match[1]))
        at = match.end()
    label = "mysql-password" if name.startswith(("mysql", "maria")) else "tool-password"
    only = _ONLY.get(name)
    for flag in tools.flags(name) if only is None or any(word == only for _, _, word in arguments) else ():
        _flag(arguments, flag, "token" if flag in _CODES else label, spans)
    batch = name in _SAYING or (
        name in _BATCH and any(word[0] == "-" and "b" in word for _, _, word in arguments)
    )
    for words, index in tools.positions(name):
        _position(arguments, words, index, batch, spans)
    return at


def _flag(arguments: list[tuple[int, int, str]], flag: str, label: str, spans: "Spans") -> None:
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
                _value(arguments[at + 1], how, 0, label, spans)
        elif word.startswith(flag) and len(word) > len(flag):
            after = word[len(flag)]
            if after in "=:" and (not short or flag[0] == "/" or after == "="):
                _value((start, end, word), how, len(flag) + 1, label, spans)
            elif short and (how == "+" or how in (":", "%")):
                _value((start, end, word), how, len(flag), label, spans)


def _is_plain(word: str) -> bool:
    return looks.identifier(word) or looks.path(word) or ":" in word


def _value(argument: tuple[int, int, str], how: str, skip: int, label: str, spans: "Spans") -> None:
    start, end, word = argument
    start, value = start + skip, word[skip:]
    start, end, value = unquote(start, end, value)
    if how in (":", "%", ",") and how:
        user, found, rest = value.partition(how)
        if not found:
            if values.strong(value):
                spans.append((start, end, "tool-password"))
            return
        value = rest
        start += len(user) + 1
    if how == "^":
        if not value.startswith("pass:"):
            return
        start, value = start + 5, value[5:]
    number = value.isdigit() and len(value) >= 6 and "token" in label
    if len(value) >= 3 and value[0] != "-" and (number or not values.placeholder(value)):
        spans.append((start, end, "curl-user" if how == ":" else label))


def unquote(start: int, end: int, value: str) -> tuple[int, int, str]:
    """The argument without the quotes around it, as (start, end, value)."""
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        return start + 1, end - 1, value[1:-1]
    return start, end, value


def _position(
    arguments: list[tuple[int, int, str]], words: list[str], index: int, batch: bool, spans: "Spans"
) -> None:
    """Mark the argument at ``index`` behind ``words``; in a ``batch`` run it may be a word alone."""
    plain = [arg for arg in arguments if arg[2][0] != "-" or arg[2] in words]
    at = 0
    for word in words:
        while at < len(plain) and not (plain[at][2].lower() == word or plain[at][2].startswith(word + ".")):
            at += 1
        at += 1
    rest = plain[at:]
    if not (-len(rest) <= index < len(rest)) or (index < 0 and len(rest) < 2 and not words):
        return
    start, end, value = unquote(*rest[index])
    before = " ".join(arg[2] for arg in arguments if arg[0] < start)
    if (
        words
        and words[0] in _SETTERS
        and words[-1] in _SETTERS
        and not _SECRET_KEY().search(before)
        and not values.strong(value)
    ):
        return
    if len(value) >= 6 and (
        _positional(value) or (batch and (told.lone(value) or (" " in value and told.words(value))))
    ):
        spans.append((start, end, "positional"))


def _positional(value: str) -> bool:
    if (
        values.placeholder(value)
        or values.has_scheme(value)
        or values.plain_data(value)
        or looks.wordy(value)
        or values.code(value)
    ):
        return False
    return told.personal(value) or (
        not looks.path(value)
        and not looks.identifier(value)
        and (any(map(str.isdigit, value)) or looks.gibberish(value))
    )
