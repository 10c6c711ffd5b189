"""Which value a sentence puts in the place of one that stands, where its wording fits no pattern of the grammar.

A value arrives by its place: after "to", "onto", "in favour of", before "instead of", as the subject of a clause
beside the one that tells of the end. Of known technologies one of the same kind is enough; of numbers, days and
regions one of the same shape. Two that could be meant are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from distill.departures import MARK
from distill.inflection import any_form, forms
from distill.shapes import DATE, is_date, is_quantity, is_region, is_version
from distill.values import kind_of_value, same, tidy, value_key

_NAME = r"(?P<N>[A-Z@][\w.+#@-]*(?: [A-Z][\w.+#-]*){0,2})"
_TAKES = (
    r"(?:(?:has |have |had )?(?:took|taken|takes?|taking) (?:over|its|his|her|their|the)|(?:has |"
    r"have )?(?:replaced?s?|"
    r"superseded?s?|succeed(?:s|ed)?|inherit(?:s|ed)?|won|wins)|(?:does|do|handles?|runs?|carries|powers|hosts?|"
    r"serves?|"
    r"sends?|collects?|picks?|is in|is what|it is|is it|now|steps? in|moved? in|has|signs?|holds?|keeps?|fills?|"
    r"stores?|process(?:es)?|manages?|delivers?|provides?|covers?|drives?|caches|queues|schedules?|monitors|tracks?|"
    r"ships?|builds?|draws?|gets|is our|is the|from (?:now|here)))"
)
_BESIDE = (
    rf"{_NAME} (?:instead of|in place of|rather than|in lieu of|over|where|not) (?:the |our |old )*{MARK}"
)
_PLACED = (
    re.compile(
        rf"{MARK}[^.;:!?]*?\b(?:to|onto|into|in favou?r of|over to|for|4) (?:the |our |a )?{_NAME}\b(?!['’])"
    ),
    re.compile(rf"\b(?:hello|hi|welcome)(?: to)?,? (?:the |our )?{_NAME}\b"),
    re.compile(_BESIDE),
    re.compile(rf"{MARK} ?(?:->|=>|→|➜) ?{_NAME}"),
    re.compile(
        rf"\b(?:replac\w+|swapp?\w*|trad\w+|exchang\w+)[^.;]*{MARK}[^.;]*? (?:with|by|for) {_NAME}\b(?!['’])"
    ),
    re.compile(
        rf"\b(?:took|chose|picked|adopted|introduced|put|gave) (?:the |our )?{_NAME}\b(?= instead|\s*$|[,.;]| in |"
        rf" the )"
    ),
    re.compile(rf"(?:^|[,.;:–—-] |\band |\bso |\bbut )(?:now |the |our )?{_NAME}(?:,? now)? {_TAKES}\b"),
    re.compile(
        rf"(?:^|[,.;:–—-] |\band |\bso )(?:now )?(?:it['’]?s|its|it is|we have|we['’]re on|"
        rf"we are on) (?:all )?{_NAME}\b"
    ),
    re.compile(
        rf"\b(?:to|onto|into|on|at|by|via|over|through|in) {_NAME}(?: (?:now|instead|today|these days|nowadays|"
        rf"from|since)|\s*[,.;]|\s*$)"
    ),
    re.compile(rf"(?:^|[,;:] ){_NAME} in(?=\s*[,.;]|\s*$)"),
)
_SPOILT = re.compile(
    r"(?:than|like|vs\.?|versus|against|from|not|about|unlike|nor|except|without|compared to|off|leaving|dropped|"
    r"of|tried|trying|evaluated|considered)\s+(?:the |our |old )*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"@?[\w][\w.+#@/-]*[\w+#]|[A-Za-z]")
_NUMBER = re.compile(r"(?<![\w.-])v?\d[\d_.]*(?:[ -]?(?:%|[A-Za-z]+))?(?![\w.])")
_MEASURED = re.compile(r"(?:ms|s|sec|second|min|minute|h|hour|day|week|month|year|%|[kmgt]i?b)$")
_DAY = re.compile(rf"\b(?:{DATE})", re.IGNORECASE)
_PERSON = r"(?P<N>@?[A-Z][a-z'’-]+)"
_HOLDERS = (
    re.compile(rf"\b(?:ask|talk to|speak to|ping|contact|to|by|with|it['’]?s) {_PERSON}\b"),
    re.compile(
        rf"\b{_PERSON} (?:now )?(?:has|owns|takes?|took|inherit\w*|does|runs|leads|picks? up|picked up|is on|"
        rf"handles)\b"
    ),
)
_NO_PERSON = {
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "The",
    "We",
    "It",
    "Please",
}
_FINITE = re.compile(
    rf"^(?:{forms('do')}|is|are|was|were|has|have|the|our|we|it|all|this|that|they|everyone|you|now)$"
)


def arrived(marked: str, value: str, *, person: bool = False) -> str | None:
    """Return the one value that ``marked`` (a sentence with MARK for ``value``) puts in its place, or None.

    With ``person`` the values are people.
    """
    found = {value_key(name): name for name in _offered(marked, value, person) if not same(name, value)}
    return next(iter(found.values())) if len(found) == 1 else None


def _offered(marked: str, value: str, person: bool) -> Iterator[str]:
    if person:
        yield from (m["N"] for one in _HOLDERS for m in one.finditer(marked) if m["N"] not in _NO_PERSON)
    elif is_date(value):
        yield from (m[0] for m in _DAY.finditer(marked) if is_date(m[0]))
    elif is_quantity(value) or is_version(value):
        yield from _numbers(marked, value)
    elif is_region(value):
        yield from (word for word in _WORD.findall(marked) if is_region(word))
    elif kind := kind_of_value(value):
        yield from rivals(marked, kind)
    else:
        yield from _placed(marked)


def rivals(text: str, kind: str) -> Iterator[str]:
    """Yield the known technologies of ``kind`` that ``text`` names, outside comparisons."""
    words = list(_WORD.finditer(text))
    taken = -1
    for index, word in enumerate(words):
        if word.start() < taken:
            continue
        pair = text[word.start() : words[index + 1].end()] if index + 1 < len(words) else ""
        for name in (pair, word[0]):
            if name and kind_of_value(name) == kind and not _SPOILT.search(text[: word.start()]):
                taken = word.start() + len(name)
                yield tidy(name)
                break


def _numbers(marked: str, value: str) -> Iterator[str]:
    unit = _unit(value)
    for match in _NUMBER.finditer(marked):
        number = tidy(match[0])
        bare = re.sub(r"[ -]?[A-Za-z%]+$", "", number)
        if _unit(number) == unit and not _SPOILT.search(marked[: match.start()]):
            yield number
        elif not unit and not _MEASURED.match(_unit(number)):
            yield bare


def _unit(value: str) -> str:
    found = re.search(r"([A-Za-z%]+)$", value)
    return re.sub(r"s$", "", found[1].lower()) if found else ""


def _placed(marked: str) -> Iterator[str]:
    """Names in a place that only what comes instead has: written like names, for anything may stand there."""
    for pattern in _PLACED:
        for match in pattern.finditer(marked):
            name = tidy(match["N"])
            if _FINITE.match(name.lower()) or name in _NO_PERSON or is_date(name):
                continue
            if not _SPOILT.search(marked[: match.start("N")]):
                yield name


CHANGES = any_form(
    "become move switch change grow rise double halve raise lower bump cut slide slip shift postpone rebuild "
    "rewrite port "
    "convert lift migrate relocate land inherit adopt swap extend shorten triple reschedule"
)
_NEWS = re.compile(
    r"\b(?:now|nowadays|these days|today|tonight|as of|since (?:this|last|yesterday|today|\w+day|v?\d)|new|newly|"
    r"instead|"
    r"finally|from (?:now|today|here|\w+day) on(?:wards?)?|going forward|changed hands|took over|taken over|"
    r"switched sides|"
    rf"{CHANGES})\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|were|be|become|became|on|onto|in|into|to|with|by|through|via|over|at|now|it['’]?s|for|"
    r"use|using|have|"
    r"uses)|[=:,]|->|→)\s+(?:the |our |all |just |now |plain |about |up to |down to )*$",
    re.IGNORECASE,
)
_AFTER_IT = re.compile(
    rf"^(?:['’]s (?:now|job|business|turf|duty|thing|problem)\b|(?:,? now)?,? {_TAKES}\b)", re.IGNORECASE
)
_COMPARED = re.compile(
    r"\b(?:against|benchmark\w*|compar\w+|faster|slower|better|worse|versus|vs|demo|tutorial|article|docs?|bug in|"
    r"issue in|"
    r"tried|test(?:ed|ing)|look(?:ed|ing) at|evaluat\w*|should|would|could|might|may|not|never|n['’]t|no|if|"
    r"whether|once|until|"
    r"after|before|plan\w*|want\w*|wish\w*|think\w*|also|too(?=\s*[.,;!]|\s*$)|as well|besides|additionally|"
    r"only for|locally|my)\b|n['’]t\b",
    re.IGNORECASE,
)


def brings_news(text: str) -> bool:
    """Say whether ``text`` has a word of news at all."""
    return bool(_NEWS.search(text))


def told_of(text: str, value: str, *, person: bool = False) -> str | None:
    """Return the one value of the kind of ``value`` that ``text`` brings as news, where ``value`` is not named."""
    if not _NEWS.search(text) or _COMPARED.search(_DAY.sub("", text)):
        return None
    found = {}
    for name in _of_kind(text, value, person):
        start = text.find(name)
        if start < 0:
            continue
        if person or _BEFORE.search(text[:start]) or _AFTER_IT.match(text[start + len(name) :]):
            found[value_key(name)] = name
    return next(iter(found.values())) if len(found) == 1 else None


def _of_kind(text: str, value: str, person: bool) -> Iterator[str]:
    if (
        person
        or is_date(value)
        or is_quantity(value)
        or is_version(value)
        or is_region(value)
        or kind_of_value(value)
    ):
        yield from _offered(text, value, person)
    else:
        yield from _names(text)


def _names(text: str) -> Iterator[str]:
    """Words written like names, but for the first word of a sentence unless a verb of use follows."""
    for match in re.finditer(r"(?<![\w.@/-])[A-Z][\w+#.-]*[\w+#](?: [A-Z][\w+#.-]*)*", text):
        if (
            match[0].split()[0] not in _NO_PERSON
            and kind_of_value(match[0]) is None
            and not is_date(match[0])
        ):
            yield match[0]
