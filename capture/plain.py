"""A cheap look that tells most events apart: strings made of plain words alone hold no secret.

It saves a hook the whole of redaction on an ordinary tool call. It is strict: whatever is not a word, a short
number, a UUID or an agent's own call id is left to redaction (tests hold the two to the same answer).
"""

from __future__ import annotations

from capture.naming import wordlike

# Signs that may stand between words; any other sign but letters and digits makes a string not plain.
_BETWEEN = str.maketrans("/._-~+*|&;<>()[]\n…", " " * 18)
# Words that a token may begin with and go on in words: written out by chance or not, redaction decides.
_STARTS = (
    "glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-",
    "glwt-", "glcbt-", "dckr_", "github_pat_", "xox", "xapp-", "sk-", "sk_", "pk_", "rk_", "hvs.", "hvb.", "ATATT",
)  # fmt: skip
_IDS = ("toolu_", "call_")
_HEX = frozenset("0123456789abcdef")


def plain(strings: list[str]) -> bool:
    """Whether none of ``strings`` can hold a secret, by the look of their words."""
    text = "\n".join([one for one in strings if not _known_id(one)])
    if any(start in text for start in _STARTS):
        return False
    return all(
        piece.isascii() and piece.isalnum() and wordlike(piece)
        for piece in set(text.translate(_BETWEEN).split())
    )


def _known_id(text: str) -> bool:
    """Whether ``text`` is a UUID, or a call's id as agents make them."""
    if len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-":
        return _HEX.issuperset(text.replace("-", ""))
    return len(text) <= 40 and text.startswith(_IDS) and text.partition("_")[2].isalnum()
