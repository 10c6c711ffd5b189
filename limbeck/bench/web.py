"""How fast the viewer's pages come and how heavy they are over a memory of some size; and its feed under a load."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
from sqlalchemy import text

from limbeck.bench import generated, server_rows, web_rows
from limbeck.bench.folders import HOME, scratch_folder
from limbeck.bench.recall import spread
from limbeck.bench.scratch import scratch_server
from limbeck.bench.server import serving
from limbeck.server import owner
from limbeck.services.home import Home
from limbeck.services.postgres import APPLICATION, OWNER
from schema.database import Database
from schema.database import owner as schema_owner

UNITS = 100_000
BOUND_MS, BOUND_KB = 100.0, 60.0
FEED_RATE, FEED_SECONDS, WATCHERS = 200, 10, 3
WARM = 3
NOWHERE = "/no/such/page"  # the floor: the same server answers, and asks nobody
SENT = re.compile(r"sent ([0-9]+\.[0-9]+)")


def measure(units: int, times: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Ask every page ``times`` times, one after the other; then watch the feed while events arrive."""
    with scratch_server() as postgres, scratch_folder() as folder:
        report("making the memory up")
        projects = generated.make([units])
        generated.load(postgres.url(OWNER).replace("+psycopg", ""), projects, units)
        project = projects[0].id
        database = Database(postgres.url(APPLICATION))
        ids = server_rows.fill(database, project, owner.name())
        web_rows.fill(database, project)
        # Autovacuum does it within a minute; a measurement does not wait for it.
        with schema_owner(postgres.url(OWNER)) as engine, engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))
        home = Home.at(folder / HOME)
        home.prepare()
        owner.ensure(home.path, database, generated.CLIENT, datetime.now(UTC))
        token = owner.read(home.path) or ""
        try:
            with serving(home, postgres.url(APPLICATION)) as (url, process):
                visitor = Visitor(url, token)
                floors = [_page(visitor, NOWHERE, times, process)]
                pages = []
                for path in places(ids):
                    pages.append(_page(visitor, path, times, process))
                    report(f"{path}: {pages[-1]['p95']} ms, {pages[-1]['kb']} kB")
                floors.append(_page(visitor, NOWHERE, times, process))
                feed = _feed(visitor, database, project, process)
        finally:
            database.close()
    return {
        "units": units,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "bound_ms": BOUND_MS,
        "bound_kb": BOUND_KB,
        "floor": (floor := min(floors, key=lambda one: one["p50"])),
        "pages": [page | {"ratio": round(page["p50"] / max(floor["p50"], 0.1), 1)} for page in pages],
        "feed": feed,
    }


def places(ids: Mapping[str, str]) -> list[str]:
    """Every page, and one of each thing."""
    return [
        *("/now", "/now?outcome=failed", "/sessions", "/facts", "/facts?history=yes&text=value", "/review"),
        *(
            "/recall?q=which+database+for+the+orders",
            "/trace",
            "/memories",
            "/memories?q=decision",
            "/backlog",
        ),
        *("/code", "/code?path=src/file7.py", "/documents", "/settings", "/backlog/US1001"),
        f"/facts/{ids['fact']}",
        f"/sessions/{ids['session']}",
        f"/trace?id={ids['event']}",
    ]


