"""Named values: ``NAME op VALUE`` in any language, config file, header, flag or query."""

from capture.redact import cues, names
from capture.redact.places import CODE, ENV, FLAG, LINE
from capture.redact.programs import IGNORECASE, Program
from capture.words import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_LEFT = Program("assign.left", r"[\w$.@-]{0,64}")
_REST = Program("assign.rest", r"[\w$-]{0,64}+(?:\.(?=[\w$])[\w$-]{0,40}+){0,3}")
_OPERATOR = Program(
    "assign.operator",
    r"(?P<close>\\{0,3}(?:[\"'`]{1,3}|&quot;|%22)?\]?)"
    r"(?:\[\d{0,4}\])?(?::?[ ]?&?(?:'static[ ])?[A-Za-z_][\w.\[\]|<>?]{0,30}(?=\s{1,4}=\s|\s{0,4}=\s{0,4}[\"'`]))?"
    r"[ \t]{0,24}(?P<op>=>|={1,3}|!={1,2}|:=|\?\?=|\?=|\+=|\|\|=|->|<-|:{1,2}|,|>|\(|%3[Dd]|&#61;|\bis\b|\beq\b)"
    r"(?P<gap>[ \t]{0,24}[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}"
    r"|[ \t]{0,8}[(\\]?\r?\n[ \t]{0,60}(?=[\"'`])"
    r"|[ \t]{0,4}(?:Secret(?:String|Str)?::new\()?"
    r"(?:String::from|Secret(?:Str)?|Buffer\.from)?[\[(][ \t]{0,4}(?=[\"'`])|(?:\\\r?\n)?[ \t]{0,24}"
    r"(?:!(?![$\"'])[\w:/.-]{1,40}[ \t]{1,4}(?=[\"']))?)",
)
_CHANGED = Program(
    "assign.changed", r"[\"'][ \t]{0,4}(?:->|=>|\u2192)[ \t]{0,4}[\"'](?=[^\"'\n]{4,200}[\"'])"
)
_MAP = Program("assign.map", r"\s{0,40}[{\[]\s{0,40}(?=[\"'])")
_ENTRY = Program(
    "assign.entry",
    r"(?:[\"'][\w@. -]{1,60}[\"']\s{0,4}(?:=>|[:=])\s{0,4})?[\"']([^\"'\n]{6,200}+)[\"']\s{0,4}(?:,\s{0,40}|(?=[}\]]))",
)
_USERS = Program("assign.users", r"[\"']?[\w.@-]{1,40}:(?!/)([^\s\"':@/]{6,80})(?=[\"'\s,;]|$)")
_ONE_TIME = Program(
    "assign.one-time", r"[ \t]{0,2}[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?([0-9]{4,8})(?![\w.,:-]\w|\w)"
)
_CODE_NAMES = (
    " otp totp pin mfa_code otp_code totp_code pincode pin_code mfacode otpcode twofactorcode two_factor_code "
    " verification_code verificationcode passcode "
)
# What stands in where nothing is set: ``getenv("X") or "..."``.
_OTHERWISE = Program(
    "assign.otherwise",
    r"[\w.$]{1,60}(?:\([^()\n]{0,60}\)|\[[^\]\n]{0,60}\])?[ \t]{0,4}(?:\bor\b|\|\||\?\?)[ \t]{0,4}(?=[\"'`])",
)
_PAIR = Program(
    "assign.pair",
    r"\\{0,3}[\"'`]?(?:</\w{1,20}>\s{0,40})?"
    r"(?:\s{0,4}\{(?:\s{0,20}(?:type|description|sensitive|nullable)\s{0,4}=[^\n]{1,80}){0,4})?"
    r"\s{0,3}[,;]?\s{0,60}(?:-{1,2}|<)?\\{0,3}[\"'`]?(?:string_?|default_?|secret_?)?(?:value|val|content|default)"
    r"\\{0,3}[\"'`]?(?:\s{0,4}(?:=>|[:=>])\s{0,4}|[ \t]{1,4})",
    IGNORECASE,
)
_SPACE = Program(
    "assign.space", r"\\{0,3}[\"'`]?(?:[ \t]{1,24}|[ \t]{0,4}\\\r?\n[ \t]{0,24})(?![=:|&<>,+*/-])"
)
_QUOTE = Program(
    "assign.quote", r"(?:[bBrRuUfFLn@$]{1,2}(?=[\"'`\\]))?(\\{0,3})(\"\"\"|'''|[\"'`]|&quot;|%22)"
)
# A backslash before n, r or t is a line's end in escaped text, not part of a value.
_CHARS = r"(?:[^\s\"'`<>;&,|(){}\[\]\\]|\\(?![nrt]))"
_BARE = Program(
    "assign.bare",
    _CHARS + r"{1,400}+(?:[;&,|()\[\]{}<>](?![\w .-]{0,40}=)" + _CHARS + r"{1,200}+){0,6}",
)
_NARROW = Program("assign.narrow", _CHARS + r"{1,400}+")
_WHOLE = Program("assign.whole", r"[^\s]{1,400}")
_LINE_START = Program(
    "assign.line",
    r"[ \t]{0,60}(?:\d{1,6}[ \t]{0,8}(?:\u2192|\t|[:|-])[ \t]{0,40})?(?:(?:[-+>*#;/]{1,3}|<!--)[ \t]{0,8})?(?:\$ )?"
    r"(?:(?:export|set|setx|env|ENV|ARG|SetEnv|declare -x|local|readonly)[ \t]{1,8})?[\"']?$",
)
_JOINERS = frozenset(" \t\r\n\"'`\\]:=,>(!?+|-<&%[}")
_PLAIN_WORDS = Program("assign.words", r"[ \t]{1,4}[A-Za-z'-]{1,40}[ \t.,;:!?)\n]")
_ELEMENT = Program("assign.element", r"(?:\s[^<>]{0,200})?>\s{0,20}(?:<!\[CDATA\[)?")
_PAIRED = Program("assign.paired", r"[A-Za-z._~-]{6,128}+(?=[\s;&<\"'`\\]|$)")
_NESTED = Program("assign.nested", r"[\w$.@-]{2,64}+=")
_BEFORE_PAIR = ("", " ", "\t", "\n", ";", '"', "'")
_BEHIND_PAIR = ("", " ", "\t", "\n", "\r", ";", '"', "'")
_PAIR_BEFORE = Program("assign.pair-before", r"(?:^|[\s;\"'])[\w.-]{2,40}=[^\s=;,()]{1,60}[ ;]$")
_PAIR_BEHIND = Program("assign.pair-behind", r"[ ;][\w.-]{2,40}=[^\s=,()]")
_LINE_OPERATORS = (" ", "=", ":", "=>", "?=", ":=")
_NEGATED = (
    "no-",
    "no_",
    "--no",
    "ask-",
    "--ask",
    "skip-",
    "--skip",
    "without",
    "--without",
    "--disable",
    "disable",
    "--enable",
    "--use-",
    "prompt-",
)
_PLIST = Program("assign.plist", r"</key>\s{0,40}<string>")
_SETTER = Program(
    "assign.setter",
    r"\b(?:set|put|fill|type|define|setdefault|send_keys)(?:[A-Z_]\w{0,12})?\([ \t]{0,4}[\"'`]#?$",
)
_MAX, _MAX_WORDS = 600, 128
_MOST_ENTRIES, _HEX_KEY = 24, 32


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every value whose name calls it a secret."""
    text, low = view.text, view.low
    hits = []
    for word in cues.KEYWORDS:
        at = low.find(word)
        while at >= 0:
            hits.append((at, len(word)))
            at = low.find(word, at + len(word))
    if not hits:
        return
    hits.sort()
    done = 0
    for at, size in hits:
        if at >= done:
            done = _identifier(text, at, size, spans)


def _identifier(text: str, at: int, size: int, spans: "Spans") -> int:
    chunk = text[max(0, at - 64) : at][::-1]
    left = _LEFT().match(chunk)
    start = at - (left.end() if left else 0)
    rest = _REST().match(text, at + size)
    end = rest.end() if rest else at + size
    name = text[start:end]
    sure = names.level(name)
    if listed(name.lower(), _CODE_NAMES):
        number = _ONE_TIME().match(text, end)
        if number and len(set(number[1])) > 1:
            spans.append((*number.span(1), "one-time-code"))
            return end
    if not sure or name.lower().startswith(_NEGATED):
        return end
    _after_name(text, start, end, name, sure, spans)
    return end


def _after_name(text: str, start: int, end: int, name: str, sure: int, spans: "Spans") -> None:
    flag = name[0] == "-" and not name.startswith("---")
    following = text[end : end + 1]
    if following and following not in _JOINERS:
        return None
    if (
        following in " \t"
        and not flag
        and _PLAIN_WORDS().match(text, end)
        and not _at_line_start(text, start)
    ):
        return None
    element = _ELEMENT().match(text, end) if text[max(0, start - 1) : start] in ("<", ":") else None
    if element and sure == names.PASSWORD and _words(text, start, element.end(), ">", name, spans):
        return None
    listed = _PLIST().match(text, end)
    if listed:
        return _take(text, listed.end(), name, sure, LINE, "=", spans)
    pair = _PAIR().match(text, end)
    if pair:
        style = LINE if "\n" in text[end : pair.end()] else CODE
        return _take(text, pair.end(), name, sure, style, ":", spans)
    match = _OPERATOR().match(text, end)
    if match is None:
        space = _SPACE().match(text, end)
        if space:
            _take(
                text,
                space.end(),
                name,
                sure,
                FLAG if flag else _style(text, start, name, " ", ""),
                " ",
                spans,
            )
        return None
    op = match["op"]
    quoted_name = bool(match["close"])
    if op == ">" and not (quoted_name or text[max(0, start - 1) : start] in ("<", ":")):
        return None
    if op == "," and not quoted_name:
        return None
    if sure == names.PASSWORD and not flag and _words(text, start, match.end(), op, name, spans):
        return None
    style = FLAG if flag else _style(text, start, name, op, match["gap"])
    if text[match.end() : match.end() + 1] in ("{", "["):
        return _entries(text, match.end(), name, sure, spans)
    from capture.redact import told, values

    if sure == names.WEAK or "cred" in name.lower():
        pair = _USERS().match(text, match.end()) if op in ("=", ":") else None
        if pair and (told.personal(pair[1]) or values.likely(pair[1])):
            spans.append((*pair.span(1), "password"))
            return None
    return _take(text, match.end(), name, sure, style, op, spans)


def _entries(text: str, at: int, name: str, sure: int, spans: "Spans") -> None:
    """Judge the strings of a list, or the values of a map, that is called by a secret's name."""
    from capture.redact import told, values

    opened = _MAP().match(text, at)
    at = opened.end() if opened else len(text)
    for _ in range(_MOST_ENTRIES):
        entry = _ENTRY().match(text, at)
        if entry is None:
            return
        value = entry[1]
        hexadecimal = len(value) >= _HEX_KEY and values.hexadecimal(value) and not value.isdigit()
        if values.code(value):
            return
        likely = values.strong(value) or (sure >= names.SECRET and (hexadecimal or values.generated(value)))
        if likely or (sure == names.PASSWORD and (told.personal(value) or values.likely(value))):
            spans.append((*entry.span(1), names.label(name, sure)))
        at = entry.end()


