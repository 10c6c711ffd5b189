"""The one small process that `up` leaves: it owns, reaps and restarts the servers and the worker.

It holds ``run/lock`` as long as it lives, so there is one of it. Everything heavy (Celery, SQLAlchemy, the
migrations) runs in children. What it knows is in ``run/state.json``.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from typing import Any

from capture.config import write
from limbeck.configure import holding
from limbeck.errors import StartFailed
from limbeck.server import address, owner
from limbeck.services import state as states
from limbeck.services.addresses import addresses
from limbeck.services.bell import Bell
from limbeck.services.binaries import prune_programs
from limbeck.services.bundles import Bundles
from limbeck.services.child import Identity, last_of
from limbeck.services.duty import Duty
from limbeck.services.highwater import HighWater
from limbeck.services.home import Home
from limbeck.services.hookfile import hook_config
from limbeck.services.kept import Kept, Service
from limbeck.services.leftovers import end_leftovers
from limbeck.services.logs import shorten
from limbeck.services.processor import require_vector_instructions
from limbeck.services.program import python_command
from limbeck.services.server import SERVER, Server
from limbeck.services.shipper import Shipper
from limbeck.services.state import Phase, State
from limbeck.services.taking import Taking
from limbeck.services.turn import take
from limbeck.services.unfinished import sweep
from limbeck.services.valkey import Valkey
from limbeck.services.worker import WORKERS, Worker
from limbeck.settings import Settings, child_environment, load
from schema.errors import LimbeckError
from schema.failures import places, told
from schema.logs import quietly

LOOK_EVERY = 0.25  # seconds between two looks at what is due
# With the process's number: several starts at once write to one log, and each is asked for its own last word.
LINE = "%(asctime)s %(process)d %(levelname)s %(message)s"
log = logging.getLogger("limbeck.supervisor")


class StopAsked(BaseException):
    """Raised where we wait, once somebody asked us to stop."""


def reached(home: Home) -> tuple[str, str] | None:
    """The address of the server that runs here and the owner's token for it, None until there are both."""
    url, token = address.read(home.run), owner.read(home.path)
    return (url, token) if url and token else None


