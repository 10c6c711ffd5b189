"""What the mirror holds of a session, as the distiller gets it."""

from __future__ import annotations

import pytest

from schema import evidence
from schema.evidence import load_session

from .conftest import Shelf


def test_a_session_beyond_the_limit_keeps_its_latest_of_each_kind(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = shelf.tell(
        (f"{mark}: {text}" for n in range(3) for mark, text in [
            ("P", f"Prompt {n}"),
            ("O", f"Bash | make {n} | ok"),
            ("C", f"Commit {n} | a.py"),
        ])
    )  # fmt: skip
    monkeypatch.setattr(evidence, "LIMIT", 2)
    with shelf.database.tenant(shelf.client) as connection:
        found = load_session(connection, shelf.client, session)
    assert [exchange.text for exchange in found.exchanges] == ["Prompt 1", "Prompt 2"]
    assert [observation.shape for observation in found.observations] == ["make 1", "make 2"]
    assert [commit.message for commit in found.commits] == ["Commit 1", "Commit 2"]
