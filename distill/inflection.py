"""The forms of English verbs as parts of patterns."""

from __future__ import annotations

import re

_IRREGULAR: dict[str, tuple[str, str]] = {
    "leave": ("left", "left"),
    "quit": ("quit", "quit"),
    "cut": ("cut", "cut"),
    "shut": ("shut", "shut"),
    "put": ("put", "put"),
    "lose": ("lost", "lost"),
    "forget": ("forgot", "forgotten"),
    "outgrow": ("outgrew", "outgrown"),
    "forsake": ("forsook", "forsaken"),
    "tear": ("tore", "torn"),
    "take": ("took", "taken"),
    "throw": ("threw", "thrown"),
    "wind": ("wound", "wound"),
    "send": ("sent", "sent"),
    "cast": ("cast", "cast"),
    "spin": ("spun", "spun"),
    "write": ("wrote", "written"),
    "come": ("came", "come"),
    "go": ("went", "gone"),
    "get": ("got", "gotten"),
    "run": ("ran", "run"),
    "flee": ("fled", "fled"),
    "break": ("broke", "broken"),
    "withdraw": ("withdrew", "withdrawn"),
    "shed": ("shed", "shed"),
    "sunset": ("sunset", "sunset(?:ted)?"),
    "jump ship": ("jumped ship", "jumped ship"),
    "cut over": ("cut over", "cut over"),
    "become": ("became", "become"),
    "grow": ("grew", "grown"),
    "rise": ("rose", "risen"),
    "fall": ("fell", "fallen"),
    "slide": ("slid", "slid"),
    "find": ("found", "found"),
    "win": ("won", "won"),
}
_DOUBLED = re.compile(r"(?:[^aeiou]|^|qu)[aeiou][bdgmnprt]$")
LONGEST_SYLLABLE = 4


def any_form(verbs: str) -> str:
    """Return a pattern of every form of every one of ``verbs``, words apart by spaces ("cut_over" is two)."""
    return "|".join(forms(verb.replace("_", " ")) for verb in verbs.split())


def any_participle(verbs: str) -> str:
    """The same of their past participles."""
    return "|".join(participles(verb.replace("_", " ")) for verb in verbs.split())


def forms(verb: str) -> str:
    """Return a pattern of every form of ``verb``."""
    past, participle = _past(verb)
    return "|".join(dict.fromkeys((verb, _third(verb), past, participle, _ing(verb))))


def participles(verb: str) -> str:
    """Return a pattern of the past participle of ``verb``."""
    return _past(verb)[1]


def _past(verb: str) -> tuple[str, str]:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        made = verb + "d"
    elif re.search(r"[^aeiou]y$", verb):
        made = verb[:-1] + "ied"
    else:
        made = f"{_stem(verb)}ed"
    return made, made


def _third(verb: str) -> str:
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|ch|sh|o)$", verb) else "s")


def _ing(verb: str) -> str:
    if verb in {"jump ship", "cut over"}:
        first, _, rest = verb.partition(" ")
        return f"{_ing(first)} {rest}"
    return (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else _stem(verb)) + "ing"


def _stem(verb: str) -> str:
    """ "drop" becomes "dropp" before an ending; a longer verb may or may not: "cancel", "inherit"."""
    if not (_DOUBLED.search(verb) or verb.endswith("el")):
        return verb
    return f"{verb}{verb[-1]}{'' if len(verb) <= LONGEST_SYLLABLE else '?'}"
