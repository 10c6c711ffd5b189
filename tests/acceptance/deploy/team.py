"""What compose.yaml runs, run here: its own commands and scripts, with the wheels' programs for the images'.

Only what an image lays down is done by hand: initdb (with the arguments of compose.yaml), the copies of
deploy/queue, and addresses and ports of this machine in place of the network's names.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from limbeck.services.account import server_account, spawn_as
from limbeck.services.binaries import copy_programs
from limbeck.services.program import python_command
from tests import composed

SECRETS = "/run/secrets/"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Look again until ``true()`` holds; fail after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


@dataclass
class Team:
    """One deployment in ``folder``; ``stop`` ends all that it started."""

    folder: Path
    postgres_port: int = field(default_factory=free_port)
    queue_port: int = field(default_factory=free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the secrets with the script, and a folder of programs."""
        self.account = server_account()
        self.folder.chmod(0o711)
        postgres, valkey = copy_programs(self.folder / "programs")
        self.secrets, env_file = self.folder / "secrets", self.folder / "env"
        self.sh("deploy/secrets.sh", str(self.secrets), str(env_file))
        variables = dict(line.split("=", 1) for line in env_file.read_text().splitlines())
        self.compose = composed.load(variables=variables)
        own = self.folder / "bin"
        own.mkdir()
        (own / "limbeck").write_text(f'#!/bin/sh\nexec {shlex.join(python_command("limbeck.main"))} "$@"\n')
        (own / "limbeck").chmod(0o755)
        self.path = os.pathsep.join([str(own), str(postgres), str(valkey.parent), os.defpath])
        for name in ("data", "queue-data", "sockets"):  # as a new volume is: the image's, open to all
            (self.folder / name).mkdir()
            (self.folder / name).chmod(0o1777)
        shutil.copytree(composed.ROOT / "deploy" / "queue", self.folder / "queue")
        for path in (self.folder / "queue", *(self.folder / "queue").iterdir()):
            path.chmod(0o755)
        for path in (self.secrets, *self.secrets.iterdir()):
            if self.account is not None:
                os.chown(path, self.account.uid, self.account.gid)
        self._here()

    def sh(self, script: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a script of the repository to its end; it must succeed."""
        command = ["sh", str(composed.ROOT / script), *words]
        environment = {"PATH": getattr(self, "path", os.defpath)} | variables
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        return done

    def environment(self, service: str, **more: str) -> dict[str, str]:
        """The service's environment as compose.yaml has it, its secrets' files being ours."""
        declared = self.compose["services"][service]["environment"]
        here = {k: v.replace(SECRETS, f"{self.secrets}/") for k, v in declared.items()}
        return {"PATH": self.path, "LIMBECK_HOME": str(self.folder / f"home-{service}"), **here, **more}

    def command(self, service: str) -> list[str]:
        """The service's command."""
        return [str(word) for word in self.compose["services"][service]["command"]]

    def run(self, *command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run ``command`` to its end."""
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False, timeout=120
        )

    def spawn(self, name: str, *command: str, environment: dict[str, str], server: bool = False) -> None:
        """Start ``command`` with its output in a log; ``server`` drops root as the embedded servers do."""
        account = spawn_as(self.account) if server else {}
        with self.log(name).open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd="/",
                start_new_session=True,
                **account,
            )

    def log(self, name: str) -> Path:
        """The file with a process's output."""
        return self.folder / f"{name}.log"

    def start_postgres(self) -> None:
        """Make the cluster as the image would, and run compose.yaml's command on it."""
        environment = self.environment("postgres")
        password = environment["POSTGRES_PASSWORD_FILE"]
        data = str(self.folder / "data" / Path(environment["PGDATA"]).name)
        command = ["initdb", "-D", data, "-U", "postgres", f"--pwfile={password}"]
        command += ["--auth-local=trust", "--auth-host=scram-sha-256"]
        made = subprocess.run(
            [*command, *environment["POSTGRES_INITDB_ARGS"].split()],
            capture_output=True,
            text=True,
            env=environment,
            cwd="/",
            check=False,
            **spawn_as(self.account),
        )
        assert made.returncode == 0, made.stderr
        where = ["-D", data, "-p", str(self.postgres_port), "-k", str(self.sockets)]
        command = [*self.command("postgres"), *where, "-clisten_addresses=127.0.0.1"]
        self.spawn("postgres", *command, environment=environment, server=True)
        wait_until(lambda: self.healthy("postgres"))

    def make_roles(self) -> subprocess.CompletedProcess[str]:
        """Run the script that compose.yaml mounts, as the image does: by the local socket."""
        volumes = self.compose["services"]["postgres"]["volumes"]
        (script,) = [v.split(":")[0] for v in volumes if "/docker-entrypoint-initdb.d/" in v]
        environment = self.environment("postgres", **self.at_postgres, PGHOST=str(self.sockets))
        environment.pop("PATH")
        return self.sh(script, **environment)

    def start_queue(self) -> None:
        """Run the image's entry point."""
        options = ["--dir", str(self.folder / "queue-data"), "--port", str(self.queue_port)]
        command = [str(self.folder / "queue" / "start"), *options, "--bind", "127.0.0.1"]
        self.spawn("queue", *command, environment=self.environment("queue"), server=True)
        wait_until(lambda: self.healthy("queue"))

    def limbeck(self, service: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the service's own command (or ``words``) to its end."""
        command = ["limbeck", *(words or self.command(service))]
        return self.run(*command, environment=self.environment(service))

    def start(self, service: str) -> None:
        """Start a service of ours and wait until its health check says that it is healthy."""
        environment = self.environment(service)
        self.spawn(service, self.command_of("limbeck"), *self.command(service), environment=environment)
        wait_until(lambda: self.healthy(service))

    def command_of(self, name: str) -> str:
        """The full path of a program that the services find."""
        found = shutil.which(name, path=self.path)
        assert found, name
        return found

    def healthy(self, service: str) -> bool:
        """What the service's health check says."""
        return self.check(service).returncode == 0

    def check(self, service: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the service's health check as compose.yaml has it."""
        kind, *command = self.compose["services"][service]["healthcheck"]["test"]
        assert kind == "CMD"
        if service == "queue":
            command = [str(self.folder / "queue" / Path(command[0]).name), str(self.queue_port)]
        return self.run(*command, environment=self.environment(service, **self.at_postgres, **more))

    @property
    def at_postgres(self) -> dict[str, str]:
        """How libpq's programs find the port."""
        return {"PGPORT": str(self.postgres_port)}

    @property
    def sockets(self) -> Path:
        """Where Postgres has its socket."""
        return self.folder / "sockets"

    def secret(self, name: str) -> str:
        """The content of a secret's file."""
        return (self.secrets / name).read_text()

    def stop(self) -> None:
        """Stop what runs, the youngest first."""
        for name in reversed(list(self.running)):
            self.end(name)

    def end(
        self, name: str, how: Callable[[subprocess.Popen[bytes]], Any] = subprocess.Popen.terminate
    ) -> int:
        """End one process (in an orderly way, or as ``how`` does) and return its exit code."""
        process = self.running.pop(name)
        how(process)
        return process.wait(60)

    def _here(self) -> None:
        """Put this machine's addresses into the URLs."""
        ports = {"postgres:5432": self.postgres_port, "queue:6379": self.queue_port}
        for path in self.secrets.glob("*_url"):
            url = path.read_text()
            for name, port in ports.items():
                url = re.sub(f"@{name}/", f"@127.0.0.1:{port}/", url)
            assert "@127.0.0.1:" in url
            path.write_text(url)
