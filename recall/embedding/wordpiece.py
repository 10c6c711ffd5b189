"""WordPiece: text to the token numbers the MiniLM weights were trained on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

LONGEST_WORD = 100
UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"


class WordPiece:
    """A vocabulary and the greedy longest-match split over it."""

    def __init__(self, vocabulary: Path) -> None:
        """``vocabulary`` holds one token a line, its number being the line's."""
        lines = vocabulary.read_text(encoding="utf-8").splitlines()
        self._numbers = {token: number for number, token in enumerate(lines)}
        self._word = lru_cache(maxsize=20_000)(self._split)

    def encode(self, text: str, limit: int) -> list[int]:
        """Return at most ``limit`` token numbers of ``text``, with the start and end marks."""
        numbers = [self._numbers[START]]
        for word in _words(text[: limit * 40]):
            numbers.extend(self._word(word))
            if len(numbers) >= limit:
                break
        return [*numbers[: limit - 1], self._numbers[END]]

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self._numbers[UNKNOWN],)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = word[start:end] if start == 0 else "##" + word[start:end]
                number = self._numbers.get(piece)
                if number is not None:
                    break
                end -= 1
            else:
                return (self._numbers[UNKNOWN],)
            pieces.append(number)
            start = end
        return tuple(pieces)


def _words(text: str) -> Iterator[str]:
    """Lower-case, without accents, split at spaces, punctuation and every CJK character."""
    word: list[str] = []
    for character in unicodedata.normalize("NFD", text.lower()):
        category = unicodedata.category(character)
        if category == "Mn" or character in "\x00\ufffd":
            continue
        space = character.isspace() or category == "Zs"
        if not space and category.startswith("C"):
            continue
        if space or _alone(character, category):
            if word:
                yield "".join(word)
                word = []
            if not space:
                yield character
        else:
            word.append(character)
    if word:
        yield "".join(word)


def _alone(character: str, category: str) -> bool:
    """Punctuation (every ASCII symbol counts) and CJK ideographs stand for themselves."""
    code = ord(character)
    if code < 128:
        return not character.isalnum()
    return category.startswith("P") or any(
        low <= code <= high
        for low, high in (
            (0x4E00, 0x9FFF),
            (0x3400, 0x4DBF),
            (0x20000, 0x2A6DF),
            (0x2A700, 0x2CEAF),
            (0xF900, 0xFAFF),
            (0x2F800, 0x2FA1F),
        )
    )
