"""The viewer over a real database: a team with a story, a neighbour whose words must never show, browsers for each."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from limbeck.server.values import Values
from limbeck.services import state as states
from limbeck.services.child import Identity
from limbeck.services.state import Phase, State
from limbeck.settings import load
from schema.database import Database
from server.app import create_app
from server.options import Joined, Options
from server.principal import Right
from server.tokens import store
from tests.servers import Services
from tests.web.story import Teller, team

OURS = "http://127.0.0.1"
NEIGHBOUR = "zzneighbourzz"


class Page(HTMLParser):
    """A page as a test looks at it: its tags with their attributes, its text, the marks of its forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data):
        self.text += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def forms(self) -> set[str]:
        """Where its forms post to."""
        return {one["action"] for one in self.all("form") if one.get("method") == "post"}

    @property
    def mark(self) -> str:
        return next(one["value"] for one in self.all("input") if one.get("name") == "mark")


@dataclass
class Browser:
    """One person's browser: keeps its cookie, follows nothing by itself."""

    client: TestClient

    def get(self, path: str, status: int = 200, **query: Any) -> Page:
        answer = self.client.get(path, params=query)
        assert answer.status_code == status, (path, answer.status_code, answer.text[-800:])
        return Page(answer.text)

    def post(self, path: str, status: int = 303, mark: str | None = None, **fields: Any) -> str:
        """Send a form with a mark of this visit; returns where it leads, or the page's text."""
        found = self.get("/settings").mark if mark is None else mark
        answer = self.client.post(path, data={"mark": found, **fields}, headers={"Origin": OURS})
        assert answer.status_code == status, (path, answer.status_code, answer.text[-800:])
        return answer.headers.get("location") or answer.text

    def sign_in(self, token: str) -> Browser:
        answer = self.client.post("/signin", data={"token": token}, headers={"Origin": OURS})
        assert answer.status_code == 303, answer.text
        return self

    def first(self, path: str, shape: str, **query: Any) -> str:
        """The first address on a page that looks like ``shape``."""
        found = re.search(rf'href="({shape})[?"]', self.get(path, **query).html)
        assert found, (path, shape)
        return found[1]


@dataclass
class World:
    """The application, its database and a way to make people."""

    app: Any
    database: Database
    redis_url: str
    home: Path

    @property
    def config(self) -> str:
        """What the settings file says."""
        file = self.home / "config.toml"
        return file.read_text() if file.exists() else ""

    def token(self, client: str, user: str, right: Right = Right.ADMIN, projects: Any = None) -> store.Token:
        with self.database.tenant(client) as connection:
            return store.create(
                connection,
                client,
                name=user,
                user=user,
                right=right,
                now=datetime.now(UTC),
                projects=projects,
            )

    def stranger(self) -> Browser:
        return Browser(TestClient(self.app, base_url=OURS, follow_redirects=False))

    def browser(self, client: str, user: str, right: Right = Right.ADMIN, projects: Any = None) -> Browser:
        return self.stranger().sign_in(self.token(client, user, right, projects).text)

    def teller(self, client: str) -> Teller:
        return Teller(self.database, self.redis_url, client)


def machine(home: Path) -> Joined:
    """What a server says of the machine at ``home``, where `limbeck up` runs and the client is the team's."""
    (home / "run").mkdir(parents=True)
    home.chmod(0o700)
    states.write(home / "run", State(Identity.own(), Phase.READY, since=time.time()))
    own = {"daily_usd": 1.0, "owner": "team", "measure": None, "classifier": None}
    return Joined(own, Values(load({"LIMBECK_HOME": str(home)})))


@pytest.fixture(scope="package")
def world(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("machine")
    with services.fresh_database() as fresh:
        database = Database(fresh.app_url)
        made = World(
            create_app(Options(database_url=fresh.app_url, version="test", values=machine(home))),
            database,
            services.valkey.url(),
            home,
        )
        for client in ("team", "empty"):
            database.add_client(client)
        team(made.teller("team"))
        neighbour = made.teller("neighbour")
        neighbour.prompt(
            "n-1", f"Convention: {NEIGHBOUR} is used everywhere. We decided to use {NEIGHBOUR} for queues."
        )
        neighbour.call("n-1", "Bash", shape=f"{NEIGHBOUR} run", files=[f"{NEIGHBOUR}.py"])
        neighbour.commit("n-1", f"Add {NEIGHBOUR}", {f"{NEIGHBOUR}.py": (3, 1)})
        neighbour.reply("n-1", f"We decided to use {NEIGHBOUR} instead of Redis.")
        neighbour.end("n-1")
        neighbour.settle()
        with TestClient(made.app, base_url=OURS):
            yield made
        database.close()


@pytest.fixture
def ada(world: World) -> Browser:
    """Who may do everything in the team."""
    return world.browser("team", "ada")


@pytest.fixture
def rita(world: World) -> Browser:
    """Who may read in the team."""
    return world.browser("team", "rita", Right.READ)


@pytest.fixture
def eve(world: World) -> Browser:
    """Who may do everything in a client where nothing happened yet."""
    return world.browser("empty", "eve")
