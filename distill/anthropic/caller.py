"""The one module that talks to the model provider: a request, its retries, its errors and its price."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2
from anthropic import Anthropic
from anthropic.types import Message

from distill.anthropic.reply import SESSION_FORM
from distill.spend import Usage, ceiling
from distill.store.spend import Ledger, Reservation
from schema.model import Form, ModelRefused, ModelUnavailable, Payer, ReplyCut, ReplyMalformed

DEFAULT_MODEL = "claude-haiku-4-5"
ATTEMPTS = 3
Failure = anthropic.APIError | httpx2.TransportError  # a stream that breaks off raises the transport's own
LONGEST_PAUSE = 30.0  # seconds; a provider that asks for more is asked again by a later task
TIMEOUT = 60.0  # seconds without a byte
OUTPUT_TOKENS = 4_096


@dataclass(frozen=True, slots=True)
class Caller:
    """Asks one model; every request is reserved in the ledger before it is sent."""

    client: Anthropic
    ledger: Ledger
    model: str = DEFAULT_MODEL
    stream: bool = True
    pause: Callable[[float], None] = field(default=time.sleep)

    def ask(
        self, about: Payer, text: str, output_tokens: int = OUTPUT_TOKENS, form: Form = SESSION_FORM
    ) -> object:
        """Return the input of the tool the model called; ``about`` names whose budget pays.

        Raises SpendCapReached before a request would pass a cap, ModelUnavailable after the last attempt,
        ModelRefused, ReplyCut and ReplyMalformed.
        """
        last: ModelUnavailable | None = None
        for attempt in range(ATTEMPTS):
            most = ceiling(self.model, form.instructions + text, output_tokens)
            reservation = self.ledger.reserve(about.client, about.project, about.session, self.model, most)
            try:
                message = self._sent(text, output_tokens, form)
            except (anthropic.APIError, httpx2.TransportError) as error:
                wait = self._failed(reservation, error, attempt)
                last = ModelUnavailable(why=_reason(error))
                if attempt + 1 < ATTEMPTS:
                    self.pause(wait)
                continue
            self.ledger.settle(reservation, _usage(message), message.stop_reason or "")
            return _tool_input(message, form.tool)
        raise last or ModelUnavailable(why="no attempt was made")

    def _sent(self, text: str, output_tokens: int, form: Form) -> Message:
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": output_tokens,
            "system": [{"type": "text", "text": form.instructions, "cache_control": {"type": "ephemeral"}}],
            "tools": [{"name": form.tool, "description": form.purpose, "input_schema": dict(form.schema)}],
            "tool_choice": {"type": "tool", "name": form.tool},
            "messages": [{"role": "user", "content": text}],
        }
        if not self.stream:
            message: Message = self.client.messages.create(**request)
            return message
        with self.client.messages.stream(**request) as stream:
            return stream.get_final_message()

    def _failed(self, reservation: Reservation, error: Failure, attempt: int) -> float:
        """End the reservation; return the pause before the next attempt, or raise where another cannot
        help.
        """
        reason = _reason(error)
        if not isinstance(error, anthropic.APIStatusError):
            self.ledger.unknown(reservation, reason)
            return 2.0**attempt
        status = error.status_code
        if status in {429, 503, 529}:
            self.ledger.release(reservation, reason)
        elif status >= 500:
            self.ledger.unknown(reservation, reason)
        else:
            self.ledger.release(reservation, reason)
            raise ModelRefused(why=reason) from error
        wait = _retry_after(error, 2.0**attempt)
        if wait > LONGEST_PAUSE:
            raise ModelUnavailable(why=f"{reason}, it asks to wait {wait:.0f} s") from error
        return wait


def connect(api_key: str, base_url: str | None = None, timeout: float = TIMEOUT) -> Anthropic:
    """Return the official client; retries are ours, so that each one is reserved."""
    return Anthropic(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=0)


def _tool_input(message: Message, tool: str) -> object:
    if message.stop_reason == "refusal":
        raise ModelRefused(why="it declined to answer")
    if message.stop_reason in {"max_tokens", "model_context_window_exceeded"}:
        raise ReplyCut(tokens=message.usage.output_tokens)
    for block in message.content:
        if block.type == "tool_use" and block.name == tool:
            return block.input
    raise ReplyMalformed(why="it did not call the tool")


def _usage(message: Message) -> Usage:
    used = message.usage
    return Usage(
        input=used.input_tokens,
        output=used.output_tokens,
        cache_read=used.cache_read_input_tokens or 0,
        cache_write=used.cache_creation_input_tokens or 0,
    )


def _reason(error: Failure) -> str:
    """What happened in a few words; the provider's own text may repeat what was sent, so it is left out."""
    if isinstance(error, anthropic.APIStatusError):
        return f"status {error.status_code}"
    late = isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException)
    return "no answer in time" if late else "the connection failed"


def _retry_after(error: anthropic.APIStatusError, otherwise: float) -> float:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", otherwise)))
    except ValueError:
        return otherwise
