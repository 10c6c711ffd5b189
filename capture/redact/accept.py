"""Whether a value found under a secret's name is a secret itself, judged by where it stands."""

from capture.redact import looks, names, told, values
from capture.redact.places import CODE, ENV, FLAG, LINE

_SIGNS = frozenset("!@#$%^&*?~+=")
_LABELLING = (":", "=", "=>", ":=", "?=", "is", "->", "==", ">", "eq", "%3D", "%3d")
_LONG_WORD = 8
_REFERRED = ("id=", "type=", "name=", "src=", "source=", "env=")  # ``--secret id=npm`` names one
_AFTER = ("", "\n", "\r", " ", "\t", '"', "'", ",", ";", ".", "\\")


def quoted(value: str, sure: int, op: str, compound: bool = False) -> bool:
    """Whether a quoted ``value`` under a name as ``sure`` as that is a secret; ``op`` is what joins the two.

    ``compound``: the name can be nothing else, so that words under it are a secret, too.
    """
    if len(value) < 4 or values.placeholder(value) or values.has_scheme(value):
        return False
    if op in _LABELLING and sure >= names.SECRET and _quoted_words(value, sure, compound):
        return True
    if looks.wordy(value) or values.plain_data(value):
        return False
    if sure == names.WEAK:
        return values.strong(value)
    if " " in value or "\n" in value:
        return sure == names.PASSWORD and len(value) <= 64 and any(map(values.generated, value.split()))
    if looks.path(value) or (values.code(value) and not (sure == names.PASSWORD and _dotted(value))):
        return False
    if values.uuid(value):
        return True
    digit = any(map(str.isdigit, value))
    if op in ("(", ","):
        if sure == names.PASSWORD and told.personal(value):
            return True
        return values.likely(value) or values.strong(value)
    if sure == names.SECRET:
        return len(value) >= 8 and (digit or looks.gibberish(value)) and not looks.identifier(value)
    return digit or looks.gibberish(value) or not _SIGNS.isdisjoint(value)


def bare(value: str, sure: int, style: int, op: str, following: str, compound: bool = False) -> bool:
    """Whether an unquoted ``value`` is a secret; ``following`` is the character after it. ``compound`` as above."""
    if len(value) < 4 or values.placeholder(value) or values.has_scheme(value):
        return False
    if sure == names.WEAK:
        named = (
            op != " " or style == FLAG or not values.hexadecimal(value)
        )  # "RSA key 0123..." is a fingerprint
        return named and values.strong(value) and not values.code(value)
    if looks.path(value) or (values.code(value) and not (style == ENV and "(" not in value)):
        return False
    if values.uuid(value):
        return True
    if values.plain_data(value):
        return sure == names.PASSWORD and value.isdigit() and len(value) >= 7
    worded = compound and told.named(value) and told.alone(value) and following not in ("(", "[")
    if style == FLAG:
        return (
            value[0] != "-"
            and not value.startswith(_REFERRED)
            and not told.said(value)
            and (sure == names.PASSWORD or not looks.wordy(value) or worded or _flagged(value))
        )
    digit = any(map(str.isdigit, value))
    if sure == names.SECRET and style in (ENV, LINE) and op != " " and told.passphrase(value):
        return True
    if sure == names.SECRET and worded and (style == ENV or (style == LINE and op == ":")):
        return True
    if style == ENV:
        return digit or not looks.wordy(value) or (sure == names.PASSWORD and len(value) >= 6)
    if (
        sure == names.PASSWORD
        and following not in ("(", "[")
        and _words(value, style if op != " " or compound else CODE)
    ):
        return True
    if looks.wordy(value):
        return False
    if style == LINE:
        return _on_its_line(value, sure, digit)
    if (
        sure == names.PASSWORD
        and (op in ("=", ":") or (op == " " and compound))
        and following not in ("(", "[", ".")
        and told.personal(value)
    ):
        return True
    if looks.identifier(value):
        return False
    if op == " ":
        return values.likely(value) and following in _AFTER
    if following in ("(", "[") or len(value) < 6:
        return False
    return values.generated(value) or looks.gibberish(value) or (digit and sure == names.PASSWORD)


def _quoted_words(value: str, sure: int, compound: bool) -> bool:
    if sure == names.PASSWORD:
        return told.words(value)
    return told.passphrase(value) or (compound and told.named(value))


def _flagged(value: str) -> bool:
    """Whether one word after ``--secret`` is the secret, and not the name that one goes by."""
    return value.isalpha() and value.islower() and len(value) >= _LONG_WORD and told.lone(value)


def _dotted(value: str) -> bool:
    """Whether only a dot makes code of ``value``, as generated passwords may have one."""
    return value.replace(".", "").isalnum() and looks.transitions(value) >= 3 and not looks.wordlike(value)


def _words(value: str, style: int) -> bool:
    return told.passphrase(value) or (style == LINE and "_" not in value and told.alone(value))


def _on_its_line(value: str, sure: int, digit: bool) -> bool:
    if sure == names.PASSWORD:
        return digit or not looks.identifier(value)
    if looks.identifier(value) and not (digit and looks.transitions(value) > 2):
        return False
    return len(value) >= 8 and (digit or looks.gibberish(value))
