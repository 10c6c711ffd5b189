"""What a projection may refuse, each a sentence that ends with what to do."""

from __future__ import annotations

from schema.errors import LimbeckError


class UnsafePath(LimbeckError):
    """{path} is refused: {why}. Nothing was written there."""


class NotOurFolder(LimbeckError):
    """{folder} cannot take the bundle: {why}. Name an empty folder, or one that holds a bundle of this project."""


class NotABundle(LimbeckError):
    """{folder} is not a bundle that can be imported: {why}."""


class BrokenPage(LimbeckError):
    """{path}, line {line}: {why}. Nothing of this page was taken over."""


class UnreadableDocument(LimbeckError):
    """{name} cannot be imported: {why}."""
