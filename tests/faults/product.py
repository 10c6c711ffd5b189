"""The whole product in a home of its own, and everything in it that can be killed or stopped."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from capture import spool
from hooks.bundle import build
from limbeck.services.addresses import addresses
from limbeck.services.state import ChildState
from limbeck.settings import Settings
from limbeck.ship import errands
from tests.acceptance.services.conftest import Cli
from workers.stream import Stream, connect


class Product:
    """``limbeck up`` in ``folder``; every method that hurts it returns what it hit."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.cli = Cli(folder / "home")
        self.home = self.cli.home
        self.at = addresses(Settings(home=self.home.path), self.home)
        self.cli.ok("up")
        self.hook = [*build(self.home.path, python).command, "claude"]

    def stream(self) -> Stream:
        return Stream(connect(self.at.redis_url), "local")

    def child(self, name: str) -> psutil.Process | None:
        state: ChildState | None = self.cli.state().children.get(name)
        return state.identity.process() if state is not None and state.identity else None

    def kill(self, name: str) -> int:
        """kill -9 one part (the supervisor starts it again); 0 where it is down at this moment."""
        process = self.child(name)
        if process is None:
            return 0
        with contextlib.suppress(psutil.Error):
            process.kill()
            return 1
        return 0

    def kill_task_process(self, chance: random.Random) -> int:
        """kill -9 one of the worker's children, perhaps in the middle of a batch."""
        with contextlib.suppress(psutil.Error, IndexError, AttributeError):
            chance.choice(self.child("worker").children()).kill()
            return 1
        return 0

    def kill_everything(self) -> int:
        """kill -9 the supervisor and all it runs, then `limbeck up`."""
        supervisor = self.cli.state().supervisor.process()
        struck = 0
        parts = [self.child(name) for name in self.cli.state().children]
        for process in [supervisor, *parts]:
            if process is None:
                continue
            for one in [process, *_children(process)]:
                with contextlib.suppress(psutil.Error):
                    one.kill()
                    struck += 1
        self.cli.ok("up")
        return int(struck > 0)

    def stall(self, chance: random.Random) -> int:
        """SIGSTOP one part for a while: the connection stays, nothing answers."""
        process = self.child(chance.choice(("redis", "postgres", "worker")))
        if process is None:
            return 0
        with contextlib.suppress(psutil.Error):
            together = [process, *_children(process)]
            for one in together:
                one.suspend()
            time.sleep(chance.uniform(0.3, 3.0))
            for one in together:
                with contextlib.suppress(psutil.Error):
                    one.resume()
            return 1
        return 0

    def stop_and_start(self) -> int:
        self.cli.ok("down")
        self.cli.ok("up")
        return 1

    def settled(self) -> bool:
        """Whether nothing waits anywhere."""
        folder = self.home.spool
        with contextlib.suppress(Exception):
            return not (
                self.stream().waiting()
                or errands.waiting(folder)
                or _spooled(folder)
                or spool.full(str(folder))
            )
        return False


def _children(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def _spooled(folder: Path) -> int:
    files = [
        path for path in folder.iterdir() if path.name == spool.CURRENT or path.name.startswith(spool.SEALED)
    ]
    return sum(len(path.read_bytes().strip()) for path in files)


def inject(product: Product, kind: str, chance: random.Random, kill_hooks: Callable[..., int]) -> int:
    """Do one fault of this kind."""
    return {
        "hook": lambda: kill_hooks(chance),
        "task process": lambda: product.kill_task_process(chance),
        "worker": lambda: product.kill(chance.choice(("worker", "worker", "distiller"))),
        "redis": lambda: product.kill("redis"),
        "postgres": lambda: product.kill("postgres"),
        "everything": product.kill_everything,
        "stall": lambda: product.stall(chance),
        "stop and start": product.stop_and_start,
    }[kind]()


class Poison:
    """Kills whichever process takes one entry, every time, as an event would that its worker cannot survive."""

    def __init__(self, product: Product, line: bytes, times: int) -> None:
        self._stream, self._times = product.stream(), times
        self._over = threading.Event()
        self.struck: set[tuple[bytes, int]] = set()
        self.entry = self._stream.redis.xadd(self._stream.key, {"e": line}).decode()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.004):
            with contextlib.suppress(Exception):
                self._strike()

    def _strike(self) -> None:
        stream = self._stream
        found = stream.redis.xpending_range(stream.key, "ingest", min=self.entry, max=self.entry, count=1)
        for row in found:
            seen = (row["consumer"], row["times_delivered"])
            if row["times_delivered"] <= self._times and seen not in self.struck:
                os.kill(int(row["consumer"].decode().split(":")[1]), signal.SIGKILL)
                self.struck.add(seen)
