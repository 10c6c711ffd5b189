"""The owner's way to the database."""

from __future__ import annotations

import pytest

from schema.database import owner
from schema.errors import DatabaseUnavailable
from schema.migrate import check


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with (
        pytest.raises(DatabaseUnavailable, match="does not answer"),
        owner("postgresql://127.0.0.1:1/x") as engine,
        engine.connect(),
    ):
        pass
    with pytest.raises(DatabaseUnavailable, match="does not answer"):
        check("postgresql://127.0.0.1:1/x")
