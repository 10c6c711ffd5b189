"""A shell command's shape: programs, sub-commands, flag names and paths. Every value becomes ``_``."""

from __future__ import annotations

from capture.naming import UPPER, pathlike, wordlike
from capture.shell import Word, tokens
from capture.words import (
    FLAGS,
    KEYWORDS,
    OPAQUE_KEYWORDS,
    PROGRAMS,
    SHELLS,
    STOPPERS,
    WORDS,
    WRAPPERS,
    listed,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READ = 4096
LONGEST = 512
MOST_COMMANDS = 20
MOST_WORDS = 3
MOST_DEPTH = 2
HARMLESS = FLAGS + "-q -v -r -R -f -l -E -y -g -A -L "
VALUE_FLAGS = " -p -P -u -U -a -w -k -b -s -S -x -X -H -d -e -t -i -n -m -c -D -F -pw -N "
ASSIGNERS = " export env set declare local readonly typeset setx "
SPEAKERS = " echo printf "
SECRET_PARTS = (
    "pass",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "user",
    "sig",
    "cert",
    "pin",
    "seed",
    "data",
)


def shape(command: str, keep: Callable[[str], bool] | None = None) -> str:
    """Return the shape of ``command``, at most ``LONGEST`` characters, such as ``git commit -m _ | tail -n _``.

    ``keep`` says of a path whether it may be shown. Only what is on a list of words, or reads as a path made
    of plain names, is shown; the rest of the text never is, whatever it looks like.
    """
    return _shape(command, keep or _any, 0)


def _any(_path: str) -> bool:
    return True


def _shape(command: str, keep: Callable[[str], bool], depth: int) -> str:
    cut = len(command) > READ
    shown: list[str] = []
    simple: list[Word | str] = []
    commands = 0
    for token in [*tokens(command[:READ], whole=not cut), ";"]:
        if isinstance(token, Word) or token in (">", "<", "<<<"):
            simple.append(token)
            continue
        part = _simple(simple, keep, depth)
        simple = []
        if part:
            commands += 1
            if commands > MOST_COMMANDS:
                cut = True
                break
            shown.append(part)
        if token not in ("(", ")") and shown and shown[-1] not in _JOINTS:
            shown.append(token if token in _JOINTS else ";")
    while shown and shown[-1] == ";":
        shown.pop()
    text = " ".join(shown).replace(" ;", ";")
    if len(text) > LONGEST - 2:
        text, cut = text[: LONGEST - 2].rpartition(" ")[0], True
    return text + " …" if cut else text


_JOINTS = ("|", "||", "&&", ";", "&", "|&")


class _State:
    """What is known of the simple command so far.

    ``taken`` sub-command words were shown; ``stopped`` says that no more are, ``valued`` that every further
    word is a value (``vault login``), ``after_flag`` which flag the last word was.
    """

    __slots__ = ("after_flag", "program", "stopped", "taken", "valued", "wrapped")

    def __init__(self) -> None:
        self.program = ""
        self.wrapped = False
        self.taken = 0
        self.stopped = False
        self.valued = False
        self.after_flag = ""


def _simple(words: list[Word | str], keep: Callable[[str], bool], depth: int) -> str:
    state = _State()
    shown: list[str] = []
    at = 0
    while at < len(words):
        token = words[at]
        at += 1
        if isinstance(token, str):
            target = words[at] if at < len(words) else None
            at += 1
            shown.append(_redirect(token, target, keep))
            continue
        if not state.program or state.wrapped:
            piece = _program(token, state)
        elif listed(state.program, SHELLS) and _script(state, token):
            inner = _shape(token.text, keep, depth + 1) if depth < MOST_DEPTH and token.quoted else "_"
            piece = f"({inner or '_'})"
            state.stopped = True
        else:
            piece = _argument(token, state, keep)
        if piece and not (piece == "_" and shown and shown[-1] == "_"):
            shown.append(piece)
    return " ".join(shown)


def _script(state: _State, word: Word) -> bool:
    if state.stopped:
        return False
    if state.program == "eval":
        return True
    return state.after_flag in ("-c", "-lc", "-ic", "-ec", "-xc") and not word.text.startswith("-")


def _redirect(operator: str, target: Word | str | None, keep: Callable[[str], bool]) -> str:
    if operator == "<<<" or not isinstance(target, Word):
        return f"{operator} _"
    shown = target.literal and pathlike(target.text) and keep(target.text)
    return f"{operator} {target.text if shown else '_'}"


def _program(word: Word, state: _State) -> str:
    """The word where a program's name is expected, or a wrapper's own arguments before that."""
    text = word.text
    if not word.literal or not text:
        assigned = _assignment(text)
        if assigned:
            return assigned
        state.program = state.program or "?"
        return "_"
    if not word.quoted and not state.program:
        if listed(text, KEYWORDS):
            return ""
        if listed(text, OPAQUE_KEYWORDS) or text == "[[":
            state.program, state.stopped = text, True
            return text
    assigned = _assignment(text)
    if assigned:
        return assigned
    if state.wrapped and text.startswith("-"):
        return _flag(text, state)
    base = text.rpartition("/")[2]
    if listed(base, WRAPPERS):
        state.program, state.wrapped, state.after_flag = base, True, ""
        return base
    if listed(base, PROGRAMS):
        state.program, state.wrapped, state.after_flag = base, False, ""
        return base
    if state.wrapped:
        return "_"
    state.program = "?"
    if "/" in text and pathlike(text):
        return text
    return text if _plain_program(text) else "_"


def _plain_program(text: str) -> bool:
    pieces = text.split("-")
    plain = len(text) <= 15 and text == text.lower() and not any(sign.isdigit() for sign in text)
    return plain and all(len(piece) > 1 and wordlike(piece) for piece in pieces) and not text.isspace()


def _assignment(text: str) -> str:
    head, equals, _ = text.partition("=")
    if not equals or not head or len(head) > 40:
        return ""
    capitals = head[0] in UPPER and head == head.upper() and head.replace("_", "").isalnum()
    pieces = [piece for piece in head.split("_") if piece]
    plain = capitals and bool(pieces) and all(wordlike(piece) for piece in pieces)
    return f"{head}=_" if plain else "_=_"


def _argument(word: Word, state: _State, keep: Callable[[str], bool]) -> str:
    text, after = word.text, state.after_flag
    state.after_flag = ""
    if text.startswith("-") and len(text) > 1 and not word.quoted:
        return _flag(text, state)
    if "=" in text:
        state.stopped = True
        return _assignment(text) if listed(state.program, ASSIGNERS) else "_"
    if not word.literal or not text or state.valued:
        state.stopped = True
        return "_"
    if after == "-m" and state.program.startswith("python"):
        return text if listed(text, PROGRAMS) else "_"
    open_to_words = not after and not state.stopped and not word.quoted and state.taken < MOST_WORDS
    if open_to_words and not listed(state.program, SPEAKERS) and _subcommand(text):
        state.taken += 1
        state.valued = listed(text, STOPPERS)
        return text
    path = text.partition("::")[0]
    if not _secretive(after) and pathlike(path, bare=not after or listed(after, HARMLESS)) and keep(path):
        return path
    state.stopped = state.stopped or not after
    return "_"


def _subcommand(text: str) -> bool:
    if any(listed(text, words) for words in (WORDS, STOPPERS, PROGRAMS)):
        return True
    pieces = text.replace(":", "-").replace("_", "-").split("-")
    return len(pieces) > 1 and len(text) <= 30 and all(listed(piece, WORDS) for piece in pieces)


def _flag(text: str, state: _State) -> str:
    flag, equals, _ = text.partition("=")
    state.after_flag = "" if equals else flag
    if flag in ("-", "--"):
        return flag
    if flag.startswith("--"):
        plain = len(flag) <= 32 and all(_flag_piece(piece) for piece in flag[2:].split("-"))
        return ("--_" if not plain else flag) + ("=_" if equals else "")
    if listed(flag, FLAGS) or (len(flag) == 2 and flag[1].isalnum() and flag[1].isascii()):
        return flag + ("=_" if equals else "")
    return flag[:2] + "_" if flag[1].isalpha() and flag[1].isascii() else "-_"


def _flag_piece(piece: str) -> bool:
    return bool(piece) and piece == piece.lower() and wordlike(piece)


def _secretive(flag: str) -> bool:
    return listed(flag, VALUE_FLAGS) or (flag.startswith("--") and any(part in flag for part in SECRET_PARTS))
