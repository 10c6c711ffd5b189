"""What a model call may cost: prices, caps, and the highest price of a call before it is made.

Money is whole millionths of a US dollar (micro-dollars): integers add up without rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

MICRO = 1_000_000
BYTES_PER_TOKEN = 2  # English runs at about four, code at three, CJK at two to three: never an underestimate
OVERHEAD_TOKENS = 1_500  # tool schema, roles and the provider's own framing


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    @property
    def cache_write(self) -> float:
        """Writing the five-minute cache costs a quarter more than plain input."""
        return self.input * 1.25

    @property
    def cache_read(self) -> float:
        """Reading the cache costs a tenth of plain input."""
        return self.input * 0.1


# The longest name that begins a model's id gives its price; an unknown model counts as the dearest.
PRICES = {
    "claude-haiku-4-5": Price(1.0, 5.0),
    "claude-sonnet-4": Price(3.0, 15.0),
    "claude-opus-4": Price(15.0, 75.0),
}
DEAREST = Price(15.0, 75.0)


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that may be reserved and spent; calls are counted per session, retries included."""

    daily_microusd: int = MICRO
    session_microusd: int = MICRO // 4
    daily_tokens: int = 2_000_000
    session_tokens: int = 400_000
    session_calls: int = 12


def caps(daily_usd: float, session_usd: float) -> Caps:
    """Return the caps for amounts in US dollars; tokens and calls keep their own limits."""
    return Caps(daily_microusd=round(daily_usd * MICRO), session_microusd=round(session_usd * MICRO))


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens a call used, as the provider counts them."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def tokens(self) -> int:
        """All tokens together."""
        return self.input + self.output + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most one call can cost."""

    microusd: int
    tokens: int


def price_of(model: str) -> Price:
    """Return the price of ``model``."""
    known = [name for name in PRICES if model.startswith(name)]
    return PRICES[max(known, key=len)] if known else DEAREST


def ceiling(model: str, sent: str, max_output_tokens: int) -> Ceiling:
    """Return the most a call with this text and output limit can cost; input is priced as a cache write."""
    price = price_of(model)
    tokens = ceil(len(sent.encode("utf-8", "replace")) / BYTES_PER_TOKEN) + OVERHEAD_TOKENS
    return Ceiling(
        ceil(tokens * price.cache_write + max_output_tokens * price.output), tokens + max_output_tokens
    )


def cost(model: str, usage: Usage) -> int:
    """Return what a call cost, in micro-dollars, rounded up."""
    price = price_of(model)
    return ceil(
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
    )


def dollars(microusd: int) -> str:
    """Return an amount as people read it: "$0.0123"."""
    return f"${microusd / MICRO:.4f}"
