"""What distilling and correcting facts can refuse."""

from __future__ import annotations

from typing import ClassVar

from schema.errors import LimbeckError, NotFound, Refused


class DistillError(LimbeckError):
    """The session could not be distilled."""


class NoSuchFact(DistillError, NotFound):
    """There is no fact {fact}: give its id, or as many of the first characters as no other fact's has."""

    def __init__(self, fact: str) -> None:
        """``fact`` is what was asked for."""
        super().__init__(what="fact", name=fact, fact=fact)


class ManyFacts(DistillError):
    """Several facts begin with {fact}: give more of the id."""


class NotCurrent(DistillError):
    """The fact {fact} is not current: restore it first."""


class StillCurrent(DistillError):
    """The fact {fact} is current: there is nothing to restore."""


class SlotTaken(DistillError):
    """The fact {fact} cannot come back: "{other}" stands in its place. Retire or undo that one first."""


class NoSuchFlag(DistillError, NotFound):
    """There is no open flag {flag}: `limbeck review` lists what waits for a decision."""

    def __init__(self, flag: str) -> None:
        """``flag`` is what was asked for."""
        super().__init__(what="open review", name=flag, flag=flag)


class EmptyText(DistillError):
    """A fact needs a statement with words in it."""

    usage: ClassVar[bool] = True


class ProjectHasFacts(Refused):
    """The project has facts of its own already, and only an empty one can take over a bundle's."""