class Visitor:
    """A browser without a screen: signed in by the owner's token."""

    def __init__(self, url: str, token: str) -> None:
        """Sign in at ``url``."""
        self.parts, self.url = urlsplit(url), url
        connection = self.connection()
        body = urlencode({"token": token})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": url}
        connection.request("POST", "/signin", body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        self.cookie = (answer.headers["set-cookie"] or "").split(";", 1)[0]

    def connection(self, patience: float = 30.0) -> HTTPConnection:
        """A connection of one's own."""
        return HTTPConnection(self.parts.hostname or "", self.parts.port, timeout=patience)

    def get(self, connection: HTTPConnection, path: str) -> HTTPResponse:
        """Ask for a page as a browser does."""
        connection.request("GET", path, headers={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        return connection.getresponse()


def _page(visitor: Visitor, path: str, times: int, process: psutil.Process) -> dict[str, Any]:
    connection, taken, size, status = visitor.connection(), [], 0, set()
    before = sum(process.cpu_times()[:2])
    for number in range(times + WARM):
        began = time.perf_counter()
        answer = visitor.get(connection, path)
        size = len(answer.read())
        status.add(answer.status)
        if number >= WARM:
            taken.append(time.perf_counter() - began)
    connection.close()
    own = 1000 * (sum(process.cpu_times()[:2]) - before) / (times + WARM)
    kilobytes = round(size / 1000, 1)
    return {"path": path, "status": sorted(status), **spread(taken), "cpu_ms": round(own, 1), "kb": kilobytes}


def _feed(visitor: Visitor, database: Database, project: str, process: psutil.Process) -> dict[str, Any]:
    """Let events arrive and see when each watcher gets them; the processor's time is the server's."""
    delays: list[list[float]] = [[] for _ in range(WATCHERS)]
    live = threading.Barrier(WATCHERS + 1)
    wanted = FEED_RATE * FEED_SECONDS
    watchers = [
        threading.Thread(target=_watch, args=(visitor, found, live, wanted), daemon=True) for found in delays
    ]
    for watcher in watchers:
        watcher.start()
    live.wait(60)
    before, began = sum(process.cpu_times()[:2]), time.time()
    for number in range(FEED_SECONDS * 4):
        sent = time.time()
        web_rows.arrive(database, project, FEED_RATE // 4, sent, int(sent * 1000))
        time.sleep(max(0.0, began + (number + 1) / 4 - time.time()))
    cpu = sum(process.cpu_times()[:2]) - before
    for watcher in watchers:
        watcher.join(30)
    every = [delay for found in delays for delay in found]
    return {
        "a_second": FEED_RATE,
        "seconds": FEED_SECONDS,
        "watchers": WATCHERS,
        "sent": wanted,
        "arrived": [len(found) for found in delays],
        "delay": spread(every),
        "cpu_share": round(cpu / FEED_SECONDS, 2),
    }


def _watch(visitor: Visitor, found: list[float], live: threading.Barrier, wanted: int) -> None:
    connection = visitor.connection(20.0)
    answer = visitor.get(connection, "/now/feed")
    waited = False
    try:
        while len(found) < wanted:
            line = answer.readline().decode()
            if line.startswith("event: strip") and not waited:
                waited = True
                live.wait(60)
            elif line.startswith("data: ["):
                now = time.time()
                found += [now - float(one) for one in SENT.findall(line)]
            elif not line:
                break
    except OSError:
        pass  # what did not come in time is missing from the counts
    finally:
        connection.close()


def lines(result: Mapping[str, Any]) -> list[str]:
    """The figures for a terminal."""
    told = [
        f"{result['units']:,} units, {result['cores']} cores, load {result['load']}; "
        f"bounds: p95 {result['bound_ms']:.0f} ms, {result['bound_kb']:.0f} kB compressed",
        f"the floor, an address that is not there: p50 {result['floor']['p50']} ms, p95 {result['floor']['p95']} ms",
        f"{'page (ms; cpu is the server process alone)':<44} {'p50':>7} {'p95':>7} {'ratio':>6} {'cpu':>6} {'kB':>6}",
    ]
    for page in result["pages"]:
        over = page["p95"] > result["bound_ms"] or page["kb"] > result["bound_kb"] or page["status"] != [200]
        told.append(
            f"{page['path'][:44]:<44} {page['p50']:>7} {page['p95']:>7} {page['ratio']:>6} "
            f"{page['cpu_ms']:>6} {page['kb']:>6}" + (f"  over its bound, {page['status']}" if over else "")
        )
    feed = result["feed"]
    told.append(
        f"feed at {feed['a_second']}/s for {feed['seconds']} s, {feed['watchers']} watchers: {feed['arrived']} of "
        f"{feed['sent']} arrived, delay p50 {feed['delay'].get('p50')} ms, p95 {feed['delay'].get('p95')} ms, "
        f"{feed['cpu_share']:.0%} of a core"
    )
    return told
