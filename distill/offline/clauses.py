"""From a sentence to its main clause and its reason, and on to the parts that each state something."""

from __future__ import annotations

import re

_REASON = re.compile(
    r"(?:[,;:(–—]|\s-)?\s*\b(?P<why>because(?: of)?|(?<=, )since|since(?! (?:yesterday|today|last|the|v?\d))|"
    r"so that|so we|due to|in order to|to avoid|given that|otherwise|which (?:is|lets|gives|means)|thanks to|"
    r"as (?:it|we|they|this|that|the \w+ (?:is|are|was|does|has))|"
    r"for (?:performance|safety|simplicity|speed|reliability) reasons)\b",
    re.IGNORECASE,
)
_ANNOUNCED = (
    r"ok(?:ay)?|yes|yeah|yep|sure|right|great|good|fine|perfect|nice|alright|well|actually|also",
    r"and|then|so|but|btw|fyi",
    r"note|noted|done|correction|update|reminder|heads[- ]up|fact|for the record|just so you know|to be clear",
    r"please (?:remember|keep in mind)(?: that)?|by the way|as of (?:today|now|this \w+)|from now on|going forward",
    r"since (?:yesterday|today|last \w+)",
    r"as discussed|as agreed|good news|one more thing|please note|note that|remember(?: that)?|today|yesterday",
    r"(?:starting|effective) (?:today|now|immediately|this \w+)|(?:new|final|our) decision",
    r"in (?:this project|our stack)",
    r"keep in mind(?: that)?|be aware(?: that)?|last week|this week|in the end|finally",
    r"after (?:[\w-]+ ){1,7}?(?=(?:we|i)\b)|after (?:[\w-]+ ?){1,7}(?=,)",
    r"convention(?: for this repo| here)?|rule(?: for the \w+)?|decision|the decision is(?: that)?",
    r"(?:we|i)(?:'ve| have)? (?:agreed|decided) that|it turns out(?: that)?|we can confirm(?: that)?",
)
_OPENING = re.compile(rf"^(?:(?:{'|'.join(_ANNOUNCED)})(?:\s*[,:;.–—-]?\s+|(?<=\s)))+", re.IGNORECASE)
_SERIAL = re.compile(
    r"^\[?#?\d{1,6}[\].):]\s+|^\[?(?:serial|item|fact|no)\.?\s*#?\d+[\].:)]*\s*", re.IGNORECASE
)
_PARTS = re.compile(
    r"\s*;\s*|\s+[–—]\s+|,\s+(?:and|but|so|while)\s+(?=(?:we|the|our|it|i|this|please|use|never|always)\b)"
    r"|\s+but\s+(?=(?:we|the|our|it)\b)|,\s+(?=(?:we|never|the|it|this|that|they|there|its)\b)"
    r"|:\s+(?=(?:we|the|our|it|they|this)\b)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"(?:for|as|in|on|instead of|rather than)(?: [\w-]+){1,4}", re.IGNORECASE)
_HEADED = re.compile(
    r"^(?P<what>[\w-]+(?: [\w-]+){0,3}):\s+(?=we (?:now )?(?:use|run|have|chose|picked)\b)", re.IGNORECASE
)
_ASIDE = re.compile(r"\s*\([^)]*\)")


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
    whole = _HEADED.sub(r"for \g<what>, ", opened(_ASIDE.sub("", sentence)))
    for part in _joined(_PARTS.split(whole)):
        clause = main_clause(part).strip(" ,;:-–—.!")
        if clause:
            found.append(clause)
    return found


def _joined(parts: list[str]) -> list[str]:
    """Put "For logging" back before "we use structlog"."""
    found: list[str] = []
    for part in parts:
        if found and _PURPOSE.fullmatch(found[-1].strip()):
            found[-1] = f"{found[-1].strip()}, {part}"
        else:
            found.append(part)
    return found
