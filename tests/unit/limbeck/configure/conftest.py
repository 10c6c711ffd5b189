"""A home with a settings file."""

from __future__ import annotations

from pathlib import Path

import pytest


class Kept:
    """A home and what its settings file says."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / "config.toml"

    def write(self, text: str, mode: int = 0o600) -> None:
        self.home.mkdir(mode=0o700, exist_ok=True)
        self.path.write_text(text)
        self.path.chmod(mode)

    @property
    def text(self) -> str:
        return self.path.read_text()


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "a home")
