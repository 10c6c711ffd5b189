"""Columns of secrets: rows below a head that names one, in tables of Markdown and of consoles, in CSV and its kin."""

from capture.redact import cues, names, told, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from capture.redact.finders import Spans
    from capture.redact.view import View

_SIGNS = "|\t;,"
_AROUND = " \t\r\"'`*_|"
_RULE = frozenset("|-+: =\t\r")
_NO_HEAD = frozenset("=(){}<>[]:$&%#@\\/!?")
_LONGEST_HEAD, _MOST_ROWS = 40, 2000
_USERS = (
    "user", "username", "user name", "login", "email", "e-mail", "mail", "name", "account", "host", "id", "benutzer",
    "usuario", "utilisateur", "사용자", "아이디", "계정",
)  # fmt: skip


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of values below a head that calls them secrets."""
    text = view.text
    done = 0
    for at in cues.heads(text, view.low):
        if at >= done:
            done = _table(text, text.rfind("\n", 0, at) + 1, spans)


def _table(text: str, start: int, spans: "Spans") -> int:
    """Judge the table whose head begins at ``start``; return where it ends."""
    stop = text.find("\n", start)
    if stop < 0:
        return len(text)
    sign = next((one for one in _SIGNS if one in text[start:stop]), "")
    if not sign or stop - start > _LONGEST_HEAD * 40:
        return stop
    heads = [text[first:last] for first, last in _cells(text, start, stop, sign)]
    if len(heads) < 2 or any(len(head) > _LONGEST_HEAD or not _NO_HEAD.isdisjoint(head) for head in heads):
        return stop
    sure = [names.level(head) for head in heads]
    if max(sure) < names.SECRET:
        return stop
    user = any(head.lower() in _USERS for head in heads)
    for _ in range(_MOST_ROWS):
        start, stop = stop + 1, text.find("\n", stop + 1)
        stop = len(text) if stop < 0 else stop
        if start >= stop:
            break
        if _RULE.issuperset(text[start:stop]):
            continue
        cells = list(_cells(text, start, stop, sign))
        if len(cells) != len(heads):
            break
        for (first, last), head, level in zip(cells, heads, sure, strict=True):
            if level >= names.SECRET and _secret(text[first:last], level, user):
                spans.append((first, last, names.label(head, level)))
    return start


def _secret(value: str, level: int, user: bool) -> bool:
    if (
        not 4 <= len(value) <= 200
        or values.placeholder(value)
        or values.code(value)
        or values.plain_data(value)
    ):
        return False
    if level == names.SECRET:
        return values.generated(value) or values.strong(value) or values.uuid(value)
    return values.likely(value) or told.counted(value) or (user and told.lone(value))


def _cells(text: str, start: int, stop: int, sign: str) -> "Iterator[tuple[int, int]]":
    """Where each cell's own text begins and ends; a sign inside quotes parts nothing."""
    at = start
    while at <= stop:
        head = at
        while head < stop and text[head] in " \t" and text[head] != sign:
            head += 1
        closing = text.find('"', head + 1, stop) if text[head : head + 1] == '"' else -1
        end = text.find(sign, max(at, closing), stop)
        end = stop if end < 0 else end
        first, last = at, end
        while first < last and text[first] in _AROUND:
            first += 1
        while last > first and text[last - 1] in _AROUND:
            last -= 1
        yield first, last
        at = end + 1
