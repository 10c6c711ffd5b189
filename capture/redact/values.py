"""What a value is: a placeholder, a reference, code, a word, or something only a secret looks like."""

from capture.redact.looks import gibberish, identifier, mixed, path, transitions, wordlike
from capture.redact.programs import IGNORECASE, Program

_REFERENCE = Program(
    "values.reference",
    r"\$\w{1,80}$|\$env:\w{1,80}$|\$[({]|%\w{1,80}%$|!?\{\{"
    r"|<[^<>]{0,200}>?$|\$\$|#\{|@\{|\{[\w.:]{0,80}\}$|\[[\w. -]{0,80}\]$"
    r"|%[sdr(]|%\{|\*{1,200}$|\.{3}"
    r"|(?:process\.env|os\.environ|os\.getenv|import\.meta"
    r"|System\.getenv|ENV\[|env\.|env\(|getenv|config[.(\[]|secrets?\."
    r"|settings\."
    r"|self\.|this\.|args\.|ctx\.|var\.|local\.|data\.|module\.|each\."
    r"|vault:|ref\+|op://|arn:|ssm:|projects/|keyring:|file:|!Ref|!Sub"
    r"|aws_secretsmanager|random_password|kubernetes_secret|conf\."
    r"|options\.|opts\.|params\.|request\.|req\.|props\.|state\.|context\.)",
)
_DULL_WORDS = Program(
    "values.dull",
    r"(?:(?:your|my|the|a|an|some|this|that|new|old|test|testing|dummy|fake"
    r"|mock|sample|example|examples|demo|default|placeholder|changeme|change|me"
    r"|replace|insert|enter|here|todo|tbd|redacted|hidden|masked|removed"
    r"|secret|secrets|password|passwd|pass|passphrase|pwd|token|tokens|api|key|keys"
    r"|apikey|auth|access|client|private|public|user|username|login|admin"
    r"|value|string|str|int|bool|boolean|bytes|text|number|object|any|none|null|nil"
    r"|undefined|true|false|yes|no|on|off|required|optional|empty|unset|unknown"
    r"|missing|invalid|wrong|foo|bar|baz|qux|abc|xyz|x{1,40}|y{1,40}|z{1,40}|n/a|na|is|of|in"
    r"|to|for|from|with|and|or|not|it|use|see|same|as|above|below|bearer|basic"
    r"|digest|oauth|oauth2|jwt|json|id|name|type|field|env|const|var|let|hash"
    r"|service|account|app|application|server|db|database|host|input"
    r"|output|data|file|path|url|if|else|return|get|set|prompt|stdin|ask|inherit"
    r"|refresh|session|cookie|csrf|credential|credentials|and|are|be"
    r"|must|should|will|was|has)[0-9]{0,1}(?:[\s_.:/-]{1,4}|$)){1,16}",
    IGNORECASE,
)
_SEQUENCES = (
    "12345678",
    "abcdefgh",
    "qwertyui",
    "xxxx",
    "****",
    "....",
    "changeme",
    "change-me",
    "change_me",
    "your-",
    "your_",
    "<your",
    "placeholder",
)
_CODE = Program(
    "values.code",
    r"[A-Za-z_$][\w$]{0,60}(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]{0,60}){0,8}[(\[]|"
    r"(?:new|await|lambda|function|async|not|and|or|if)\b|[\[({]|\\[wdsSDWb]|[([]?\?[:=!P]",
)
_UUID = Program("values.uuid", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", IGNORECASE)
_DATE = Program(
    "values.date",
    r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:T ]\d{1,4}){0,8}[\dZ:.+-]{0,12}$"
    r"|v?\d{1,20}(?:\.\d{1,20}){1,8}(?:[-+._](?:rc|beta|alpha|dev|post)?[\d.]{0,12})?$"
    r"|\d{1,60}(?:px|em|ms|s|m|h|d|kb|mb|gb|k|%)?$",
    IGNORECASE,
)
_SCHEME = Program("values.scheme", r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://")
_DOTTED = Program(
    "values.dotted", r"[!&*]?[A-Za-z_$][\w$]{0,60}(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]{0,60}){1,8}[;,)]?$"
)
_HUMAN = Program(
    "values.human",
    r"(?=[^A-Za-z]{0,100}[A-Za-z])(?=(?:[^0-9]{0,100}[0-9]){2})[^!@#$%^&*?+=~]{0,200}[!@#$%^&*?+=~]",
)
_PHRASE = Program("values.phrase", r"[A-Za-z]{3,10}(?:[-_.][A-Za-z]{3,10}){2,7}[-_.]?[0-9]{1,4}[!?*]?$")
_PATTERN_PARTS = (
    "[a-z", "[A-Z", "[0-9", "a-zA-Z", "A-Za-z", "a-z0-9", "A-Z0-9", "\\d", "\\s", "\\w", "\\u0", "&&", "||", "=>",
)  # fmt: skip
_CAMEL = Program(
    "values.camel", r"(?=(?:[0-9_]{0,8}[A-Za-z]){14})[A-Za-z_]{0,80}[0-9]{1,4}[A-Za-z_]{0,80}[0-9]{0,2}$"
)
_HEX = frozenset("0123456789abcdefABCDEF")


def placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret without being one: a reference, a template, pure placeholder words."""
    if len(set(value)) < 4 or (value.isdigit() and len(value) <= 6):
        return True
    if value.startswith("${") and ":-" in value:  # a default may be the secret itself
        return placeholder(value.partition(":-")[2].rstrip("}"))
    if _REFERENCE().match(value) or value.endswith(("EXAMPLE", "EXAMPLEKEY")):
        return True
    low = value.lower()
    if any(part in low for part in _SEQUENCES) and not mixed(value):
        return True
    return dull(value)


def dull(value: str) -> bool:
    """Whether ``value`` is made of the words alone that placeholders, types and labels are made of."""
    return _DULL_WORDS().fullmatch(value) is not None


def code(value: str) -> bool:
    """Whether an unquoted ``value`` is a call, an index, an attribute or an expression."""
    if _CODE().match(value):
        return True
    if any(part in value for part in _PATTERN_PARTS):
        return True
    if _DOTTED().match(value) is None or gibberish(value):
        return False
    if (
        transitions(value) >= 5
        and sum(map(str.isdigit, value)) >= 3
        and value != value.lower()
        and not wordlike(value)
    ):
        return False
    return sum(map(str.isdigit, value)) <= 3 or (len(value) >= 24 and wordlike(value))


def plain_data(value: str) -> bool:
    """Whether ``value`` is a date, a version, a number with a unit."""
    return _DATE().match(value.lstrip("^~<>=")) is not None


def has_scheme(value: str) -> bool:
    """Whether ``value`` is a URL, which the URL rules own."""
    return _SCHEME().match(value) is not None


def uuid(value: str) -> bool:
    """Whether ``value`` is a UUID."""
    return _UUID().match(value) is not None


def hexadecimal(value: str) -> bool:
    """Whether ``value`` is hexadecimal digits only."""
    return _HEX.issuperset(value)


def strong(value: str) -> bool:
    """Whether ``value`` alone looks generated: long and mixed, or long hexadecimal."""
    if len(value) < 16 or uuid(value) or path(value) or has_scheme(value):
        return False
    digits = sum(map(str.isdigit, value))
    if digits and hexadecimal(value):
        return len(value) >= 24 and digits < len(value)
    if identifier(value) or plain_data(value) or wordlike(value):
        return False
    return (digits >= 2 and mixed(value)) or gibberish(value)


def phrase(value: str) -> bool:
    """Whether ``value`` is three words or more with a number behind them, as passphrase generators write."""
    return _PHRASE().match(value) is not None


def likely(value: str) -> bool:
    """Whether ``value`` may be a password where the text says that one follows: also words with a number."""
    if generated(value):
        return True
    if (
        not 8 <= len(value) <= 120
        or placeholder(value)
        or code(value)
        or path(value)
        or plain_data(value)
        or has_scheme(value)
    ):
        return False
    if phrase(value):
        return True
    digit = any(map(str.isdigit, value))
    return gibberish(value) or (digit and transitions(value) >= 3 and not identifier(value))


def generated(value: str) -> bool:
    """Whether ``value`` looks like a password made by a generator or a careful person, 8 characters or more."""
    if (
        not 8 <= len(value) <= 200
        or path(value)
        or plain_data(value)
        or has_scheme(value)
        or identifier(value)
        or uuid(value)
    ):
        return False
    digits = sum(map(str.isdigit, value))
    if not digits or not any(map(str.isalpha, value)):
        return False
    if _HUMAN().match(value) and transitions(value) >= 2:
        return True
    if gibberish(value):
        return True
    if wordlike(value) and (_CAMEL().match(value) or (digits <= 3 and transitions(value) < 5)):
        return False
    return transitions(value) >= 3
