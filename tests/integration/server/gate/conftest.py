"""The whole application over a fresh database, and tokens of several people for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from limbeck.server.run import bound
from schema.database import Database
from server.app import create_app
from server.options import Options
from server.principal import Right
from server.tokens import store
from tests.servers import Services

HERE = "http://127.0.0.1:8741"
ACCEPT = {"Accept": "application/json, text/event-stream"}


@dataclass
class House:
    """The database, and tokens made for whoever a test needs."""

    database: Database
    url: str
    made: dict[str, str] = field(default_factory=dict)

    def token(self, client: str = "acme", user: str = "alice", right: str = "admin", **more: Any) -> str:
        """A token, the same one for the same wishes."""
        key = repr((client, user, right, sorted(more.items())))
        if key not in self.made:
            self.database.add_client(client)
            with self.database.tenant(client) as connection:
                made = store.create(
                    connection,
                    client,
                    name=more.pop("name", "test"),
                    user=user,
                    right=Right(right),
                    now=more.pop("now", datetime.now(UTC)),
                    **more,
                )
            self.made[key] = made.text
        return self.made[key]

    def ended(self) -> str:
        """A token whose time is over."""
        return self.token(expires=datetime.now(UTC) - timedelta(seconds=1))


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def rpc(client: TestClient, token: str, method: str, params: Any = None, **headers: str) -> Any:
    """One MCP request; returns the answer."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method} | ({} if params is None else {"params": params})
    return client.post("/mcp", json=message, headers=bearer(token) | ACCEPT | headers).json()


def tool(client: TestClient, token: str, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool; returns its result."""
    return rpc(client, token, "tools/call", {"name": name, "arguments": arguments})["result"]


@pytest.fixture(scope="module")
def house(services: Services) -> Iterator[House]:
    with services.fresh_database() as fresh:
        database = Database(fresh.app_url)
        yield House(database, fresh.app_url)
        database.close()


@pytest.fixture(scope="module")
def app(house: House, services: Services) -> Any:
    return create_app(Options(house.url, redis_url=services.valkey.url(), version="0.0.1"))


@pytest.fixture(scope="module")
def served(house: House, services: Services) -> Iterator[str]:
    """The address of a server that really listens; it ends with the module."""
    app = create_app(Options(house.url, redis_url=services.valkey.url(), version="0.0.1"))
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    with bound("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def client(app: Any) -> Iterator[TestClient]:
    with TestClient(app, base_url=HERE) as made:
        yield made
