"""What one clause states."""

from __future__ import annotations

from dataclasses import dataclass

from distill.slots import CHOICE


@dataclass(frozen=True, slots=True)
class Claim:
    """What one clause states. ``replaces`` and ``stated`` as in Proposal; ``owner`` is whose subject it
    is, ``form`` the kind of sentence that stated it.
    """

    subject: str
    value: str
    attribute: str = CHOICE
    owner: str = ""
    scope: str = ""
    replaces: str | None = None
    negated: bool = False
    stated: bool = True
    wording: str = ""
    form: str = ""