def _words(text: str, start: int, at: int, op: str, name: str, spans: "Spans") -> bool:
    """Take words that fill an element of XML, the rest of a line of a config file, or a pair without spaces."""
    if op == ">":
        ends = (text.find(sign, at, at + _MAX_WORDS) for sign in ("]]>", "</"))
        stop = min((end for end in ends if end >= 0), default=-1)
    elif op in (":", "=") and _at_line_start(text, start):
        stop = text.find("\n", at, at + _MAX_WORDS)
        stop = min(len(text), at + _MAX_WORDS) if stop < 0 else stop
    elif op == "=" and text[at - 1] == "=":
        match = _PAIRED().match(text, at)
        stop = match.end() if match else -1
    else:
        return False
    if stop < 0:
        return False
    from capture.redact import told

    value = text[at:stop].rstrip(" \t\r\n.").removesuffix("-->").removesuffix("*/").rstrip()
    if not (told.words if op == ">" else told.alone)(value) or (
        text[at - 1] == " " and op == "=" and "_" in value
    ):
        return False
    spans.append((at, at + len(value), names.label(name, names.PASSWORD)))
    return True


def _at_line_start(text: str, start: int) -> bool:
    return _LINE_START().match(text[max(text.rfind("\n", 0, start) + 1, start - 80) : start]) is not None


