"""What somebody actually said: text without code, quotations, recalled memory, machine notices and orders
to us.

Everything here is data from outside. Fenced blocks and quotations are other people's words, so they are
left out; a paragraph that addresses the memory or the model ("ignore previous instructions", "record that
...") is dropped as a whole, since whatever it states was put there to be taken down.
"""

from __future__ import annotations

import re

LONGEST_TEXT = 20_000

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_BLOCK = re.compile(r"<([a-z][a-z0-9_-]+)(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_OPEN_BLOCK = re.compile(r"<[a-z]+(?:[_-][a-z0-9]+)+(?:\s[^<>]*)?>.*", re.DOTALL | re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_QUOTATION = re.compile(r"(?<!\w)(?:\"[^\"\n]{12,}\"|“[^”\n]{12,}”|«[^»\n]{12,}»)")
_LINK = re.compile(r"\[([^\]]{1,300})\]\([^)]{0,2000}\)")
_BLANKS, _BREAKS = re.compile(r"[^\S\n]{3,}"), re.compile(r"\n\s*\n\s*")
_MARKS = re.compile(r"\*\*|__|^\s{0,3}#{1,6}\s+", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[`]?[A-Z0-9`<])|(?<=[!?])\s+|(?<=\w{3}\.)\s+(?=[a-z])|\n+")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|mr|mrs|dr)\.$", re.IGNORECASE)
_NUMBER = re.compile(r"\bno\.$", re.IGNORECASE)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|context|above|facts?|memor)"
    r"|\b(?:system|assistant|developer)\s*(?:prompt|message|note)?\s*:"
    r"|\byou are (?:now|an?)\b|\bnew instructions?\b|\bend of (?:evidence|transcript|session|prompt)\b"
    r"|\b(?:record|store|save|add|insert|log|write|remember|memori[sz]e|output|emit|report|propose|return)\b[^.\n]{0,40}"
    r"\b(?:facts?|memory|memories|decisions?|summary|summari[sz]er|distill?er|knowledge base|as true|proposals?)\b"
    r"|\b(?:retire|invalidate|delete|supersede|drop|close|mark|erase)\b[^.\n]{0,40}\b(?:facts?|memory|memories)\b"
    r"|\b(?:distill?er|summari[sz]er|memory system|limbeck)\b[^.\n]{0,40}\b(?:must|should|has to|needs? to|shall)\b",
    re.IGNORECASE,
)

# How a fact is known is ours to say: a text that says it of itself has only said the rest.
_SOURCE = (
    r"(?:is |are |as )?(?:known|proven|proved|verified|confirmed|established|certified|vouched)"
    r" (?:from|by|in|through|for by) (?:the |a |its )?(?:code(?: ?base)?|person|people|human|model|rescan|manifests?)"
)
_CLAIMED = re.compile(
    rf"[\[(](?:[\w ]+[,;:] *)?{_SOURCE}(?: *[,;:] *[\w ]+)?[\])](?: \d{{4}}-\d\d-\d\d)?[:,]?\s*"
    rf"|^\W*(?:fact[,:]? )?{_SOURCE}(?: that\b|\s*[:;,–—-]+)\s*"
    rf"|\s*[,;–—-]+\s*{_SOURCE}(?=\s*[.!]?\s*$)"
    r"|[\[(]?\bstanding\s*[:=]\s*(?:code|person|model)\b[\])]?[,;.]?\s*",
    re.IGNORECASE | re.MULTILINE,
)

# What leads in to a label: "Also there is a bug: totals are wrong".
_LEAD = re.compile(
    r"^(?:(?:and|also|but|then|plus|oh|besides|btw|by the way)\b,?\s+)*"
    r"(?:(?:there(?:\s+is|['’]s)|we(?:\s+have|['’]ve got)|(?:i|we)\s+(?:found|saw|noticed|spotted)|"
    r"(?:this|that|here)(?:\s+is|['’]s))\s+(?:(?:also|still)\s+)?)?"
    r"(?:(?:an?|the|another|one|one more)\s+)?(?:(?:new|open|small|nasty|further|more)\s+)*"
    r"(?=[\w-]+(?: [\w-]+)?(?:\s*[:–—]|\s-\s))",
    re.IGNORECASE,
)


def without_lead(sentence: str) -> str:
    """Return a labelled ``sentence`` from its label on: of "Also there is a bug: ..." the part from "bug: ..."."""
    return _LEAD.sub("", sentence, count=1)


def without_standing(text: str) -> str:
    """Return ``text`` without what it says of how it is known ("Known from code: ...")."""
    while (shorter := _CLAIMED.sub(" ", text)) != text:
        text = shorter
    return text.strip()


def spoken(text: str) -> str:
    """Return the speaker's own words in ``text``, paragraphs kept, without marks of headings and stress."""
    return _MARKS.sub("", own_words(text)).strip()


def own_words(text: str) -> str:
    """Return the speaker's own words in ``text`` with the marks that they were written with."""
    # Long runs of blanks say nothing, and patterns would go over them again and again.
    short = _BREAKS.sub("\n\n", _BLANKS.sub("  ", text[:LONGEST_TEXT]))
    own = _OPEN_BLOCK.sub(" ", _BLOCK.sub(" ", _CODE.sub("\n", short)))
    own = _QUOTED_LINE.sub("", own)
    paragraphs = [part for part in re.split(r"\n\s*\n", own) if not _ORDERS.search(part)]
    own = without_standing("\n\n".join(paragraphs))
    return _LINK.sub(r"\1", _QUOTATION.sub(" ", own))


def sentences(text: str) -> list[str]:
    """Split a speaker's own words into sentences; list items and lines are sentences of their own."""
    found: list[str] = []
    for piece in _END.split(spoken(text)):
        part = _BULLET.sub("", piece.strip()).strip()
        if not part:
            continue
        if found and (_SHORT.search(found[-1]) or (_NUMBER.search(found[-1]) and part[0].isdigit())):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def addresses_the_memory(text: str) -> bool:
    """Say whether ``text`` gives orders to the model or the memory instead of speaking about the project."""
    return bool(_ORDERS.search(text))


def shortened(text: str, limit: int) -> str:
    """Return ``text`` in at most ``limit`` characters, cut at a word and marked where it was cut."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return flat[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
