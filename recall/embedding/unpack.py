"""From the model's file to the arrays that are computed with: widened, scaled, what is used together put together."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from recall.embedding.onnx import Tensor, tensors

LAYERS, HEADS, HEAD = 6, 12, 32
BIASES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)

Floats = NDArray[np.float32]


def unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the model in ``data`` by names of ours: ``words`` (int8), everything else float32.

    The same on every machine: each number comes of one multiplication or addition.
    """
    named = tensors(data)
    found: dict[str, NDArray[Any]] = {
        # A copy: a view would keep the whole file in memory.
        "words": named["inner.embeddings.word_embeddings.weight_q"].copy(),
        "word_scale": _floats(named["inner.embeddings.word_embeddings.weight_scale"]).reshape(-1, 1),
        "positions": _positions(named),
    }
    found |= _norm(named, "inner.embeddings.LayerNorm", "norm")
    return found | _layers(named)


def _floats(tensor: Tensor) -> Floats:
    return tensor.astype(np.float32)


def _norm(named: dict[str, Tensor], name: str, ours: str) -> dict[str, Floats]:
    return {f"{ours}.{part}": _floats(named[f"{name}.{part}"]) for part in ("weight", "bias")}


def _positions(named: dict[str, Tensor]) -> Floats:
    """Position rows with the one token-type row added: it is the same for every token."""
    places = _floats(named["inner.embeddings.position_embeddings.weight_q"])
    scale = _floats(named["inner.embeddings.position_embeddings.weight_scale"]).reshape(-1, 1)
    return cast(Floats, places * scale + _floats(named["inner.embeddings.token_type_embeddings.weight"])[0])


def _layers(named: dict[str, Tensor]) -> dict[str, Floats]:
    """Six matrices a layer, in the order of the graph: query, key, value, attention out, up, down."""
    numbers = sorted(
        int(name.split("_")[1]) for name in named if name.startswith("val_") and name.endswith("_q")
    )
    matrices = [
        _floats(named[f"val_{n}_q"]) * _floats(named[f"val_{n}_scale"]).reshape(1, -1) for n in numbers
    ]
    shrink = np.float32(HEAD**-0.5)
    found: dict[str, Floats] = {}
    for i in range(LAYERS):
        at = f"inner.encoder.layer.{i}"
        bias = [_floats(named[f"{at}.{part}.bias"]) for part in BIASES]
        q, k, v, out, up, down = matrices[i * 6 : i * 6 + 6]
        found[f"{i}.qkv.weight"] = np.hstack([q * shrink, k, v])
        found[f"{i}.qkv.bias"] = np.hstack([bias[0] * shrink, bias[1], bias[2]])
        for name, weight, own in (("out", out, bias[3]), ("up", up, bias[4]), ("down", down, bias[5])):
            found |= {f"{i}.{name}.weight": weight, f"{i}.{name}.bias": own}
        found |= _norm(named, f"{at}.attention.output.LayerNorm", f"{i}.norm")
        found |= _norm(named, f"{at}.output.LayerNorm", f"{i}.last_norm")
    return found
