"""What every test gets: an environment without our settings and a HOME that is not the person's."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Take interrupts again: a shell's background jobs ignore them, and what is started would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty HOME, and no LIMBECK_*, PG*, XDG_* or provider's variable; what a command set is given back."""
    for name in list(os.environ):
        if name.startswith(("LIMBECK_", "PG", "XDG_", "ANTHROPIC_", "CLAUDE", "CODEX", "GIT_")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    mask = os.umask(0o022)
    yield home
    os.umask(mask)
