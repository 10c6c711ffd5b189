"""The finders, each loaded and run only on a text that has what it looks for.

A gate may let through what its finder then finds nothing in, never the reverse: tests hold the two together.
"""

from capture.redact import cues
from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from capture.redact.view import View

    Spans: TypeAlias = list[tuple[int, int, str]]

_PROGRAM = Program("finders.program", r"[a-z0-9][a-z0-9_.-]{1,24}(?=[ \t])")
_SOLID = Program("finders.solid", r"[A-Za-z0-9+/]{56}")
_FLAG = Program(
    "finders.flag",
    r" (?:-{1,2}p|-[PwWks][ \t:=]|/p|--(?:[a-z]{1,12}-)?(?:value|string|body|data|content|literal|plaintext|input|text"
    r"|payload))",
)
_GROUPED = Program("finders.grouped", r"[3-6][0-9]{3}[ -][0-9]{4}")
_HIDING = ("\x1b", "\x00", "&#", "'", '"')
_CARD = 13
_TOKEN, _ENTROPY, _ENCODED, _KEY_LINE = 14, 20, 24, 56


def _typed(view: "View", spans: "Spans") -> None:
    if view.longest() >= _TOKEN:
        from capture.redact import typed

        typed.find(view, spans)


def _keys(view: "View", spans: "Spans") -> None:
    text = view.text
    lines = view.longest() >= _KEY_LINE and any(map(_SOLID().search, view.telling))
    if lines or "PRIVATE KEY" in text or "Private-Lines:" in text:
        from capture.redact import keys

        keys.find(view, spans)


def _urls(view: "View", spans: "Spans") -> None:
    text = view.text
    if "://" in text or "thin:" in text or ("=" in text and any(sign in text for sign in "?&#")):
        from capture.redact import urls

        urls.find(view, spans)


def _headers(view: "View", spans: "Spans") -> None:
    low = view.low
    if "authorization" in low or "bearer" in low or "basic" in low or "cookie" in low or "x-" in low:
        from capture.redact import headers

        headers.find(view, spans)


def _assign(view: "View", spans: "Spans") -> None:
    low = view.low
    if any(word in low for word in cues.KEYWORDS):
        from capture.redact import assign

        assign.find(view, spans)


def _commands(view: "View", spans: "Spans") -> None:
    if cues.programs(_PROGRAM().findall(view.low)):
        from capture.redact import commands

        commands.find(view, spans)


def _pipes(view: "View", spans: "Spans") -> None:
    text, low = view.text, view.low
    if (
        "|" in text
        or "<(" in text
        or "<<<" in text
        or _FLAG().search(text)
        or ("send" in low and ("expect" in low or "spawn" in low))
        or ("/" in text and any(word in low for word in cues.ORACLES))
        or "securestring" in low
        or "sed " in low
        or any(word in low for word in cues.DEVICES)
    ):
        from capture.redact import pipes

        pipes.find(view, spans)


def _sql(view: "View", spans: "Spans") -> None:
    text, low = view.text, view.low
    if "identified" in low or (("'" in text or '"' in text) and any(word in low for word in cues.SQL)):
        from capture.redact import sql

        sql.find(view, spans)


def _files(view: "View", spans: "Spans") -> None:
    low = view.low
    if (
        ("login" in low and "password" in low)
        or ("ftp" in low and "user" in low)
        or any(word in low for word in cues.SEEDS)
        or view.colons()
    ):
        from capture.redact import files

        files.find(view, spans)


def _prose(view: "View", spans: "Spans") -> None:
    low = view.low
    if (
        " / " in low
        or " | " in low
        or "@" in low
        or low.startswith("pw")
        or any(word in low for word in cues.NEAR)
    ):
        from capture.redact import prose

        prose.find(view, spans)


def _spoken(view: "View", spans: "Spans") -> None:
    low = view.low
    if "@" in low or low.startswith("pw") or any(word in low for word in cues.SPOKEN):
        from capture.redact import spoken

        spoken.find(view, spans)


def _calls(view: "View", spans: "Spans") -> None:
    low = view.low
    if "(" in low and any(word in low for word in cues.CALLS):
        from capture.redact import calls

        calls.find(view, spans)


def _columns(view: "View", spans: "Spans") -> None:
    if cues.heads(view.text, view.low):
        from capture.redact import columns

        columns.find(view, spans)


def _cards(view: "View", spans: "Spans") -> None:
    low = view.low
    if (view.longest() >= _CARD and any(word in low for word in cues.CARDS)) or _GROUPED().search(view.text):
        from capture.redact import cards

        cards.find(view, spans)


def _entropy(view: "View", spans: "Spans") -> None:
    if view.longest() >= _ENTROPY:
        from capture.redact import entropy

        entropy.find(view, spans)


def _short(view: "View", spans: "Spans") -> None:
    if view.telling:
        from capture.redact import short

        short.find(view, spans)


ALL: "tuple[Callable[[View, Spans], None], ...]" = (
    _typed, _keys, _urls, _headers, _assign, _commands, _pipes, _sql, _files, _prose, _spoken, _calls, _columns, _cards,
    _entropy, _short,
)  # fmt: skip


def encoded(view: "View", spans: "Spans", search: "Callable[[str], bool]") -> None:
    """Add every encoded run whose decoded text ``search`` finds a secret in."""
    if view.longest() >= _ENCODED or view.text.count("%") >= 2:
        from capture.redact import encoded as finder

        finder.find(view, spans, search)


def unfolded(text: str) -> "tuple[str, list[int]] | None":
    """The text as a reader sees it, and where each of its characters stands; None where nothing hides."""
    if text.isascii() and "\\" not in text and not any(sign in text for sign in _HIDING):
        return None
    from capture.redact import normal

    return normal.unfold(text)
