"""How fast the server answers, over REST and over MCP, with several clients at once over a memory of some size."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import psutil

from limbeck.bench import generated, server_rows, session_start
from limbeck.bench.folders import HOME, scratch_folder
from limbeck.bench.recall import spread
from limbeck.bench.scratch import scratch_server
from limbeck.server import address, mounted, owner
from limbeck.services.home import Home
from limbeck.services.postgres import APPLICATION, OWNER
from limbeck.services.server import Server
from limbeck.settings import child_environment, load
from schema.database import Database
from server.operation import Operation
from server.operations import ALL
from server.rest.given import BODILESS
from server.rest.openapi import names_in, plain

UNITS = 100_000
CLIENTS = 8
LEFT_OUT = {"health"}
WAYS = ("rest", "mcp")
QUESTIONS = {"q", "query", "prompt"}
BUNDLE = "get_okf"
NOWHERE = "/v1/no-such-address"
BY_NAME = {operation.name: operation for operation in ALL}


def measure(units: int, seconds: float, report: Callable[[str], None]) -> dict[str, Any]:
    """Ask every operation that reads for ``seconds`` each, over both ways; times in ms, memory in MB."""
    with scratch_server() as postgres, scratch_folder() as folder:
        report("making the memory up")
        projects = generated.make([units])
        generated.load(postgres.url(OWNER).replace("+psycopg", ""), projects, units)
        database = Database(postgres.url(APPLICATION))
        ids = server_rows.fill(database, projects[0].id, owner.name())
        home = Home.at(folder / HOME)
        home.prepare()
        owner.ensure(home.path, database, generated.CLIENT, datetime.now(UTC))
        database.close()
        with serving(home, postgres.url(APPLICATION)) as (url, process):
            asking = Asking(url, owner.read(home.path) or "", process, seconds)
            floors, rows = [asking.floor()], list(_rows(asking, ids, report))
            floor = min([*floors, asking.floor()], key=lambda one: one["p50"])
            rows = [row | {"ratio": round(row["p50"] / max(floor["p50"], 0.1), 1)} for row in rows]
            brief = asking.once(BY_NAME["bootstrap_session"], {})
            return {
                "units": units,
                "clients": CLIENTS,
                "cores": os.cpu_count(),
                "load": round(os.getloadavg()[0], 1),
                "floor": floor,
                "operations": rows,
                "alone": [asking.row(way, BY_NAME["bootstrap_session"], {}, clients=1) for way in WAYS],
                "session_start": session_start.measure(json.loads(brief)["fenced"]),
                "server_mb": _megabytes(process.pid),
                "stdio": _stdio(home),
            }


def _rows(asking: Asking, ids: Mapping[str, str], report: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Every operation that reads, over each way that it may be asked over; a bundle also for who has it already."""
    for operation in (one for one in ALL if one.reads and one.name not in LEFT_OUT):
        given = given_for(operation, ids)
        if given is None:
            continue
        asked = [(operation.name, given)]
        if operation.name == BUNDLE:
            now = json.loads(asking.once(operation, given))["generation"]
            asked.append((f"{BUNDLE}, current", given | {"have": now}))
        for name, values in asked:
            rows = [asking.row(way, operation, values, name) for way in WAYS[: 1 if operation.by_hand else 2]]
            report(f"{name}: {', '.join(str(row['p95']) for row in rows)} ms")
            yield from rows


@contextmanager
def serving(home: Home, database_url: str) -> Iterator[tuple[str, psutil.Process]]:
    """Start `limbeck serve` over a database; yield its address and process; stop it and remove the home at the end."""
    settings = replace(load({"LIMBECK_HOME": str(home.path)}), client=generated.CLIENT)
    environment = child_environment(settings) | {
        "LIMBECK_CLIENT": generated.CLIENT,
        "LIMBECK_DATABASE_URL": database_url,
        "LIMBECK_SERVER_RATE": "0",
        "LIMBECK_SERVER_PORT": "0",
    }
    server = Server(home.run / "server.ready", home.logs / "server.log", environment, "127.0.0.1", 0)
    try:
        process = server.start()
        yield address.read(home.run) or "", psutil.Process(process.pid)
    finally:
        server.stop()
        home.remove()


def given_for(operation: Operation[Any, Any], ids: Mapping[str, str]) -> dict[str, Any] | None:
    """Return values to ask an operation with, None where the made-up memory has nothing to ask it for."""
    words = {"q": "decision", "query": "database orders", "prompt": "which database?", "path": "src/file7.py"}
    words |= {"scope": "global", "key": "colour"}
    given: dict[str, Any] = {}
    for name in operation.input.model_json_schema(by_alias=False).get("required", ()):
        if name == "id":
            kind = next((one for one in ids if one in f"{operation.path} {operation.name}"), None)
            if kind is None:
                return None
            given[name] = ids[kind]
        elif name in words:
            given[name] = words[name]
        else:
            return None
    return given


