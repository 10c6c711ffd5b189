"""Two installations from one home are kept apart, and the second says so."""

from __future__ import annotations

import pytest

from limbeck.install import record
from limbeck.install.errors import InstallationBusy


def test_a_lock_that_another_holds_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "PATIENCE", 0.01)
    with record.locked(tmp_path):
        second = record.locked(tmp_path)
        with pytest.raises(InstallationBusy, match="Another limbeck installs"):
            second.__enter__()