def _style(text: str, start: int, name: str, op: str, gap: str) -> int:
    tight = not gap and op == "="
    if tight and (name.upper() == name or name.startswith("TF_VAR_")):
        return ENV
    return LINE if op in _LINE_OPERATORS and _at_line_start(text, start) else CODE


def _take(text: str, at: int, name: str, sure: int, style: int, op: str, spans: "Spans") -> None:
    from capture.redact import accept, told

    quote = _QUOTE().match(text, at)
    if quote:
        begin = quote.end()
        stop = closing(text, begin, quote[1] + quote[2])
        closed = stop >= 0
        if not closed:
            stop = begin + len((_WHOLE().match(text, begin) or _EMPTY)[0])
        value = text[begin:stop]
        if op == " " and name.lower() == "pass" and "=" in value:
            return  # "pass `strict=True`" is said of arguments
        compound = closed and (
            names.compound(name) or text[max(0, at - 24) : at].lower().count("session(") > 0
        )
        if _joined(text, at, name, sure, op, compound) and told.named(value):
            op = "="
        if accept.quoted(value, sure, op, compound):
            spans.append((begin, stop, names.label(name, sure)))
            changed = _CHANGED().match(text, stop)
            if changed:
                _take(text, changed.end() - 1, name, sure, style, op, spans)
        return
    if op in (",", "(", "is", "eq") and style != FLAG:
        return
    other = _OTHERWISE().match(text, at)
    if other:
        _take(text, other.end(), name, sure, style, op, spans)
        return
    run = (_BARE if style in (ENV, LINE) else _NARROW)().match(text, at)
    if run is None:
        return
    stop = run.end()
    value = run[0]
    nested = _NESTED().match(value)
    if nested and len(value) > nested.end() and names.level(nested[0][:-1]):
        return  # the inner name has its own turn
    while value and value[-1] in ",;:.)]}" and style != ENV:
        value, stop = value[:-1], stop - 1
    if style == LINE and text[stop : stop + 80].split("\n", 1)[0].strip(" \t\r,;")[:1] not in ("", "#"):
        style = CODE
    if style == CODE and sure == names.PASSWORD and op == "=" and _stands_alone(text, at, stop, name, value):
        style = LINE
    compound = names.compound(name) or (style == FLAG and name.endswith("token"))
    if accept.bare(value, sure, style, op, text[stop : stop + 1], compound):
        spans.append((at, stop, "cli-flag" if style == FLAG else names.label(name, sure)))


