"""``limbeck spool`` beside a running shipper."""

from __future__ import annotations

import pytest

from limbeck.main import main
from limbeck.ship.loop import lock


def test_a_spool_that_another_ships_is_nothing_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    with lock(tmp_path / "spool"), pytest.raises(SystemExit) as end:
        main(["spool", "drain"])
    assert end.value.code == 0
    assert "ships it already" in capsys.readouterr().out


def test_one_file_is_told_as_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "current.jsonl").write_text('{"v":1,"at":1}\n')
    with pytest.raises(SystemExit) as end:
        main(["spool", "status"])
    assert end.value.code == 0
    assert "in 1 file and 0 errands" in capsys.readouterr().out
