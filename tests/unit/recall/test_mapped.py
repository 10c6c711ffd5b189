"""Weights that processes share: the same numbers as one's own, kept private, and never taken from a changed file."""

from __future__ import annotations

import hashlib
import stat

import numpy as np
import pytest

from recall.embedding import mapped, minilm

ARRAYS = {
    "words": np.arange(-6, 6, dtype=np.int8).reshape(3, 4),
    "scale": np.array([[0.5], [0.25], [2.0]], dtype=np.float32),
    "one": np.array([7.5], dtype=np.float32),
}
TEXTS = ["which database do the orders use?", "a", ""]


def kept(path):
    mapped.write(path, ARRAYS)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_what_was_written_is_read_back_and_cannot_be_changed(tmp_path):
    sha256 = kept(tmp_path / "inner" / "arrays")
    found = mapped.read(tmp_path / "inner" / "arrays", sha256)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)
        assert found[name].ctypes.data % mapped.ALIGNED == 0
        with pytest.raises(ValueError, match="read-only"):
            found[name][0] = 1
    assert stat.S_IMODE((tmp_path / "inner" / "arrays").stat().st_mode) == 0o600
    assert [one.name for one in (tmp_path / "inner").iterdir()] == ["arrays"]


def test_another_file_than_the_one_meant_is_not_read(tmp_path):
    path = tmp_path / "arrays"
    sha256 = kept(path)
    whole = path.read_bytes()
    assert mapped.read(tmp_path / "none", sha256) is None
    for damaged in (
        b"",
        whole[:-1],
        whole + b"x",
        bytes([whole[0] ^ 1]) + whole[1:],
        whole[:-70] + b"x" + whole[-69:],
    ):
        path.write_bytes(damaged)
        assert mapped.read(path, sha256) is None


def test_what_was_read_stays_when_the_file_goes(tmp_path):
    path = tmp_path / "arrays"
    found = mapped.read(path, kept(path))
    path.unlink()
    assert np.array_equal(found["words"], ARRAYS["words"])


@pytest.fixture
def load(tmp_path):
    """The model with its weights in a folder, loaded as another process would."""

    def loaded(folder=tmp_path / "model"):
        minilm.bundled.cache_clear()
        return minilm.bundled(folder)

    yield loaded
    minilm.bundled.cache_clear()


def test_shared_weights_give_the_same_vectors(load, tmp_path):
    own = load(None).embed(TEXTS)
    assert np.array_equal(load().embed(TEXTS), own)  # makes the file
    made = (tmp_path / "model" / minilm.UNPACKED).stat()
    assert stat.S_IMODE(made.st_mode) == 0o600
    assert np.array_equal(load().embed(TEXTS), own)  # maps it
    assert (tmp_path / "model" / minilm.UNPACKED).stat().st_mtime_ns == made.st_mtime_ns


def test_a_changed_file_is_made_anew(load, tmp_path):
    own = load().embed(TEXTS)
    path = tmp_path / "model" / minilm.UNPACKED
    whole = bytearray(path.read_bytes())
    whole[-1000] ^= 64
    path.write_bytes(whole)
    assert np.array_equal(load().embed(TEXTS), own)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == minilm.UNPACKED_SHA256


def test_where_nothing_can_be_kept_the_model_is_ones_own(load, tmp_path):
    (tmp_path / "taken").write_text("no folder")
    assert load(tmp_path / "taken").embed(TEXTS).shape == (3, 384)
