"""Secrets told in sentences, comments, logs and calls: what stands near a word that speaks of secrets."""

from capture.redact import cues, looks, told, values
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

# What is written without blanks: there a password begins and ends with its letters.
_EAST = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff0c\uff1a\u3002"
_TOKEN = Program(
    "prose.token",
    rf"(?<![^\s\"'`=:,;{{}}()\[\]<>|\u2018\u201c*{_EAST}])[^\s0-9\"'`=:,;{{}}()\[\]<>|/{_EAST}]{{0,119}}+[0-9]",
)
_REST = Program("prose.rest", rf"[^\s\\\"'`=:,;{{}}()\[\]<>|\u2018\u2019\u201c\u201d{_EAST}]{{8,120}}+")
_WHOLE = Program(
    "prose.whole",
    r"(?:[ \t]{1,3}|(?<=[:=>|-])[ \t]{0,3}|(?<=[:]\*\*)[ \t]|(?<=:\*)[ \t])[\"'`(\u201c]?([^\s\\\"'`\u201d]{6,120}+)",
)
_SAID = Program(
    "prose.said",
    r"\w{0,8}(?:[ \t][\w@.-]{1,40}){0,6}?[\"'`]?"
    r"(?:[ \t]{1,3}(?:is|was|to|from|ist|war|lautet|es|est|\u00e8|\u00e9)[ \t]{1,3}"
    r"|[ \t]{0,3}(?:is)?[:=]\*{0,2}[ \t]{1,3}|[ \t]{0,2}[-=]>[ \t]{1,2})"
    r"(?:now |still |just |jetzt )?"
    r"(?:[\"'`\u201c]([^\\\"'`\u201d\n]{6,128}+)[\"'`\u201d]|[\"'`(\u201c]?([^\s\\\"'`\u201d]{6,120}+))",
)
_SLASH = Program("prose.slash", r"([\w.@+-]{2,60})[ \t]{1,2}[/|][ \t]{1,2}[\"'`]?([^\s\"'`]{6,80})")
_USER = Program(
    "prose.user",
    r"log|sign|cred|user|admin|root|account|pass|access|auth|connect|# ?[\w.@+-]{2,60}$",
    IGNORECASE,
)
_PAIR = Program("prose.pair", r",[ \t]{0,4}[\"']([^\"'\s]{8,80})[\"'][ \t]{0,4}[,)]")
_MAIL = Program(
    "prose.mail", r"@(?!sha[0-9])[\w-]{1,40}(?:\.[\w-]{1,40}){0,4}[:;|]([^\s:;|\"']{8,80})(?=[\s:;|\"']|$)"
)
_USERPASS = Program("prose.userpass", r"[:/]([^\s:/\"'(){}\[\]<>=]{8,80})(?=[\s\"']|$)")
_ADDRESS = Program("prose.address", r"[\w.+-]{1,64}@[\w-]{1,40}(?:\.[\w-]{1,40}){1,5}$")
_BEFORE_COMMIT = Program(
    "prose.commit",
    r"(?:^[\s*|>+-]{0,12}|(?:commit|merge|revert|parent|tree|object|picked from|pick|squash|fixup|reset)s? \(?)$",
)
_NEXT = Program("prose.next", r"&(?:amp;)?[\w.\[\]-]{1,40}=")
_CODE = frozenset("({}=<>[]\\$%")
_NEAR = 32
_SAID_SO = ("pass is ", "pass was ", "shared secret", "passkey")
_LONGEST = 120
_SHORT_COMMIT, _COMMIT = 12, 40
_OVERLAP = 20
_LONGEST_USER = 41
_BEFORE, _AFTER = 60, 110


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of secrets that a sentence, a log line or a call gives away."""
    text, low = view.text, view.low
    here = [cue for cue in cues.NEAR if cue in low]
    if here:
        _tokens(text, low, here, spans)
        for cue in cues.SURE:
            done = 0
            at = low.find(cue) if cue in here else -1
            while at >= 0:
                done = _announced(text, max(at + len(cue), done), spans)
                at = low.find(cue, at + len(cue))
        plain: set[str] = set()  # a name in a text comes again and again; it is judged once
        for pattern in (_USERPASS, _PAIR):
            for match in pattern().finditer(text):
                start = match.start()
                if match[1] in plain:
                    continue
                if _cued(low, start, here) and (pattern is _PAIR or _follows_user(text, start)):
                    before = len(spans)
                    _told(match[1], match.start(1), spans)
                    if len(spans) == before:
                        plain.add(match[1])
    if low.startswith("pw"):
        _announced(text, 2, spans)
    for sign in (" / ", " | "):
        at = text.find(sign)
        while at >= 0:
            begin = max(text.rfind(" ", max(0, at - 60), at), text.rfind("\n", max(0, at - 60), at)) + 1
            _slash(text, begin, spans)
            at = text.find(sign, at + 3)
    at = text.find("@")
    while at >= 0:
        mail = _MAIL().match(text, at)
        if mail and at and text[at - 1].isalnum():
            _told(mail[1], mail.start(1), spans)
        at = text.find("@", at + 1)


def _tokens(text: str, low: str, here: list[str], spans: "Spans") -> None:
    """Judge every token with a digit by whether a cue stands near it on its line."""
    for hit in _TOKEN().finditer(text):
        start = hit.start()
        match = _REST().match(text, start)
        if (
            match is None or match.end() - start == _LONGEST or text[match.end() : match.end() + 1] == "("
        ):  # data, a call
            continue
        value = _one(text, start, trim(match[0]))
        phrase = values.phrase(value)
        own = told.personal(value)
        if not own and not phrase and not values.generated(value) and not values.strong(value):
            continue
        line = low[max(0, start - _AFTER) : start].rpartition("\n")
        before = line[2] or (line[0][-40:] if line[0].rstrip().endswith((":", "is", "=")) else "")
        near = before + "\n" + low[match.end() : match.end() + _BEFORE].partition("\n")[0]
        sure = any(cue in near for cue in here if cue in cues.SURE)
        if not sure and not any(cue in near for cue in here):
            continue
        if _commit(value, line[2]):
            continue
        if "@" in value and _ADDRESS().match(value):
            continue
        if (sure and phrase) or (_secret(value, sure) if not own else _beside(text, low, start, value)):
            spans.append((start, start + len(value), "cue"))


def _beside(text: str, low: str, start: int, value: str) -> bool:
    """Whether a word with a number stands in a sentence, right before or behind a word for a password."""
    stop = start + len(value)
    before = low[max(0, start - _NEAR) : start].rpartition("\n")[2]
    behind = low[stop : stop + _NEAR].partition("\n")[0]
    if text[stop : stop + 1] in ("(", "[", ".", "/", "=", "_", "-") or text[start - 1 : start] in (
        "=",
        "/",
        "-",
    ):
        return False
    if not _CODE.isdisjoint(
        before.rstrip("\"'` (").replace("(", " ") + behind.replace(" (", " ").lstrip("\"'` ).,;")
    ):
        return False
    return any(cue in before or cue in behind for cue in (*cues.SURE, *_SAID_SO))


def _commit(value: str, before: str) -> bool:
    """Whether ``value`` is a commit's id: a short one, or a whole one where such stand."""
    if not (value.islower() and values.hexadecimal(value)):
        return False
    return len(value) <= _SHORT_COMMIT or (
        len(value) == _COMMIT and _BEFORE_COMMIT().search(before) is not None
    )


