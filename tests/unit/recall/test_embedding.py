"""The offline model: pinned, unit-length, near for what is near, the same in a batch as alone."""

from __future__ import annotations

import numpy as np
import pytest

from recall.embedding import minilm
from recall.embedding.onnx import tensors
from recall.embedding.wordpiece import WordPiece
from recall.errors import WeightsMismatch


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.bundled()


def test_near_is_near(model):
    texts = [
        "The schema is migrated with Alembic",
        "How do we change database tables?",
        "The cat sleeps on the sofa",
    ]
    one, other, far = model.embed(texts)
    assert one @ other > 0.3
    assert one @ far < 0.15


def test_vectors_have_length_one_whatever_the_text(model):
    vectors = model.embed(["", "a", "word " * 5000, "文字化け", "🚀", "\x00\ud800"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_a_batch_changes_nothing(model):
    texts = [f"sentence number {n} " * (n + 1) for n in range(40)]
    alone = np.vstack([model.embed([text]) for text in texts])
    assert np.allclose(model.embed(texts), alone, atol=1e-4)


def test_no_texts(model):
    assert model.embed([]).shape == (0, minilm.DIMENSION)


def test_other_weights_are_refused(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"not the model")
    with pytest.raises(WeightsMismatch, match="SHA-256"):
        minilm.MiniLM(path, path)
    with pytest.raises(WeightsMismatch, match="cannot be read"):
        minilm.MiniLM(tmp_path / "absent", path)


@pytest.mark.parametrize("data", [b"", b"\x08\x01"])
def test_a_file_without_tensors_is_no_model(data):
    with pytest.raises(ValueError, match="no tensors"):
        tensors(data)


def test_wordpiece(tmp_path):
    vocabulary = tmp_path / "vocab.txt"
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##believ", "##able", "!", "字", "cafe"]
    vocabulary.write_text("\n".join(tokens), "utf-8")
    pieces = WordPiece(vocabulary)
    assert pieces.encode("Unbelievable!", 10) == [2, 4, 5, 6, 7, 3]
    assert pieces.encode("字café", 10) == [2, 8, 9, 3]
    assert pieces.encode("zzz" + "a" * 200, 10) == [2, 1, 3]
    assert pieces.encode("un un un un", 4) == [2, 4, 4, 3]
