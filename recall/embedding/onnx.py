"""Read the tensors out of an ONNX file: a protobuf walk over the few fields that hold weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

GRAPH, INITIALIZER = 7, 5
DIMS, DATA_TYPE, NAME, RAW = 1, 2, 8, 9
TYPES = {1: "<f4", 3: "i1", 7: "<i8"}

Tensor = NDArray[np.generic]


def tensors(data: bytes) -> dict[str, Tensor]:
    """Return every initializer of the model in ``data`` by name. Raises ValueError for what is not a model."""
    view = memoryview(data)
    found: dict[str, Tensor] = {}
    for field, value in _fields(view):
        if field == GRAPH and isinstance(value, memoryview):
            for inner, tensor in _fields(value):
                if inner == INITIALIZER and isinstance(tensor, memoryview):
                    name, array = _tensor(tensor)
                    found[name] = array
    if not found:
        raise ValueError("no tensors found")
    return found


def _tensor(view: memoryview) -> tuple[str, Tensor]:
    dims: list[int] = []
    kind, name, raw = 0, "", memoryview(b"")
    for field, value in _fields(view):
        if field == DIMS and isinstance(value, int):
            dims.append(value)
        elif field == DIMS and isinstance(value, memoryview):
            dims.extend(_packed(value))
        elif field == DATA_TYPE and isinstance(value, int):
            kind = value
        elif field == NAME and isinstance(value, memoryview):
            name = bytes(value).decode()
        elif field == RAW and isinstance(value, memoryview):
            raw = value
    array: Tensor = np.frombuffer(raw, dtype=np.uint8).view(TYPES.get(kind, "u1"))
    return name, array.reshape(dims) if dims and array.size else array


def _fields(view: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    position = 0
    while position < len(view):
        key, position = _varint(view, position)
        field, wire = key >> 3, key & 7
        if wire == 0:
            number, position = _varint(view, position)
            yield field, number
        elif wire == 2:
            size, position = _varint(view, position)
            yield field, view[position : position + size]
            position += size
        elif wire in (1, 5):
            position += 8 if wire == 1 else 4
        else:
            raise ValueError(f"wire type {wire} in a model file")


def _packed(view: memoryview) -> Iterator[int]:
    position = 0
    while position < len(view):
        number, position = _varint(view, position)
        yield number


def _varint(view: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = view[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
