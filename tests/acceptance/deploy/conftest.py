"""One team's deployment for the tests of this folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .team import Team


@pytest.fixture(scope="package")
def team() -> Iterator[Team]:
    """Database and queue as compose.yaml runs them, with roles and schema."""
    path = Path(tempfile.mkdtemp(prefix="limbeck-team-", dir="/tmp"))
    made = Team(path)
    try:
        made.start_postgres()
        made.make_roles()
        made.start_queue()
        migrated = made.limbeck("migrate")
        assert migrated.returncode == 0, migrated.stderr
        yield made
    finally:
        made.stop()
        shutil.rmtree(path)
