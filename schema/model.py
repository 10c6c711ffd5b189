"""What is asked of a language model, who pays for it, and how that can fail. Whoever asks is handed an ``Asks``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from schema.errors import LimbeckError


@dataclass(frozen=True, slots=True)
class Form:
    """What the model is told, and the one tool that it must call: its name, what it is for, its JSON schema."""

    instructions: str
    tool: str
    purpose: str
    schema: Mapping[str, Any]


class Payer(Protocol):
    """Whose budget pays: the day's cap of the client, and the cap of one session (or of one run, by its id)."""

    @property
    def client(self) -> str:
        """Return the client."""

    @property
    def project(self) -> str:
        """Return the project's id."""

    @property
    def session(self) -> str:
        """Return the id of the session or run."""


class Asks(Protocol):
    """Somebody who can ask a model."""

    @property
    def model(self) -> str:
        """Return the model's name."""

    def ask(self, about: Payer, text: str, output_tokens: int = ..., form: Form = ...) -> object:
        """Return what the model gave the form's tool. Raises ModelError."""


class ModelError(LimbeckError):
    """The model could not be asked."""


class SpendCapReached(ModelError):
    """The model's {which} cap is reached ({spent} of {cap}). Sessions wait or are distilled offline; raise
    {setting} to go on."""

    permanent = False


class ModelUnavailable(ModelError):
    """The model did not answer: {why}. The session is tried again later."""

    permanent = False


class ModelRefused(ModelError):
    """The model refused the request: {why}."""


class ReplyCut(ModelError):
    """The model's reply was cut at {tokens} tokens."""

    permanent = False


class ReplyMalformed(ModelError):
    """The model's reply did not fit the form that was asked for: {why}."""

    permanent = False