def _stands_alone(text: str, at: int, stop: int, name: str, value: str) -> bool:
    """Whether ``name=value`` is a word of its own, as in ``host=db password=... user=x``, and no argument of a call."""
    start = at - 1 - len(name)
    if text[start:at] != f"{name}=" or text[max(0, start - 1) : start] not in _BEFORE_PAIR:
        return False
    if text[stop : stop + 1] not in _BEHIND_PAIR:
        return False
    if any(map(str.isdigit, value)):
        return True
    return bool(_PAIR_BEFORE().search(text, max(0, start - 80), start) or _PAIR_BEHIND().match(text, stop))


def _joined(text: str, at: int, name: str, sure: int, op: str, compound: bool) -> bool:
    """Whether a comma or a blank behind a name is as good as an equals sign: ``put("password", ...)``."""
    if op == " ":
        return compound and sure == names.PASSWORD
    if op != ",":
        return False
    if name.isupper() and "_" in name:
        return True
    start = text.rfind(name, max(0, at - len(name) - 8), at)
    set_there = start > 0 and _SETTER().search(text, max(0, start - 40), start) is not None
    return sure == names.PASSWORD and (name[0] == "-" or set_there)


class _Empty:
    def __getitem__(self, _at: int) -> str:
        return ""


_EMPTY = _Empty()


def closing(text: str, begin: int, quote: str) -> int:
    """Where the string that begins at ``begin`` ends: the offset of ``quote``, -1 where the line ends before."""
    limit = begin + _MAX
    end = text.find(quote, begin, limit)
    while end > begin and len(quote) == 1 and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1, limit)
    line = text.find("\n", begin, limit)
    return -1 if len(quote) < 3 and 0 <= line < end else end
