"""What can go wrong in recall."""

from typing import ClassVar

from schema.errors import LimbeckError


class RecallError(LimbeckError):
    """Recall could not be done"""


class BadQuestion(RecallError):
    """The question cannot be searched for"""

    usage: ClassVar[bool] = True


class EmbeddingUnavailable(RecallError):
    """The embedding provider gave no vectors"""

    permanent = False


class TextRefused(EmbeddingUnavailable):
    """The embedding provider refused a text"""

    permanent = True


class WeightsMismatch(RecallError):
    """The embedding model's file is not the one this version is pinned to"""


class BadProvider(RecallError):
    """The embedding provider's settings do not fit together"""
