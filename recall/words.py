"""Text to countable words: plain words (stemmed later, by Postgres) and exact identifiers.

Splitting is ours and not a text-search parser's, because questions about code name ``resetTest``, ``reset_test.go``
and ``ERR-1042`` and must find both the whole name and its parts. An exact name carries ``EXACT`` in front, so that it
is never stemmed and never mistaken for a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

EXACT = "="
LONGEST = 64  # a longer run is a digest, a token or noise: nobody asks by it
MOST_WORDS = 30_000

_CHUNK = re.compile(r"[^\s,;()\[\]{}<>\"'`´‘’“”|=!?*&^%$~\\،؛؟。、「」…]+")
_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+")
_PLAIN = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+")
_RUN_ON = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)


def fold(text: str) -> str:
    """Bring ``text`` to one spelling: compatibility forms, no accents, no NUL or lone surrogates; case is kept."""
    if text.isascii():
        return text.replace("\x00", " ")
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
    composed = unicodedata.normalize("NFKD", clean)
    return unicodedata.normalize("NFC", "".join(c for c in composed if unicodedata.category(c) != "Mn"))


def words(text: str) -> Iterator[str]:
    """Yield every word of ``text`` in order, lower-case; exact names come with ``EXACT`` in front."""
    for chunk in _CHUNK.findall(fold(text)):
        yield from _of_chunk(chunk)


def counted(text: str) -> Counter[str]:
    """Count the words of ``text``; beyond ``MOST_WORDS`` words the rest is left out."""
    counts: Counter[str] = Counter()
    for number, word in enumerate(words(text)):
        if number >= MOST_WORDS:
            break
        counts[word] += 1
    return counts


def sequence(text: str) -> list[str]:
    """Return the plain words of ``text`` in order, for phrase comparison."""
    return [part.lower() for part in _PART.findall(fold(text))]


def names(text: str) -> list[str]:
    """Return the exact names (identifiers, paths, codes) that ``text`` holds, without the mark, in order."""
    return [word[len(EXACT) :] for word in words(text) if word.startswith(EXACT)]


def _of_chunk(chunk: str) -> Iterator[str]:
    if _PLAIN.fullmatch(chunk):
        if len(chunk) <= LONGEST:
            yield chunk.lower()
        return
    whole = chunk.strip(".:-/@#+_").rstrip("s'’") if chunk.endswith("'s") else chunk.strip(".:-/@#+_")
    parts = _PART.findall(chunk)
    if not parts:
        yield from (symbol for symbol in chunk if unicodedata.category(symbol) == "So")
        return
    if _is_name(whole, parts) and len(whole) <= LONGEST * 4:
        yield EXACT + whole.lower()
        if "/" in whole:
            yield EXACT + whole.rsplit("/", 1)[-1].lower()
    for part in parts:
        yield from _of_part(part)


def _is_name(whole: str, parts: list[str]) -> bool:
    """True for what a person would copy rather than type: inner punctuation, digits, capitals inside."""
    if len(parts) > 1:
        return not whole.isspace()
    return bool(whole) and whole.isascii() and not _PLAIN.fullmatch(whole)


def _of_part(part: str) -> Iterator[str]:
    if len(part) > LONGEST:
        return
    if not part.isascii() and _RUN_ON.search(part):
        yield from _run_on(part.lower())
        return
    yield part.lower()
    pieces = _CAMEL.findall(part)
    if len(pieces) > 1:
        yield from (piece.lower() for piece in pieces if len(piece) > 1)


def _run_on(part: str) -> Iterator[str]:
    """Scripts written without spaces: every pair of neighbours, and a lone character as itself."""
    position = 0
    for run in _RUN_ON.finditer(part):
        if run.start() > position:
            yield part[position : run.start()]
        letters = run.group()
        if len(letters) == 1:
            yield letters
        yield from (letters[i : i + 2] for i in range(len(letters) - 1))
        position = run.end()
    if position < len(part):
        yield part[position:]