class Supervisor:
    """Starts everything in order, keeps it running, stops it in the opposite order."""

    def __init__(self, settings: Settings, home: Home) -> None:
        """Nothing is touched yet."""
        self.settings, self.home = settings, home
        self.addresses = addresses(settings, home)
        self.state = State(
            Identity.own(),
            since=time.time(),
            held=holding.held(settings),
            given=holding.given(settings),
        )
        self.kept: list[Kept] = []
        self.shipper = Shipper(
            home.path, self.addresses.redis_url, self._told if settings.server == "on" else None
        )
        self.stop_asked = Bell()
        self._warnings: list[str] = []
        self._environment = child_environment(settings)
        self.bundles = Bundles(settings, home, self.addresses.redis_url, self._environment)

    def run(self) -> int:
        """Live; returns the exit code once stopped: 0 on request, 1 where the start failed."""
        try:
            self._begin()
            self._keep()
        except StopAsked:
            self._end(Phase.STOPPED, None)
            return 0
        except LimbeckError as error:
            log.error("%s", error)
            self._end(Phase.FAILED, str(error))
        except Exception as error:
            log.error("the supervisor cannot go on: %s", places(error))
            self._end(Phase.FAILED, told(error))
        return 1

    def _told(self) -> tuple[str, str] | None:
        """Where briefs are asked for; None while none are wanted."""
        return reached(self.home) if self.settings.inject != "off" else None

    def pause(self, seconds: float) -> None:
        """Wait, or raise StopAsked."""
        if self.stop_asked.heard(seconds):
            raise StopAsked

    def _begin(self) -> None:
        before = states.read(self.home.run)
        self._tell("making room")
        end_leftovers(self.home, before)
        if left := sweep(self.home):
            log.info("what a killed process left half-written is gone: %s", ", ".join(left))
        if (copies := self.home.state / "programs").is_dir():
            prune_programs(copies)
        if self.settings.embedded_redis:
            self._start("redis", self.home.valkey())
        if self.settings.embedded_database:
            require_vector_instructions()
            postgres = self.home.postgres()
            self._tell("postgres")
            postgres.init()
            self._start("postgres", postgres)
            postgres.make_database()
        self._tell("schema")
        self.state.warnings = self._warnings = self._prepare()
        self._tell_hooks(self.settings)
        self.shipper.start()
        for name, words in WORKERS.items():
            ready, log_file = self.home.run / f"{name}.ready", self.home.logs / f"{name}.log"
            self._start(name, Worker(ready, log_file, self._environment, words))
        if self.settings.server == "on":
            self._start_server()
        self.state.phase, self.state.step = Phase.READY, ""
        self._tell("")
        log.info("ready")

    def _keep(self) -> None:
        high_water = HighWater(self.settings, self.home, self.addresses.redis_url)
        self.taking = Taking(self.settings, self.kept, high_water, self._tell_hooks)
        duties = [
            Duty("the settings", 1.0, self._follow),
            Duty("the children", 0.5, self._watch),
            Duty("the queue's length", 1.0, high_water.look),
            Duty("the kept bundles", 2.0, self.bundles.look),
            Duty("the logs", 60.0, lambda: shorten(self.home.logs)),
        ]
        duties += [
            Duty("the queue's flush", 1.0, k.service.flush)
            for k in self.kept
            if isinstance(k.service, Valkey)
        ]
        while True:
            self.pause(LOOK_EVERY)
            for duty in duties:
                duty.do_when_due()
            if self.state.full != high_water.full:
                self.state.full = high_water.full
                self._tell("")

    def _follow(self) -> None:
        noted = self.taking.look()
        self.settings = self.taking.settings
        if noted:
            self.state.warnings = [*self._warnings, *self.taking.notes]
            self._tell("")

    def _tell_hooks(self, settings: Settings) -> None:
        write(self.home.path, hook_config(settings, self.addresses.redis_url, self.home.spool))

    def _watch(self) -> None:
        changed = [kept for kept in self.kept if kept.watch(self.pause)]
        for kept in changed:
            log.warning("%s: %s", kept.name, kept.state.error or "running again")
        if changed:
            self._tell("")

    def _start(self, name: str, service: Service) -> None:
        kept = Kept(name, service)
        self.kept.append(kept)
        self._tell(name)
        kept.start(self.pause)
        self._tell(name)

    def _start_server(self) -> None:
        """Start the server; what keeps it from that, as a port that is taken, keeps nothing else."""
        ready, log_file = self.home.run / f"{SERVER}.ready", self.home.logs / f"{SERVER}.log"
        where = self.settings.server_host, self.settings.server_port
        kept = Kept(SERVER, Server(ready, log_file, self._environment, *where))
        self.kept.append(kept)
        self._tell(SERVER)
        kept.try_to_start(self.pause)
        if kept.state.error is not None:
            log.warning("%s: %s", SERVER, kept.state.error)

    def _prepare(self) -> list[str]:
        """Check the servers and migrate, in a child; returns its warnings. Raises StartFailed."""
        process = subprocess.Popen(
            python_command("limbeck.services.prepare"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
            cwd="/",
        )
        try:
            while process.poll() is None:
                self.pause(0.02)
        finally:
            if process.poll() is None:
                process.kill()
        output, errors = process.communicate()
        if process.returncode != 0:
            log.error("the preparation failed:\n%s", errors.strip())
            raise StartFailed(why=last_of(errors))
        return output.splitlines()

    def _end(self, phase: Phase, error: str | None) -> None:
        self.state.phase, self.state.error = Phase.STOPPING, error
        self.shipper.stop()
        self.bundles.stop()
        for kept in reversed(self.kept):
            self._tell(kept.name)
            try:
                kept.service.stop()
                kept.state.identity = None
            except LimbeckError as failure:
                log.error("%s", failure)
                self.state.error = self.state.error or str(failure)
        self.state.phase = phase
        self._tell("")
        if error is None:
            log.info("%s", phase)

    def _tell(self, step: str) -> None:
        if step and step != self.state.step:
            log.info("%s %s", self.state.phase, step)
        self.state.step = step
        self.state.children = {kept.name: kept.state for kept in self.kept}
        try:
            states.write(self.home.run, self.state)
        except OSError as error:  # a full disk must not end the one that stops the rest in order
            log.warning("the state cannot be written: %s", error)


def main() -> int:
    """Supervise the home of this process's settings until asked to stop; 0 also where another one does."""
    quietly("info", LINE)
    os.umask(0o077)
    try:
        settings = load()
        home = Home.at(settings.home)
        lock = take(home)
        if lock is None:
            return 0
        try:
            return _supervised(Supervisor(settings, home))
        finally:
            lock.release()
    except LimbeckError as error:
        log.error("%s", error)
    except Exception as error:
        log.error("%s", places(error))
        log.error("the supervisor cannot begin: %s", told(error))
    return 1


def _supervised(supervisor: Supervisor) -> int:
    def ask(_number: int, _frame: Any) -> None:
        supervisor.stop_asked.ring()

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    return supervisor.run()


if __name__ == "__main__":
    sys.exit(main())
