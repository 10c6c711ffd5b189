"""What a commit's message says it delivers: "fixes BU3001, FE2002 and TA4001". Pure.

fix, fixes, fixed, close(s), closed, resolve(s), resolved, in any case, then one or many numbers. Between the keyword
and the first number may stand a colon, a scope ("fix(auth): BU3001") or a noun ("fixes the bug BU3001"); numbers of
other trackers in the list are passed over. A negated keyword ("does not fix BU3001") and the subject that a revert
quotes deliver nothing.
"""

from __future__ import annotations

import re

LONGEST = 20_000

_TYPES = "US|FE|BU|TA|PO|RE"
_NUMBER = rf"(?:{_TYPES})-?[0-9]{{4,9}}(?!\w)"
_OTHER = r"(?:#[0-9]+|[a-z][a-z0-9_]{0,19}-[0-9]+)(?!\w)"
_ENTRY = rf"[\[(#`]{{0,2}}(?:{_NUMBER}|{_OTHER})[\])`]{{0,2}}"
_GAP = r"[ \t]{1,4}"
_JOINED = (
    r"(?:\s{0,4}[,;&+/]\s{0,4}(?:and\s{1,4})?"  # a comma may end a line
    rf"|\s{{1,4}}and\s{{1,4}}|{_GAP})"
)
_NOUN = r"(?:the\s{1,4})?(?:bug|feature|task|policy|policies|requirement|use\s{1,4}case|item|issue)s?"
_DELIVERS = re.compile(
    rf"(?<![\w-])(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)"
    rf"(?:\([^()\n]{{0,60}}\))?!?(?:[ \t]{{0,4}}:\s{{0,4}}|{_GAP}|\n[ \t]{{0,4}})"
    rf"(?:{_NOUN}:?\s{{1,4}})?"
    rf"(?P<list>{_ENTRY}(?:{_JOINED}{_ENTRY})*)",
    re.IGNORECASE,
)
_ONE = re.compile(rf"(?<!\w)(?P<type>{_TYPES})-?(?P<serial>[0-9]{{4,9}})(?!\w)", re.IGNORECASE)
_NEGATED = re.compile(r"(?:\bnot|n't|\bnever|\bcannot|\bwithout)\s{1,4}(?:\w{1,12}\s{1,4})?\Z", re.IGNORECASE)
_REVERT = re.compile(r"\A\s*revert\b[^\n]*", re.IGNORECASE)


def delivered(message: str) -> tuple[str, ...]:
    """Return the numbers that ``message`` delivers, upper case, once each, in order."""
    text = _REVERT.sub("", message[:LONGEST])
    found: dict[str, None] = {}
    for match in _DELIVERS.finditer(text):
        if _NEGATED.search(text[max(0, match.start() - 40) : match.start()]):
            continue
        for one in _ONE.finditer(match["list"]):
            found[f"{one['type'].upper()}{int(one['serial'])}"] = None
    return tuple(found)


def mentioned(message: str) -> tuple[str, ...]:
    """Return every number that occurs in ``message``, delivered or not."""
    found = (f"{one['type'].upper()}{int(one['serial'])}" for one in _ONE.finditer(message[:LONGEST]))
    return tuple(dict.fromkeys(found))