@dataclass(frozen=True, slots=True)
class Asking:
    """A server at ``url`` that is asked with ``token`` for ``seconds`` at a time; ``process`` is its own."""

    url: str
    token: str
    process: psutil.Process
    seconds: float

    def once(self, operation: Operation[Any, Any], given: Mapping[str, Any]) -> bytes:
        """The body of one answer over REST."""
        with closing(self._connection()) as connection:
            return self._ask(connection, "rest", operation, given)[1]

    def floor(self) -> dict[str, float]:
        """The times of an address that is not there, asked as operations are: the server answers and asks nobody."""
        times: list[float] = []
        end = time.perf_counter() + self.seconds

        def client() -> None:
            with closing(self._connection()) as connection:
                while time.perf_counter() < end:
                    began = time.perf_counter()
                    connection.request("GET", NOWHERE, headers={"Authorization": f"Bearer {self.token}"})
                    connection.getresponse().read()
                    times.append(time.perf_counter() - began)

        threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {name: round(value, 2) for name, value in spread(times).items()}

    def row(
        self,
        way: str,
        operation: Operation[Any, Any],
        given: Mapping[str, Any],
        name: str = "",
        clients: int = CLIENTS,
    ) -> dict[str, Any]:
        """Ask with ``clients`` at once: ms of the first answer and of all that follow, answers a second and a core."""
        times: list[float] = []
        refused: list[int] = []
        numbers = count()
        end = 0.0

        def client() -> None:
            with closing(self._connection()) as connection:
                while True:
                    asked = _another(given, next(numbers))
                    began = time.perf_counter()
                    status, said = self._ask(connection, way, operation, asked)
                    times.append(time.perf_counter() - began)
                    if status != 200 or b'"isError":true' in said:
                        refused.append(status)
                    if time.perf_counter() >= end:
                        break

        client()  # the first of its kind may load the model, or MCP
        first = times.pop()
        before, began = self.process.cpu_times(), time.perf_counter()
        end = began + self.seconds
        threads = [threading.Thread(target=client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        after, took = self.process.cpu_times(), time.perf_counter() - began
        busy = after.user + after.system - before.user - before.system
        return {
            "operation": name or operation.name,
            "way": way,
            "refused": len(refused),
            "first": round(1000 * first, 1),
            **{key: round(value, 1) for key, value in spread(times).items()},
            "a_second": round(len(times) / took, 1),
            "a_second_and_core": round(len(times) / busy, 1) if busy else None,
        }

    def _connection(self) -> HTTPConnection:
        parts = urlsplit(self.url)
        return HTTPConnection(parts.hostname or "", parts.port, timeout=60)

    def _ask(
        self, connection: HTTPConnection, way: str, operation: Operation[Any, Any], given: Mapping[str, Any]
    ) -> tuple[int, bytes]:
        method, path, body = _request(way, operation, given)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json, text/event-stream"}
        headers |= {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def _another(given: Mapping[str, Any], number: int) -> dict[str, Any]:
    """``given`` with another question each time: agents do not ask the same one again and again."""
    return {name: f"{value} {number}" if name in QUESTIONS else value for name, value in given.items()}


def _request(
    way: str, operation: Operation[Any, Any], given: Mapping[str, Any]
) -> tuple[str, str, bytes | None]:
    if way == "mcp":
        name, arguments = operation.name, dict(given)
        if not operation.tool:
            kind = "query" if operation.method in BODILESS else "body"
            name, arguments = "execute_capability", {"name": operation.operation_id, kind: dict(given)}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        return "POST", "/mcp", json.dumps(call | {"params": {"name": name, "arguments": arguments}}).encode()
    in_path = {name: quote(str(given[name]), safe="") for name in names_in(operation.path)}
    path = plain(operation.path).format(**in_path)
    rest = {name: value for name, value in given.items() if name not in in_path}
    if operation.method in BODILESS:
        return operation.method, f"{path}?{urlencode(rest)}", None
    return operation.method, path, json.dumps(rest).encode()


def _stdio(home: Home) -> dict[str, Any]:
    """Start an agent's process twenty times: ms from its start to its first answer, and its memory then."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }
    line = json.dumps(message | {"params": params}).encode() + b"\n"
    times, memory = [], 0.0
    for _ in range(20):
        began = time.perf_counter()
        with subprocess.Popen(
            mounted.command(home.path), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None  # noqa: S101 - for the types
            assert process.stdout is not None  # noqa: S101 - for the types
            process.stdin.write(line)
            process.stdin.flush()
            process.stdout.readline()
            times.append(time.perf_counter() - began)
            memory = max(memory, _megabytes(process.pid))
            process.stdin.close()
    return {name: round(value, 1) for name, value in spread(times).items()} | {"mb": memory}


def _megabytes(pid: int) -> float:
    """The process's share of memory (PSS) where the system tells it, else what is resident."""
    memory = psutil.Process(pid).memory_full_info()
    return round(getattr(memory, "pss", memory.rss) / 1024**2, 1)


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Return the result as a table for people."""
    yield f"{result['units']} units, {result['clients']} clients, {result['cores']} cores, load {result['load']}"
    yield f"the floor, an address that is not there: p50 {result['floor']['p50']} ms, p95 {result['floor']['p95']} ms"
    titles = f"{'first':>9}{'p50':>8}{'p95':>8}{'ratio':>8}{'a second':>10}{'a core':>10}{'refused':>9}"
    yield f"{'operation':<24}{'way':<6}{titles}"
    for row in result["operations"]:
        numbers = f"{row['p50']:>8}{row['p95']:>8}{row['ratio']:>8}"
        numbers += f"{row['a_second']:>10}{row['a_second_and_core'] or '-':>10}"
        yield f"{row['operation']:<24}{row['way']:<6}{row['first']:>9}{numbers}{row['refused']:>9}"
    for row in result["alone"]:
        yield f"{row['operation']} over {row['way']}, one client: p50 {row['p50']} ms, p95 {row['p95']} ms"
    hook, floor = result["session_start"]["hook"], result["session_start"]["floor"]
    yield (
        f"session start, the hook's process: p50 {hook['p50']} ms, p95 {hook['p95']} ms; a bare interpreter "
        f"{floor['p50']} and {floor['p95']}; ratio {result['session_start']['ratio']}"
    )
    stdio = result["stdio"]
    yield f"server {result['server_mb']} MB; an agent's process answers in {stdio['p50']} ms (p95 {stdio['p95']})"
    yield f"and has {stdio['mb']} MB"
