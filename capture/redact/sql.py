"""Passwords in SQL statements that create or change who may log in."""

from capture.redact import looks, values
from capture.redact.programs import IGNORECASE, MULTILINE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_IDENTIFIED = Program(
    "sql.identified",
    r"identified[ \t\r\n]{1,8}(?:with[ \t]{1,4}[\w'\"`]{1,60}[ \t]{1,4})?(?:by"
    r"|as)[ \t\r\n]{1,8}(?:password[ \t]{1,4}|values[ \t]{1,4})?(\\{0,3}[\"'])([^\"'\n]{3,200}+)\1",
    IGNORECASE,
)
_BARE = Program("sql.bare", r"identified[ \t]{1,8}by[ \t]{1,8}([^\s\"';]{4,200}+)", IGNORECASE)
_STATEMENT = Program(
    "sql.statement",
    r"(?:create|alter|set|grant|attach|copy|update|insert|replace|values|exec|execute|connect|with)\b[^;]{0,300}?$",
    IGNORECASE,
)
_LITERAL = Program(
    "sql.literal",
    r"(?:[_ -]?(?:key|access_key))?[ \t]{0,4}(?:for[ \t]{1,4}[^\n=]{1,80}?)?"
    r"(?:=|to)?[ \t]{0,4}(?:N|password[ \t]{0,3}\([ \t]{0,3}"
    r"|crypt[ \t]{0,3}\([ \t]{0,3}|md5[ \t]{0,3}\([ \t]{0,3})?(\\{0,3}[\"'])"
    r"(?![ \t]{0,4}[=,)])([^\"'\n]{3,300}+)\1",
    IGNORECASE,
)
_PROCEDURE = Program(
    "sql.procedure",
    r"(?:sp_addlogin|sp_password|sp_addlinkedsrvlogin|dblink_connect"
    r"|pg_read_server)[^\n;]{0,80}?,[ \t]{0,4}(?:N|@\w{1,30}[ \t]{0,3}=[ \t]{0,3}N?)?'"
    r"([^'\n]{4,200})'[^'\n]{0,20}$",
    IGNORECASE | MULTILINE,
)


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of password literals of SQL statements."""
    text, low = view.text, view.low
    at = low.find("identified")
    while at >= 0:
        match = _IDENTIFIED().match(text, at)
        if match:
            _add(match.start(2), match.end(2), match[2], spans)
        else:
            bare = _BARE().match(text, at)
            if bare and values.generated(bare[1]):
                _add(bare.start(1), bare.end(1), bare[1], spans)
        at = low.find("identified", at + 10)
    for word in ("password", "secret", "passwd", "_pass", "pwd"):
        at = low.find(word)
        while at >= 0:
            literal = _LITERAL().match(text, at + len(word))
            if literal and _STATEMENT().search(low, max(0, at - 320), at):
                sure = word != "secret" or values.strong(literal[2]) or values.generated(literal[2])
                _add(literal.start(2), literal.end(2), literal[2] if sure else "", spans)
            at = low.find(word, at + len(word))
    if "sp_add" in low or "sp_password" in low:
        for match in _PROCEDURE().finditer(text):
            _add(match.start(1), match.end(1), match[1], spans)


def _add(start: int, end: int, value: str, spans: "Spans") -> None:
    if (
        value
        and not values.placeholder(value)
        and not (looks.wordy(value) and (" " in value or (value.islower() and len(value) < 8)))
    ):
        spans.append((start, end, "sql-password"))
