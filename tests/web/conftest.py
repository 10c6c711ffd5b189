"""A real browser on the real product: `limbeck up` in a home of its own, hooks that run, a story that was distilled."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from sqlalchemy import text

from limbeck.demo.payloads import Claude
from limbeck.demo.scenario import Hook
from limbeck.demo.stage import Stage
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.settings import load
from schema.database import Database
from server.principal import Right
from server.tokens import store

from .story import Teller, team

PICTURES = Path(__file__).resolve().parents[2] / "artifacts" / "web"
PATIENCE_S = 60.0
NEIGHBOUR = "zzneighbourzz"
expect.set_options(
    timeout=PATIENCE_S * 1000
)  # an event of a hook that had to spool comes by another way, later


class OwnStage(Stage):
    """The demonstration's stage, its server at a port that is free."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"LIMBECK_SERVER_PORT": "0", "HOME": str(self.folder)}


@dataclass
class House:
    """The running product."""

    stage: OwnStage
    database: Database
    redis_url: str
    commands: dict[str, dict[str, str]]
    agent: Claude
    url: str = ""

    def link(self) -> str:
        return str(self.stage.answer("open")["url"])

    def hook(self, payload: dict[str, Any]) -> None:
        """Run the installed hook of Claude Code as it does: a shell, the payload on standard input."""
        self.stage.hook(Hook("claude", payload), self.commands["claude"][payload["hook_event_name"]])

    def token(self, user: str, right: Right = Right.ADMIN, client: str = "local") -> str:
        with self.database.tenant(client) as connection:
            return store.create(
                connection, client, name=user, user=user, right=right, now=datetime.now(UTC)
            ).text

    def scalar(self, statement: str, client: str = "local", **values: Any) -> Any:
        with self.database.tenant(client) as connection:
            return connection.scalar(text(statement), values)

    def teller(self, client: str = "local") -> Teller:
        return Teller(self.database, self.redis_url, client)


def wait_until(true: Callable[[], object], what: str) -> None:
    """Look again until it holds; fail after a minute."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="limbeck-web-", dir="/tmp"))
    stage = OwnStage(folder)
    stage.repository.mkdir()
    try:
        commands = stage.prepare()
        stage.limbeck("up")
        at = addresses(load(stage.environment | {}), Home.at(stage.home))
        database = Database(at.database_url)
        made = House(stage, database, at.redis_url, commands, Claude(stage.repository))
        made.url = made.link().split("/signin", 1)[0]
        _furnish(made)
        yield made
        database.close()
    finally:
        stage.limbeck("down")
        Home.at(stage.home).remove()
        shutil.rmtree(folder, ignore_errors=True)


def _furnish(house: House) -> None:
    told = house.teller()
    team(told, settle=False)
    neighbour = house.teller("neighbour")
    neighbour.prompt("n-1", f"Convention: {NEIGHBOUR} is used everywhere.")
    neighbour.reply("n-1", f"We decided to use {NEIGHBOUR} instead of Redis.")
    neighbour.end("n-1")
    neighbour.settle()
    wait_until(
        lambda: house.scalar("SELECT count(*) FROM sessions WHERE indexed_at IS NOT NULL") >= 4,
        "the story was not distilled",
    )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "there is no Chromium here: `make test-web` installs it where it can"
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """One person's browser; what it complained of and where it went is looked at in the end."""

    house: House
    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> Page:
        page.on(
            "console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text)
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        return page

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.house.url, "data:")):
            self.foreign.append(request.url)

    def go(self, path: str, **query: str) -> Page:
        self.page.goto(self.house.url + path + (f"?{urlencode(query)}" if query else ""))
        return self.page

    def another_tab(self) -> Page:
        return self.watch(self.context.new_page())


@pytest.fixture
def visit(house: House, chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Make visitors: by the owner's link, or by a token; each is held to have complained of nothing."""
    made: list[Visitor] = []

    def come(token: str | None = None, **options: Any) -> Visitor:
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        visitor = Visitor(house, context, context.new_page())
        visitor.watch(visitor.page)
        if token is None:
            visitor.page.goto(house.link())
        else:
            visitor.page.goto(f"{house.url}/signin")
            visitor.page.fill("input[name=token]", token)
            visitor.page.click("button")
        visitor.page.wait_for_url("**/now")
        made.append(visitor)
        return visitor

    yield come
    for visitor in made:
        visitor.context.close()
    assert [one for visitor in made for one in visitor.complaints] == []
    assert [one for visitor in made for one in visitor.foreign] == []


@pytest.fixture
def owner(visit: Callable[..., Visitor]) -> Visitor:
    return visit()


def picture_name(path: str) -> str:
    return re.sub(r"\W+", "-", path).strip("-") or "home"
