"""Which embedder the settings mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from recall.embedding.embedder import Embedder

OFFLINE = "offline"
PROVIDERS = (OFFLINE, "off", "openai", "voyage")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
ADDRESS = "the address must be https, or http on this machine"
# url, model, dimension where the settings say nothing
DEFAULTS = {
    "openai": ("https://api.openai.com/v1", "text-embedding-3-small", 1536),
    "voyage": ("https://api.voyageai.com/v1", "voyage-code-3", 1024),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """``provider`` is one of PROVIDERS; the rest is for the two over the network, None meaning the usual.

    ``folder`` is where processes share the offline model's weights; without one each has its own.
    """

    provider: str = OFFLINE
    url: str | None = None
    model: str | None = None
    dimension: int | None = None
    key: str | None = field(default=None, repr=False)
    folder: Path | None = None


def may_be_sent_to(url: str) -> bool:
    """Whether texts may go to ``url``: over https, or inside this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def chosen(choice: Choice) -> Embedder | None:
    """Return the embedder, loaded; None where meaning is not searched. Raises BadProvider, WeightsMismatch."""
    if choice.provider == "off":
        return None
    if choice.provider == OFFLINE:
        from recall.embedding.minilm import bundled

        return bundled(choice.folder)
    from recall.embedding.remote import Remote

    url, model, dimension = DEFAULTS[choice.provider]
    return Remote(choice.url or url, choice.model or model, choice.dimension or dimension, choice.key)
