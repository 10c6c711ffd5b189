"""What a value is: a placeholder, a reference, code, a word, or something only a secret looks like."""

from capture.redact.programs import IGNORECASE, Program

_REFERENCE = Program(
    "values.reference",
    r"\$\w+$|\$env:\w+$|\$[({].*|%\w+%$|!?\{\{.*|<[^<>]*>?$|\$\$|#\{.*|@\{.*|\{[\w.:]*\}$|\[[\w. -]*\]$"
    r"|%[sdr(]|%\{.*|\*+$|\.{3,}"
    r"|(?:process\.env|os\.environ|os\.getenv|import\.meta|System\.getenv|ENV\[|env\.|env\(|getenv|config[.(\[]|secrets?\.|settings\."
    r"|self\.|this\.|args\.|ctx\.|var\.|local\.|data\.|module\.|each\.|vault:|ref\+|op://|arn:|ssm:|projects/|keyring:|file:|!Ref|!Sub"
    r"|aws_secretsmanager|random_password|kubernetes_secret|conf\.|options\.|opts\.|params\.|request\.|req\.|props\.|state\.|context\.)",
)
_DULL_WORDS = Program(
    "values.dull",
    r"(?:(?:your|my|the|a|an|some|this|that|new|old|test|testing|dummy|fake|mock|sample|example|examples|demo|default|placeholder|changeme|change|me"
    r"|replace|insert|enter|here|todo|tbd|redacted|hidden|masked|removed|secret|secrets|password|passwd|pass|passphrase|pwd|token|tokens|api|key|keys"
    r"|apikey|auth|access|client|private|public|user|username|login|admin|value|string|str|int|bool|boolean|bytes|text|number|object|any|none|null|nil"
    r"|undefined|true|false|yes|no|on|off|required|optional|empty|unset|unknown|missing|invalid|wrong|foo|bar|baz|qux|abc|xyz|x+|y+|z+|n/a|na|is|of|in"
    r"|to|for|from|with|and|or|not|it|use|see|same|as|above|below|bearer|basic|digest|oauth|oauth2|jwt|json|id|name|type|field|env|const|var|let|hash"
    r"|service|account|app|application|server|db|database|host|input|output|data|file|path|url|if|else|return|get|set|prompt|stdin|ask|inherit"
    r"|refresh|session|cookie|csrf|credential|credentials|and|are|be|must|should|will|was|has)[0-9]{0,1}(?:[\s_.:/-]+|$))+",
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
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*[(\[]|(?:new|await|lambda|function|async|not|and|or|if)\b|[!&*]?[A-Za-z_]+\d{0,2}(?:(?:\.|->|::)[A-Za-z_]+\d{0,2})+[;,)]?$|[\[({]|\\[wdsSDWb]|[([]?\?[:=!P]",
)
_WORDY = Program(
    "values.wordy", r"[\[(<]?[A-Za-z]{1,60}+(?:[\s_./:,'-]{1,4}[A-Za-z]{1,60}+){0,60}[\])>.:!?;,]{0,4}$"
)
_IDENTIFIER = Program(
    "values.identifier",
    r"_{0,3}[A-Za-z]{1,60}+(?:[_.-]{1,2}[A-Za-z]{1,60}+){0,12}_?[0-9]{0,2}(?:[_.-][A-Za-z]{1,60}+){0,8}_{0,2}$",
)
_PATH = Program("values.path", r"(?:~|\.{1,2}|[A-Za-z]:|[\w@.-]{1,40})?(?:[\\/]{1,2}[\w@.+ -]{0,60}){1,40}$")
_UUID = Program("values.uuid", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", IGNORECASE)
_DATE = Program(
    "values.date",
    r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:T ]\d{1,4}){0,8}[\dZ:.+-]{0,12}$|v?\d{1,20}(?:\.\d{1,20}){1,8}(?:[-+._](?:rc|beta|alpha|dev|post)?[\d.]{0,12})?$"
    r"|\d{1,60}(?:px|em|ms|s|m|h|d|kb|mb|gb|k|%)?$",
    IGNORECASE,
)
_SCHEME = Program("values.scheme", r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://")
_RUNS = Program("values.runs", r"[a-z]+|[A-Z][a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_VOWELS = "aeiouyAEIOUY"


def placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret without being one: a reference, a template, pure placeholder words."""
    if len(set(value)) < 4 or (value.isdigit() and len(value) <= 6):
        return True
    if _REFERENCE().match(value) or value.endswith(("EXAMPLE", "EXAMPLEKEY")):
        return True
    low = value.lower()
    return (any(part in low for part in _SEQUENCES) and not mixed(value)) or _DULL_WORDS().fullmatch(
        value
    ) is not None


def mixed(value: str) -> bool:
    """Whether letters and digits change places often, as they do in what a generator made."""
    return transitions(value) >= 4


def transitions(value: str) -> int:
    """How often the character class changes; a capitalised word counts as one run, separators as none."""
    count = 0
    for run in _RUNS().findall(value[:200]):
        if run[0] not in "_-. /:":
            count += 1
    return max(count - 1, 0)


def wordy(value: str) -> bool:
    """Whether ``value`` is letters in words, without digits or unusual signs."""
    return _WORDY().match(value) is not None and not gibberish(value)


def gibberish(value: str) -> bool:
    """Whether the letters of ``value`` are no words: long runs of consonants, or capitals in odd places."""
    letters = consonants = longest = vowels = 0
    for char in value:
        if not char.isalpha():
            consonants = 0
            continue
        letters += 1
        if char in _VOWELS:
            vowels += 1
            consonants = 0
        else:
            consonants += 1
            longest = max(longest, consonants)
    if letters < 8:
        return False
    runs = sum(1 for run in _RUNS().findall(value) if run[0].isalpha())
    return longest >= 6 or vowels * 6 < letters or (runs >= 4 and letters < runs * 2.8)


def identifier(value: str) -> bool:
    """Whether ``value`` could be a name in code, at most two digits at the end of a word."""
    return _IDENTIFIER().match(value) is not None and not gibberish(value)


def code(value: str) -> bool:
    """Whether an unquoted ``value`` is a call, an index, an attribute or an expression."""
    return _CODE().match(value) is not None


def path(value: str) -> bool:
    """Whether ``value`` is a file path or a host with one; base64 with slashes is not."""
    if _PATH().match(value) is None:
        return False
    parts = [part for part in value.replace("\\", "/").split("/") if len(part) > 3]
    return sum(transitions(part) >= 3 for part in parts) * 2 <= len(parts)


def plain_data(value: str) -> bool:
    """Whether ``value`` is a date, a version, a number with a unit."""
    return _DATE().match(value) is not None


def has_scheme(value: str) -> bool:
    """Whether ``value`` is a URL, which the URL rules own."""
    return _SCHEME().match(value) is not None


def uuid(value: str) -> bool:
    """Whether ``value`` is a UUID."""
    return _UUID().match(value) is not None


def entropy(value: str) -> float:
    """Shannon entropy of the characters of ``value``, in bits a character."""
    from math import log2

    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))


def strong(value: str) -> bool:
    """Whether ``value`` alone looks generated: long and mixed, or long hexadecimal."""
    if len(value) < 16 or uuid(value) or path(value) or has_scheme(value):
        return False
    digits = sum(map(str.isdigit, value))
    if digits and all(char in "0123456789abcdefABCDEF" for char in value):
        return len(value) >= 24 and digits < len(value)
    if identifier(value) or plain_data(value):
        return False
    return (digits >= 2 and mixed(value)) or gibberish(value)


def generated(value: str) -> bool:
    """Whether ``value`` looks like a password made by a generator or a careful person, of eight characters or more."""
    if (
        not 8 <= len(value) <= 200
        or uuid(value)
        or path(value)
        or plain_data(value)
        or has_scheme(value)
        or identifier(value)
    ):
        return False
    digit = any(map(str.isdigit, value))
    alpha = any(map(str.isalpha, value))
    return digit and alpha and transitions(value) >= 3
