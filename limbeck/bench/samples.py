"""Made-up secrets: templates such as ``ghp_<w36>`` filled with random characters when a test or a bench runs.

``<w36>`` is 36 characters of class ``w``; ``<pw>``, ``<phrase>``, ``<spaced>``, ``<lone>``, ``<own>``, ``<tok>``,
``<hex>``, ``<uuid>``, ``<word>``, ``<user>`` and ``<host>`` are whole values. The secret part of a shape
stands between ``«`` and ``»``.
"""

from __future__ import annotations

import string
import uuid
from dataclasses import dataclass
from random import Random

_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_CLASSES = {
    "a": _LOWER,
    "l": _LOWER + _UPPER,
    "d": _DIGITS,
    "D": "123456789",
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "n": _LOWER + _DIGITS,
    "N": _UPPER + _DIGITS,
    "w": _LOWER + _UPPER + _DIGITS,
    "u": _LOWER + _UPPER + _DIGITS + "_-",
    "b": _LOWER + _UPPER + _DIGITS + "+/",
    "B": _UPPER + "234567",
}
_WORDS = [
    "amber",
    "anchor",
    "autumn",
    "basil",
    "beacon",
    "birch",
    "canyon",
    "cedar",
    "cobalt",
    "coral",
    "delta",
    "ember",
    "falcon",
    "fjord",
    "garnet",
    "harbor",
    "hazel",
    "indigo",
    "jasper",
    "juniper",
    "kestrel",
    "lagoon",
    "lantern",
    "maple",
    "meadow",
    "nectar",
    "oasis",
    "orchid",
    "pebble",
    "quartz",
    "raven",
    "saffron",
    "sierra",
    "tundra",
    "umber",
    "velvet",
    "walnut",
    "willow",
    "yarrow",
    "zephyr",
]
_USERS = ("admin", "app", "deploy", "svc-build", "alice", "bob.smith", "root", "ci_bot", "reporting")
_HOSTS = ("db.internal", "10.0.3.7", "pg-main.acme.io", "localhost", "cache01.prod.acme.net", "repo.acme.dev")
_LEET = str.maketrans("aeiost", "431057")


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, the secret in it, and the kind of shape it shows."""

    kind: str
    text: str
    secret: str


def password(rng: Random) -> str:
    """Return a password as generators and careful people make them, 9 to 24 characters."""
    word, other = rng.choice(_WORDS), rng.choice(_WORDS)
    number = str(rng.randint(10, 9999))
    form = rng.randrange(6)
    if form == 0:
        return _mixed(rng, _CLASSES["w"], rng.randint(10, 20))
    if form == 1:
        return _mixed(rng, _CLASSES["w"] + "!#%^*-_+=", rng.randint(12, 24))
    if form == 2:
        return word.title() + number + rng.choice("!#*%?") + other[:4]
    if form == 3:
        return word.translate(_LEET).title() + "-" + other.translate(_LEET) + number
    if form == 4:
        return _mixed(rng, _CLASSES["n"], rng.randint(12, 18))
    return f"{word[:4]}{number}{rng.choice('!.*')}{other.title()}{rng.randint(1, 99)}"


def _mixed(rng: Random, alphabet: str, size: int) -> str:
    while True:
        value = "".join(rng.choices(alphabet, k=size))
        if (
            value[0].isalnum()
            and value[-1].isalnum()
            and any(map(str.isdigit, value))
            and any(map(str.isalpha, value))
        ):
            return value


def phrase(rng: Random, joint: str) -> str:
    """Return a passphrase of three to six words with ``joint`` between them, and no number in it."""
    return joint.join(rng.sample(_WORDS, rng.randint(3, 6)))


def lone(rng: Random) -> str:
    """Return a password of one long word as people make them up, 8 to 14 small letters."""
    return (rng.choice(_WORDS) + rng.choice(_WORDS)[:4] + rng.choice(("", "x", "ly")))[:14]


def own(rng: Random) -> str:
    """Return a word and a number as people make passwords of them, 7 to 13 characters."""
    word = rng.choice([word for word in _WORDS if len(word) > 4])
    number = rng.randint(10, 2029)
    ends = (
        f"{number}",
        f"{rng.randint(2000, 2029)}!",
        f"_{rng.randint(100, 999)}",
        f"{rng.randint(10, 99)}!",
    )
    return rng.choice((word, word.title())) + rng.choice(ends)


def token(rng: Random) -> str:
    """Return an opaque token of 24 to 48 characters."""
    form = rng.randrange(4)
    if form == 0:
        return _mixed(rng, _CLASSES["w"], rng.randint(24, 48))
    if form == 1:
        return _mixed(rng, _CLASSES["h"], rng.choice((32, 40, 64)))
    if form == 2:
        return _mixed(rng, _CLASSES["u"], rng.randint(28, 44))
    return _mixed(rng, _CLASSES["n"], rng.randint(24, 40))


def expand(template: str, rng: Random) -> str:
    """Fill ``template`` with random characters; text outside ``<...>`` is kept."""
    out: list[str] = []
    for at, part in enumerate(template.replace("\\<", "\0").split("<")):
        name, close, rest = part.partition(">")
        made = _fill(name, rng) if at and close else None
        if at and made is None:
            out.append("<" + part)
        else:
            out.append(part if not at else f"{made}{rest}")
    return "".join(out).replace("\0", "<")


def _fill(name: str, rng: Random) -> str | None:
    whole = {
        "pw": lambda: password(rng),
        "tok": lambda: token(rng),
        "phrase": lambda: phrase(rng, "-"),
        "spaced": lambda: phrase(rng, " "),
        "lone": lambda: lone(rng),
        "own": lambda: own(rng),
        "hex": lambda: _mixed(rng, _CLASSES["h"], rng.choice((32, 40, 64))),
        "uuid": lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        "word": lambda: rng.choice(_WORDS),
        "user": lambda: rng.choice(_USERS),
        "host": lambda: rng.choice(_HOSTS),
    }
    if name in whole:
        return whole[name]()
    if len(name) > 1 and name[0] in _CLASSES and name[1:].isdigit():
        return "".join(rng.choices(_CLASSES[name[0]], k=int(name[1:])))
    return None


def sample(kind: str, template: str, rng: Random) -> Sample:
    """Return one sample of a shape; the secret is what stands between the guillemets, else the whole text."""
    text = expand(template, rng)
    before, opened, rest = text.partition("«")
    secret, closed, after = rest.partition("»")
    if not opened or not closed:
        return Sample(kind, text, text)
    return Sample(kind, before + secret + after, secret)


def leaks(made: Sample, output: str) -> bool:
    """Whether ``output`` still shows four characters in a row of the secret that its surroundings do not."""
    around = made.text.replace(made.secret, "\0")
    secret = made.secret
    return any(
        secret[at : at + 4] in output and secret[at : at + 4] not in around
        for at in range(max(len(secret) - 3, 1))
    )
