"""Passwords in SQL statements that create or change who may log in."""

from capture.redact import looks, names, values
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
    r"(?![ \t]{0,4}[=,)]|[ \t]{1,4}[\w:-]{1,30}=)([^\"'\n]{3,300}+)\1",
    IGNORECASE,
)
_SHORTEST = 4
_PROCEDURE = Program(
    "sql.procedure",
    r"(?:sp_addlogin|sp_password|sp_addlinkedsrvlogin|dblink_connect"
    r"|pg_read_server)[^\n;]{0,80}?,[ \t]{0,4}(?:N|@\w{1,30}[ \t]{0,3}=[ \t]{0,3}N?)?'"
    r"([^'\n]{4,200})'[^'\n]{0,20}$",
    IGNORECASE | MULTILINE,
)

_INSERT = Program(
    "sql.insert",
    r"insert[ \t]{1,4}into[ \t]{1,4}[\w.\"`\[\]]{1,80}[ \t\n]{0,8}\(([^()]{3,600}+)\)\s{0,8}values",
    IGNORECASE,
)
_ROW = Program("sql.row", r"\s{0,20},?\s{0,20}\(((?:[^()']|'[^'\n]{0,400}+'|\([^()]{0,60}\)){1,100})\)")
_CELL = Program("sql.cell", r"\s{0,8}(?:[NE]?'([^'\n]{0,400}+)'|[^,']{0,200}+)\s{0,8}(?:,|$)")


def _rows(text: str, spans: "Spans") -> None:
    """Add literals that stand in the columns which an INSERT calls passwords."""
    for insert in _INSERT().finditer(text):
        sure = [names.level(name.strip(' \t\n"`[]')) for name in insert[1].split(",")]
        if max(sure) < names.SECRET:
            continue
        row = _ROW().match(text, insert.end())
        while row:
            at = row.start(1)
            for level in sure:
                cell = _CELL().match(text, at, row.end(1))
                if cell is None:
                    break
                value = cell[1] or ""
                if level == names.PASSWORD or (level == names.SECRET and values.strong(value)):
                    _add(cell.start(1), cell.end(1), value if len(value) >= _SHORTEST else "", spans)
                at = cell.end()
            row = _ROW().match(text, row.end())


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
    if "insert" in low:
        _rows(text, spans)
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
