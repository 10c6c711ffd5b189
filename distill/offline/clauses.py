"""From a sentence to its main clause and its reason, and on to the parts that each state something."""

from __future__ import annotations

import re

from distill.offline.spelling import in_full
from distill.shapes import DATE

_REASON = re.compile(
    r"(?:[,;:(–—]|\s-)?\s*\b(?P<why>because(?: of)?|(?<=, )since|since(?! (?:yesterday|today|last|the|v?\d))|"
    r"so that|so we|due to|in order to|to avoid|given that|otherwise|which (?:is|lets|gives|means)|thanks to|"
    r"as (?:it|we|they|this|that|the \w+ (?:is|are|was|does|has))|"
    r"for (?:performance|safety|simplicity|speed|reliability) reasons)\b",
    re.IGNORECASE,
)
_ANNOUNCED = (
    r"ok(?:ay)?|yes|yeah|yep|sure|right|great|good|fine|perfect|nice|alright|well|actually|also|cool|thanks|hm+|oh|ah",
    r"nah|nope|no(?=[,;:.!–—-]| (?:we|let's|it's|keep|stay)\b)|scratch [\w.+#-]+(?=,)|forget [\w.+#-]+(?=,)|"
    r"quick note|tl;?dr",
    rf"(?:(?:starting|effective|beginning|as of|as from|from) )(?:on )?(?:{DATE}|next (?:week|month|sprint|release))"
    r"(?: on(?:wards)?)?",
    r"(?:because|since|given that|now that|as) [^,.]{4,160}(?=, (?!and\b|or\b))",
    r"and|then|so|but|btw|fyi",
    r"note|noted|done|correction|update|reminder|heads[- ]up|fact|for the record|just so you know|to be clear",
    r"please (?:remember|keep in mind)(?: that)?|by the way|as of (?:today|now|this \w+)|from now on|going forward",
    r"since (?:yesterday|today|last \w+)|now(?= we\b)|from (?:the )?(?:next|this) \w+ on(?:wards)?",
    r"as discussed|as agreed|good news|one more thing|please note|note that|remember(?: that)?|today|yesterday",
    r"(?:starting|effective|from) (?:today|now|immediately|this \w+)|(?:new|final|our) decision",
    r"in (?:this project|our stack)",
    r"keep in mind(?: that)?|be aware(?: that)?|last week|this week|in the end|finally",
    r"after (?:[\w-]+ ){1,7}?(?=(?:we|i)\b)|after (?:[\w-]+ ?){1,7}(?=,)",
    r"convention(?: for this repo| here)?|rule(?: for the \w+)?|decision|the decision is(?: that)?",
    r"(?:we|i)(?:'ve| have)? (?:agreed|decided) that|it turns out(?: that)?|we can confirm(?: that)?",
)
_OPENING = re.compile(rf"^(?:(?:{'|'.join(_ANNOUNCED)})(?:\s*[,:;.–—-]?\s+|(?<=\s)))+", re.IGNORECASE)
_DELAY = re.compile(
    rf"\b(?:starting|effective|beginning|as of|as from)(?: on)? (?:{DATE}|next (?:week|month|sprint|release))|"
    rf"\bfrom (?:{DATE}) on(?:wards)?",
    re.IGNORECASE,
)
_SERIAL = re.compile(
    r"^\[?#?\d{1,6}[\].):]\s+|^\[?(?:serial|item|fact|no)\.?\s*#?\d+[\].:)]*\s*", re.IGNORECASE
)
_PARTS = re.compile(
    r"\s*;\s*|\s+[–—-]\s+|,\s+(?:and|but|so|while)\s+(?=(?:we|the|our|it|i|this|please|use|never|always)\b)"
    r"|\s+but\s+(?=(?:we|the|our|it)\b)|,\s+(?=(?:we|never|the|it|this|that|they|there|its)\b)"
    r"|:\s+(?=(?:we|the|our|it|they|this)\b)|(?<!owners)(?<!ports)(?<!versions):\s+(?=\S+ (?:is|are|runs|listens|"
    r"owns)\b)",
    re.IGNORECASE,
)
# "A owns billing, B owns search" and "A runs on port 1 and B runs on port 2" are two statements each.
_FINITE = r"(?:runs?|listens?|is|are|owns?|uses?|goes|lives?|needs?|handles?|takes?)"
_TWO = re.compile(
    rf"(?<=\w)(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:the |our )?[\w.-]+(?: [\w-]+)? {_FINITE}\b)", re.IGNORECASE
)
_LISTED = re.compile(
    r"(?P<what>owner|port|version|deadline)s:\s+(?=\S+(?: \S+)? (?:is|are|runs?|listens?) )", re.IGNORECASE
)
_VERB = re.compile(rf"\b{_FINITE}\b", re.IGNORECASE)
_GAP = re.compile(
    rf"(?P<whole>.*?(?P<verb>\b{_FINITE} (?:on|in|to|at|with)(?: port)?) \S+?),?(?: and|,) "
    r"(?:the )?(?P<who>[\w.-]+(?: [\w-]+)?) (?:on|in|to|at|with)(?: port)? (?P<what>[\w.:/-]+)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"(?:for|as|in|on|instead of|rather than)(?: [\w-]+){1,4}", re.IGNORECASE)
_HEADED = re.compile(
    r"^(?P<what>[\w-]+(?: [\w-]+){0,3}):\s+(?=we (?:now )?(?:use|run|have|chose|picked)\b)", re.IGNORECASE
)
_ASIDE = re.compile(r"\s*\([^)]*\)")


def delay_in(sentence: str) -> str:
    """Return from when on a sentence says that it holds ("starting Monday"), or ''."""
    match = _DELAY.search(sentence)
    return match[0] if match else ""


def main_clause(sentence: str) -> str:
    """Return ``sentence`` without its reason and its opening words."""
    return opened(without_reason(sentence))


def without_reason(sentence: str) -> str:
    """Return the part of ``sentence`` before its reason."""
    match = _REASON.search(sentence)
    return sentence[: match.start()].rstrip(" ,;:(-–—") if match and match.start() > 10 else sentence


def reason_in(sentence: str) -> str:
    """Return the reason ``sentence`` itself gives, or ''."""
    match = _REASON.search(sentence)
    return sentence[match.start("why") :].strip() if match and match.start() > 10 else ""


def opened(sentence: str) -> str:
    """Return ``sentence`` without serial numbers, interjections and announcements at its start."""
    bare = _SERIAL.sub("", sentence.strip())
    shorter = _OPENING.sub("", bare)
    return shorter if len(shorter.split()) >= 2 or shorter.endswith("is.") else bare


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence that could each state a fact, reasons and asides removed."""
    found = []
    whole = _HEADED.sub(r"for \g<what>, ", opened(_ASIDE.sub("", in_full(sentence))))
    for part in (each for joined in _joined(_split(whole)) for each in _each(joined)):
        clause = main_clause(part).strip(" ,;:-–—.!")
        if clause:
            found.append(clause)
    return found


def _split(sentence: str) -> list[str]:
    return [sentence] if _GAP.fullmatch(sentence.strip(" .!")) else _PARTS.split(sentence)


def _each(part: str) -> list[str]:
    """The statements that stand side by side in ``part``, each with its verb."""
    if listed := _LISTED.match(part):
        each = re.split(r",\s+(?:and\s+)?|\s+and\s+", part[listed.end() :])
        return [f"the {listed['what']} of {one}" if " is " in one else one for one in each]
    if gap := _GAP.fullmatch(part.strip(" .!")):
        return [gap["whole"], f"{gap['who']} {gap['verb']} {gap['what']}"]
    found = [""]
    for piece in _TWO.split(part):
        if _VERB.search(found[-1]):
            found.append(piece)
        else:
            found[-1] = f"{found[-1]}, {piece}" if found[-1] else piece
    return found if len(found) > 1 else [part]


def _joined(parts: list[str]) -> list[str]:
    """Put "For logging" back before "we use structlog"."""
    found: list[str] = []
    for part in parts:
        if found and _PURPOSE.fullmatch(found[-1].strip()):
            found[-1] = f"{found[-1].strip()}, {part}"
        else:
            found.append(part)
    return found
