"""Vectors from a provider over the network: any endpoint that speaks OpenAI's embeddings format, Voyage among them.

Texts that get here went through both nets already. The key is sent in a header and appears in no message of ours.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from recall.embedding.choose import ADDRESS, may_be_sent_to
from recall.embedding.embedder import Vectors
from recall.errors import BadProvider, EmbeddingUnavailable, TextRefused

REFUSED = {400, 413, 422}  # what a provider answers to a text that it does not take
TIMEOUT = 5.0  # seconds: a question waits for it
MOST_BYTES = 64_000_000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object, **_more: object) -> None:
        """Follow nothing: the key and the texts were meant for the one address."""


_OPENER = urllib.request.build_opener(_NoRedirects)


class Remote:
    """An embedder behind ``URL/embeddings``."""

    def __init__(self, url: str, model: str, dimension: int, key: str | None = None) -> None:
        """``url`` is the API's base, https (or http on this machine). Raises BadProvider."""
        if not may_be_sent_to(url):
            raise BadProvider(ADDRESS)
        if not model or not 8 <= dimension <= 4000:
            raise BadProvider("a model's name and a dimension from 8 to 4000 are needed")
        self.model, self.dimension = f"{urlsplit(url).hostname}/{model}/{dimension}", dimension
        self._url, self._name, self._key = f"{url.rstrip('/')}/embeddings", model, key

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text. Raises EmbeddingUnavailable, TextRefused where it may be one text's fault."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        answer = self._post({"model": self._name, "input": [text or " " for text in texts]})
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = np.asarray([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingUnavailable("the answer is not in the embeddings format") from error
        if vectors.shape != (len(texts), self.dimension):
            raise EmbeddingUnavailable(
                f"the answer has shape {vectors.shape}, not {(len(texts), self.dimension)}"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            raise EmbeddingUnavailable("the answer holds a vector without direction")
        unit: Vectors = vectors / lengths
        return unit

    def _post(self, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self._key}"} if self._key else {}
        )
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers, method="POST")  # noqa: S310 - the scheme was checked
        try:
            with _OPENER.open(request, timeout=TIMEOUT) as response:
                return json.loads(response.read(MOST_BYTES))
        except urllib.error.HTTPError as error:
            error.close()
            kind = TextRefused if error.code in REFUSED else EmbeddingUnavailable
            raise kind(f"the provider answered {error.code}") from None
        except (OSError, ValueError) as error:
            raise EmbeddingUnavailable(f"no usable answer ({type(error).__name__})") from None
