"""``limbeck status`` shows what the shipper could not send or run, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capture import spool
from limbeck.commands.status import status


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where nothing runs, with a torn line and two errands set aside in its spool."""
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    kept = tmp_path / "spool"
    (kept / spool.ASIDE).mkdir(parents=True, mode=0o700)
    for number in range(2):
        (kept / spool.ASIDE / f"{number}.json").write_text("{}")
    (kept / "torn.jsonl").write_text("half of an")
    spool.count(str(kept), spool.TORN)
    return tmp_path


def test_what_is_torn_or_set_aside_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status()
    told = capsys.readouterr().out
    assert "1 torn line; 10 bytes of them are kept in torn.jsonl" in told
    assert "2 errands set aside" in told


def test_a_script_reads_the_same(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status(as_json=True)
    told = json.loads(capsys.readouterr().out)["spool"]
    assert (told["torn"], told["torn_bytes"], told["aside"]) == (1, 10, 2)
