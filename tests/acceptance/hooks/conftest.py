"""Real hooks: the stub and the bundle in a home of their own, run as an agent runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capture.config import HookConfig, Queue, write
from hooks.bundle import BUNDLE, FOLDER, build
from limbeck.services.binaries import valkey_server
from tests.acceptance.hooks.waiting import until

PYTHON = Path(os.path.realpath(sys.executable))


class Hook:
    """One home with its hook."""

    def __init__(self, home: Path, bundle: bytes) -> None:
        self.home = home
        self.spool = home / "spool"
        home.mkdir(mode=0o700)
        self.command = list(build(home, Path("/nonexistent/python")).command)
        self.command[0] = str(PYTHON)
        self.bundle = home / FOLDER / BUNDLE
        self.bundle.write_bytes(bundle)
        write(home, HookConfig("local", str(self.spool)))

    def use(self, queue: Queue) -> None:
        """Tell the hook of a queue."""
        write(self.home, HookConfig("local", str(self.spool), queue))

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        """Start it; standard input is a pipe unless ``options`` say otherwise."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([*self.command, *arguments], **{**pipes, "bufsize": 0, **options})

    def run(
        self, agent: str, payload: object, *arguments: str, timeout: float | None = None, **options: Any
    ) -> None:
        """Run it to its end, which must be silent and a success."""
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        process = self.start(agent, *arguments, **options)
        out, err = process.communicate(raw, timeout=timeout)
        assert (process.returncode, out or b"", err or b"") == (0, b"", b"")

    def lines(self) -> list[bytes]:
        """What the spool holds."""
        current = self.spool / "current.jsonl"
        return [line for line in current.read_bytes().split(b"\n") if line] if current.exists() else []

    def events(self) -> list[dict[str, Any]]:
        """What the spool holds, decoded."""
        return [json.loads(line) for line in self.lines()]


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bundle for this interpreter, made once."""
    home = tmp_path_factory.mktemp("bundle")
    assert build(home, PYTHON).bundled
    return (home / FOLDER / BUNDLE).read_bytes()


@pytest.fixture
def hook(tmp_path: Path, bundle: bytes) -> Hook:
    """A hook that spools."""
    return Hook(tmp_path / "home", bundle)


@pytest.fixture
def plain_hook(tmp_path: Path) -> Hook:
    """A hook without a bundle."""
    made = Hook(tmp_path / "plain-home", b"")
    made.bundle.unlink()
    return made


@pytest.fixture
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a server of the test's own."""
    folder = tmp_path_factory.mktemp("q")
    path = folder / "s"
    settings = ["--port", "0", "--unixsocket", str(path), "--save", "", "--dir", str(folder)]
    process = subprocess.Popen(
        [str(valkey_server()), *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until(path.exists)
        yield path
    finally:
        process.kill()
        process.wait()
