"""What runs beside the requests may fail: it takes nothing with it, waiters are answered, and it is told."""

from __future__ import annotations

import contextlib

import anyio
import pytest
from starlette.testclient import TestClient

from schema.database import Database
from server import app as application
from server.background import Background
from server.errors import Unavailable
from server.mcp.late import Late
from server.options import Options

NOWHERE = "postgresql://nobody@127.0.0.1:1/none"
ROW = "DETAIL: Failing row contains (zanzibar)"


class Endpoint:
    """Stands in for MCP; ``ends`` ends it from inside."""

    def __init__(self) -> None:
        self.ends = anyio.Event()

    @contextlib.asynccontextmanager
    async def running(self):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._fail)
            yield
            tasks.cancel_scope.cancel()

    async def _fail(self):
        await self.ends.wait()
        raise RuntimeError(ROW)

    async def asgi(self, scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"mcp"})


@pytest.fixture
def closed(monkeypatch):
    """The databases that were closed."""
    found = []
    real = Database.close
    monkeypatch.setattr(Database, "close", lambda self: (found.append(self), real(self)))
    return found


def run(function):
    async def all_of_it():
        with anyio.fail_after(20):
            await function()

    anyio.run(all_of_it)


async def asked(late):
    said = []

    async def send(message):
        said.append(message)

    await late({"type": "http"}, None, send)
    return said[-1]["body"]


def test_who_waits_for_what_cannot_be_loaded_is_told_and_the_next_may_have_it(caplog):
    made = [RuntimeError(ROW), Endpoint()]

    def make():
        one = made.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    async def scene():
        background = Background()
        late = Late(make, background)
        refused = []

        async def ask():
            try:
                await asked(late)
            except Unavailable as error:
                refused.append(error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(late.run)
            async with anyio.create_task_group() as asking:
                asking.start_soon(ask)
                asking.start_soon(ask)
            assert len(refused) == 2
            assert "MCP" in background.trouble
            assert await asked(late) == b"mcp"
            assert background.trouble is None
            tasks.cancel_scope.cancel()

    run(scene)
    assert "zanzibar" not in caplog.text
    assert "MCP failed: RuntimeError" in caplog.text


def test_what_ends_while_it_runs_is_made_anew():
    made = []

    def make():
        made.append(Endpoint())
        return made[-1]

    async def scene():
        background = Background()
        late = Late(make, background)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(late.run)
            assert await asked(late) == b"mcp"
            made[0].ends.set()
            while background.trouble is None:
                await anyio.lowlevel.checkpoint()
            assert await asked(late) == b"mcp"
            assert (len(made), background.trouble) == (2, None)
            tasks.cancel_scope.cancel()

    run(scene)


def test_a_part_that_fails_ends_no_other_and_health_tells(monkeypatch, closed, caplog):
    async def run_badly(self):
        raise RuntimeError(ROW)

    monkeypatch.setattr("server.web.deletions.Deletions.run", run_badly)
    with TestClient(application.create_app(Options(NOWHERE)), base_url="http://127.0.0.1") as client:
        answer = client.get("/healthz")
        assert (answer.status_code, answer.text) == (503, "not running: deletions; see the log")
        assert client.get("/openapi.json").status_code in (401, 503)
    assert len(closed) == 1
    assert "zanzibar" not in caplog.text


def test_the_database_is_closed_however_the_server_ends(closed):
    with pytest.raises(RuntimeError), TestClient(application.create_app(Options(NOWHERE))):
        raise RuntimeError("the end")
    assert len(closed) == 1