def _announced(text: str, end: int, spans: "Spans") -> int:
    """Judge what a word such as "is", a colon or a blank lead to after a word for a password."""
    stop = text.find("\n", end, end + _AFTER)
    stop = min(len(text), end + _AFTER) if stop < 0 else stop
    said = _SAID().match(text, end, stop)
    if said:
        group = 1 if said[1] else 2
        value = trim(said[group])
        if told.counted(value) or (told.words if group == 1 else told.passphrase)(value):
            spans.append((said.start(group), said.start(group) + len(value), "prose-password"))
    for match in _WHOLE().finditer(text, end, stop):
        value = _one(text, match.start(1), trim(match[1]))
        if (
            len(value) >= 6
            and values.likely(value)
            and not values.code(value)
            and not values.placeholder(value)
        ):
            spans.append((match.start(1), match.start(1) + len(value), "prose-password"))
    return stop if stop - end < _AFTER else stop - _OVERLAP


def _cued(low: str, at: int, here: list[str]) -> bool:
    """Whether one of the words in ``here`` stands before ``at`` on its line, and near."""
    before = low[max(0, at - _AFTER) : at].rpartition("\n")[2]
    return any(cue in before for cue in here)


def _follows_user(text: str, at: int) -> bool:
    """Whether what ends at ``at`` is a word short enough for a user's name, not the middle of a data block."""
    return text[at - 1 : at].isalnum() and (
        at <= _LONGEST_USER or any(char in " \t\n\"'(=" for char in text[at - _LONGEST_USER : at])
    )


def _told(found: str, start: int, spans: "Spans") -> None:
    value = trim(found)
    if told.personal(value) or (
        values.likely(value)
        and not values.placeholder(value)
        and (values.phrase(value) or looks.transitions(value) >= 2)
    ):
        spans.append((start, start + len(value), "prose-password"))


def _secret(value: str, sure: bool) -> bool:
    if values.placeholder(value) or values.code(value):
        return False
    return (
        values.strong(value)
        or looks.transitions(value) >= (3 if sure else 4)
        or (sure and looks.gibberish(value))
    )


def _slash(text: str, begin: int, spans: "Spans") -> None:
    match = _SLASH().match(text, begin)
    if match is None:
        return
    before = text[max(0, begin - 80) : match.end(1)].rsplit("\n", 1)[-1]
    if _USER().search(before):
        _told(match[2], match.start(2), spans)


def _one(text: str, start: int, value: str) -> str:
    """``value`` without the parameters that follow it, where it is a parameter's itself."""
    if text[start - 1 : start] != "=" or "&" not in value:
        return value
    following = _NEXT().search(text, start, start + len(value) + 1)
    return text[start : following.start()] if following else value


def trim(value: str) -> str:
    """``value`` without the punctuation of the sentence around it."""
    while value and (
        value[-1] in ".,;:)]}>$" or (value[-1] in "!?*" and len(value) > 1 and value[-2].isalpha())
    ):
        value = value[:-1]
    return value
