"""One word told as a password: in a sentence, among other labels, below its label, beside a user's name.

Nothing in the word itself tells, so the words around it must: what leads to it, and that nothing goes on behind it.
"""

from capture.redact import cues, told, values
from capture.redact.programs import IGNORECASE, MULTILINE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_VALUE = r"([A-Za-z][\w~+*.!-]{5,60}+|[0-9]{4,12}+)"
_LEADS = Program(
    "spoken.leads",
    r"\w{0,8}[\]*_`]{0,3}(?:[ \t](?!is |was )[\w@.-]{1,40}){0,4}?"
    r"(?:[ \t]{1,3}(is|was|to|ist|war|lautet|es|est)[ \t]{1,3}(?:now |still |just |jetzt )?"
    r"|[ \t]{0,3}([:|])\*{0,2}[ \t]{1,3})"
    r"[\"'`(\u201c]?" + _VALUE,
)
_BESIDE = Program(
    "spoken.beside", r"\w{0,8}[ \t]{1,2}(?:[\"'`\u201c](?=[^\"'`\u201d\n]{6,60}[\"'`\u201d]))?" + _VALUE
)
_BELOW = Program(
    "spoken.below",
    r"\w{0,8}\*{0,2}:\*{0,2}[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t]{0,40}[\"'`]?([^\s\"'`:,(){}\[\]<>]{6,80}+)[\"'`]?"
    r"[ \t]{0,4}(?=\r?\n|$)",
)
_PHRASE = Program(
    "spoken.phrase",
    r"(?:phrase|passphrase)(?:[ \t](?!is |was )[\w'-]{1,24}){0,6}?[ \t]{0,3}(?:is|was|[:=])"
    r"[ \t]{1,3}([a-z]{3,12}(?: [a-z]{3,12}){3,9})(?=[\s.,;]|$)",
)
_ENDS = Program(
    "spoken.ends",
    r"[\"'`*)\u201d]{0,3}(?:[.!?,;]{1,3}(?=[\s\"'`]|$)|[ \t]{0,4}(?:\r?\n|$|[|/,;])|[ \t]{1,4}\w{2,12}[ \t]?[:=]"
    r"|[ \t](?:and|but|so|for|on|at|now|please|then|thanks|if|und|pour|para|is|does|did|was)\b)",
)
_ROW_ENDS = Program("spoken.row", r"[ \t]{0,40}\|[ \t]{0,8}(?:\r?\n|$)")
_WITH = Program(
    "spoken.with", r"(?:^|[ \t])(?:with|and|use|using|try)[ \t]{1,2}(?:(?:the|this|my|our)[ \t]{1,2})?$|, ?$"
)
_SETS = Program("spoken.sets", r"\b(?:set|sets|change|changed|update|updated|rotated)\b[^\n]{0,60}$")
_BRANCHES = Program(
    "spoken.branches",
    r"[ \t]{0,80}(?:\}[ \t])?(?:if|elif|else|while|for|def|class|with|case|try|except|return)\b",
)
_PAIR = Program(
    "spoken.pair",
    r"(?:(?:credential|cred)s?(?:[ \t]{1,2}(?:is|are)|[:=])?|log ?in"
    r"|basic auth:?|(?:user(?:name)?|id)/(?:pass(?:word)?|pw)[ \t]{0,2}(?:is|are|[:=]))"
    r"[ \t]{1,3}[\"'`]?[\w.@-]{2,40}[ \t]?[:/][ \t]?([A-Za-z][\w~+*.!-]{5,60}+)",
)
_HOSTED = Program(
    "spoken.hosted",
    r"(?<![\w:/.@-])[A-Za-z][\w.-]{0,40}:([A-Za-z][\w~+*!.-]{5,60}+)"
    r"@(?:[\w.-]{1,60}:[0-9]{2,5}(?![\w.])|(?:tcp|unix)\()",
)
_USER_AT = Program(
    "spoken.user-at",
    r"(?<![\w:/.@-])(?!(?:mailto|to|from|cc|bcc|reply-to|e?-?mail|contact|sip|xmpp|acct|author|by|user|username)\b)"
    r"[A-Za-z][\w-]{1,30}:([A-Za-z][\w~+*!-]{5,40}+)@[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}(?![\w@.(-])",
    IGNORECASE,
)
_WITH_IT = Program(
    "spoken.with-it",
    r"(?:@[\w-]{1,40}\.[\w.-]{2,40}|\b(?:unlock|decrypt|authenticate|log in|sign in)\b[^\n.]{0,30}?)[ \t](?:with|using)"
    r"[ \t][\"'`]?([^\s\"'`,;()]{6,60})",
)
_SHORT = Program(
    "spoken.short",
    r"(?<![\w\"'])u(?:ser)?:[ \t]{0,2}[\w.@-]{2,40}[,;]?[ \t]{1,3}p(?:w|ass)?:[ \t]{0,2}([^\s\"',;]{6,60})",
    IGNORECASE,
)
_COOKIE = Program(
    "spoken.cookie",
    r"cookie(?: is|[ \t]{0,2}:)[ \t]{1,3}[\"'`]?([0-9a-fA-F]{24,128}|[\w+/=.-]{24,400})(?![\w])",
)
_LABEL = Program(
    "spoken.label",
    r"^[ \t]{0,20}\[?(?:new |your |temporary |initial )?(?:password|passwort|passphrase|passwd|kennwort)\]?:?"
    r"[ \t]{0,8}\r?\n[ \t]{0,20}[\"'`]?"
    r"([^\s\"'`:,(){}\[\]<>=]{6,80}+)[\"'`]?[ \t]{0,8}(?=\r?\n|$)",
    IGNORECASE | MULTILINE,
)
_BASIC = Program(
    "spoken.basic",
    r"auth[ \t]?[=:][ \t]?[(\[][ \t]?[\"'][^\"'\n]{1,60}[\"'],[ \t]{0,4}[\"']([^\"'\n]{6,80})[\"']",
)
_UUID = Program(
    "spoken.uuid",
    r"(?:(?:api|secret|access|license|auth)[ -]key|(?:api|access|auth|bearer)[ -]token)"
    r"(?:[ \t]{0,3}(?:is:?|[:=]))?[ \t]{1,3}[\"'`]?"
    r"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})",
    IGNORECASE,
)
_CURLRC = Program(
    "spoken.curlrc",
    r"^[ \t]{0,8}(?:user|proxy-user)[ \t]{0,2}=[ \t]{0,2}\"?[\w.@-]{1,40}:([^\s\":]{6,80})\"?[ \t]{0,4}$",
    MULTILINE,
)
_CALL = Program(
    "spoken.call",
    r"\b(?:FTP|FTP_TLS|PDO|IMAP4|Client)\([^()\n]{0,80}?[\"'][\w.@-]{2,40}[\"'],[ ]?[\"']([^\"'\n]{6,80})[\"']",
)
_TYPED = Program(
    "spoken.typed",
    r"passw[^\n]{0,30}[\"'`]\)\.(?:send_?keys|type|fill|setvalue)\([ \t]?[\"'`]([^\"'`\n]{6,80})[\"'`]",
    IGNORECASE,
)
_NUMBER = Program(
    "spoken.number",
    r"(?<![\w-])(?:pin(?: code)?|otp(?: code)?"
    r"|(?:verification|authentication|security|unlock|2fa|mfa|door|gate|alarm|safe|pairing) code"
    r"|(?:pairing|sim|card|door) pin|puk|safe combination|lock combination)"
    r"(?: is|[ \t]{0,2}:)[ \t]{1,3}([0-9]{4,8})(?![\w.,:]\w|[0-9])",
)
_CODE_IS = Program(
    "spoken.code-is",
    r"(?<![\w-])(?:(?:(?:the|my|your|our|door|gate|alarm|access|entry|login|sms|one-time|safe|phone|screen)"
    r"[ \t]){1,3}code is(?: now)?"
    r"|(?:enter|type in|type|use)[ \t](?:the |this |my )?code:?)[ \t]{1,2}([0-9]{4,8})"
    r"(?=[.!]?(?:\s{0,2}$|[ \t]{0,2}\n)|[,;]? (?:and|to|for|on|at|when|please|but|so)\b)",
    MULTILINE,
)
_QUOTED = Program(
    "spoken.quoted", r"\w{0,8}[ \t]{1,2}[\"'`\u201c]([a-z]{3,12}(?: [a-z]{3,12}){2,9})[\"'`\u201d]"
)
_CODE = frozenset("(){};<>=\"'")
_WINDOW = 120
_LONG_WORD = 8


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of words that are told as passwords."""
    text, low = view.text, view.low
    if low.startswith("pw"):
        _near(text, low, 0, "pw", spans)
    for cue in cues.SURE:
        at = low.find(cue)
        while at >= 0:
            _near(text, low, at, cue, spans)
            at = low.find(cue, at + len(cue))
    for hints, pattern, judge in _ANYWHERE:
        if any(hint in low for hint in hints):
            for match in pattern().finditer(low if pattern in (_PAIR, _NUMBER, _CODE_IS) else text):
                start, stop = match.span(1)
                if judge(text, start, stop):
                    spans.append((start, stop, "prose-password"))


def _near(text: str, low: str, at: int, cue: str, spans: "Spans") -> None:
    """Judge the word that a word for a password at ``at`` leads to, stands above, or stands beside."""
    end = at + len(cue)
    line = text[max(text.rfind("\n", 0, at) + 1, at - _WINDOW) : at]
    leads = _LEADS().match(text, end, end + _WINDOW)
    if leads and _led(text, line, leads[1], leads[2], leads.start(3), leads[3]):
        _add(leads.start(3), leads[3], spans)
    phrase = _PHRASE().search(low, at, end + _WINDOW) if "phrase" in low[at : end + 1] else None
    if phrase and told.words(phrase[1]):
        spans.append((phrase.start(1), phrase.end(1), "prose-password"))
    if _CODE.isdisjoint(line):
        _below(text, line, end, spans)
        _beside(text, line, end, cue, spans)


def _below(text: str, line: str, end: int, spans: "Spans") -> None:
    """Judge the line below a label that ends its own."""
    below = _BELOW().match(text, end)
    if below and not _BRANCHES().match(line):
        value = below[1]
        if told.lone(value) or told.counted(value) or values.likely(value):
            spans.append((below.start(1), below.end(1), "prose-password"))


def _beside(text: str, line: str, end: int, cue: str, spans: "Spans") -> None:
    """Judge what follows at once: in quotes, or after "with the password"."""
    quote = _QUOTED().match(text, end)
    if quote and told.words(quote[1]):
        spans.append((quote.start(1), quote.end(1), "prose-password"))
    beside = _BESIDE().match(text, end, end + _WINDOW)
    if beside is None:
        return
    quoted = text[beside.start(1) - 1] in "\"'`\u201c" and not line.endswith(('"', "'", "`"))
    joined = _WITH().search(line)
    joining = joined is not None and (cue == " pw" or "," not in joined[0])
    if (quoted or joining) and _ending(text, beside.start(1), beside.end(1)):
        _add(beside.start(1), beside[1], spans)


def _led(text: str, line: str, verb: str | None, label: str | None, start: int, value: str) -> bool:
    """Whether what "is", "to" or a colon lead to is a password by where it stands."""
    kept = _trimmed(value)
    stop = start + len(kept)
    if kept.isdigit():
        if (label and len(kept) < 6) or verb == "to" or label == "|":
            return False
    elif not told.lone(kept) and not told.personal(kept):
        return False
    if label == "|":
        return _ROW_ENDS().match(text, stop) is not None
    if verb == "to" and not _SETS().search(line):
        return False
    if label and not _CODE.isdisjoint(line):
        return False
    return text[stop : stop + 1] not in ("(", "[", "_") and _ENDS().match(text, stop) is not None


def _trimmed(value: str) -> str:
    return value.rstrip(".!*_-")


def _add(start: int, value: str, spans: "Spans") -> None:
    spans.append((start, start + len(_trimmed(value)), "prose-password"))


def _told(text: str, start: int, stop: int) -> bool:
    return told.lone(text[start:stop]) or _chosen(text, start, stop)


def _long(text: str, start: int, stop: int) -> bool:
    return (stop - start >= _LONG_WORD and told.lone(text[start:stop])) or _chosen(text, start, stop)


def _chosen(text: str, start: int, stop: int) -> bool:
    value = _trimmed(text[start:stop])
    return told.personal(value) or values.likely(value)


def _strong(text: str, start: int, stop: int) -> bool:
    value = text[start:stop]
    return values.strong(value) or (values.hexadecimal(value) and not value.isdigit())


def _ending(text: str, start: int, stop: int) -> bool:
    kept = _trimmed(text[start:stop])
    return (told.lone(kept) or told.personal(kept)) and _ENDS().match(text, start + len(kept)) is not None


def _words(text: str, start: int, stop: int) -> bool:
    return told.words(text[start:stop]) or _chosen(text, start, stop)


def _likely(text: str, start: int, stop: int) -> bool:
    value = text[start:stop]
    return told.lone(value) or values.likely(value)


def _any(_text: str, _start: int, _stop: int) -> bool:
    return True


# What tells that a pattern may match, the pattern, and what it must hold besides.
_ANYWHERE = (
    (("cred", "login", "log in", "basic auth", "/pass", "/pw"), _PAIR, _ending),
    (("@",), _HOSTED, _told),
    (("@",), _USER_AT, _long),
    (("@", "unlock", "decrypt", "authenticate", "log in", "sign in"), _WITH_IT, _chosen),
    (("u: ", "user: ", "u:", "user:"), _SHORT, _chosen),
    (("cookie",), _COOKIE, _strong),
    (("password", "passwort", "passphrase", "passwd", "kennwort"), _LABEL, _chosen),
    (("code",), _CODE_IS, _any),
    (("auth=", "auth =", "auth:"), _BASIC, _words),
    (("send", ".type(", ".fill(", "setvalue("), _TYPED, _words),
    (("key", "token"), _UUID, _any),
    (("pin", "otp", "code", "puk", "combination"), _NUMBER, _any),
    (("user",), _CURLRC, _likely),
    (("ftp", "pdo(", "imap4(", "client("), _CALL, _likely),
)
