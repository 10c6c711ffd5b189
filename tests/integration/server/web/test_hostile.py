"""Hostile words in every field that can hold them: shown, never obeyed."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import text

from .conftest import Browser, World

TAG = '<img src=x onerror="alert(1)">'
CLOSES = "</script></svg></title></bdi></main><script>alert(2)</script>"
TURNS = "\u202etxt.exe\u2066"
HOSTILE = f"{TAG}{CLOSES}{TURNS}"
OURS = {"script": 1, "img": 1}
UUID = "[0-9a-f]{8}-[0-9a-f-]{27}"


def own_project(world: World) -> str:
    with world.database.tenant("mallory") as connection:
        return str(connection.scalar(text("SELECT project::text FROM projects")))


@pytest.fixture(scope="module")
def mallory(world: World) -> Browser:
    """A client whose every field is hostile."""
    project = {"common": "/x/.git", "root": f"/x/{TAG}", "remote": f"git.example/{TAG}"}
    teller, own = world.teller("mallory"), {"project": project}
    teller.prompt("h-1", f"Convention: {HOSTILE} is used by everybody.", **own)
    teller.call("h-1", f"Tool{TAG}", "failed", shape=HOSTILE, exit=1, **own)
    teller.call("h-1", "Edit", target=f"src/{TAG}.py", files=[f"src/{TAG}.py"], **own)
    teller.call("h-1", "Task", shape="x", subagent={"id": "s", "type": TAG}, **own)
    teller.commit("h-1", f"Fix {HOSTILE}\n\n{CLOSES}", {f"src/{TAG}.py": (2, 1)}, author=TAG, **own)
    teller.reply("h-1", f"We decided to use {TAG} instead of Redis. Later: look at {HOSTILE} again.", **own)
    teller.prompt("h-1", "big " + "A" * 100_000, **own)
    teller.end("h-1", **own)
    teller.settle()
    browser = world.browser("mallory", f"mal{TAG}")
    browser.post("/memories", content=f"remember {HOSTILE}", tags=f"{TAG},{CLOSES[:60]}")
    browser.post("/backlog/propose", type="US", title=f"Case {HOSTILE}", text=f"# {HOSTILE}\n\n{CLOSES}")
    browser.post("/backlog/propose", type="TA", title=f"Draft {TAG}{TURNS}", text=HOSTILE)
    case = re.search(r'id="d-([0-9a-f-]{36})"(?:(?!</li>).)*Case', browser.get("/backlog").html, re.DOTALL)[1]
    browser.post("/backlog/drafts", draft=case, decision="approve", project=own_project(world))
    browser.post("/backlog/US1001/work", outcome=HOSTILE, tests=TAG)
    browser.post(
        "/documents", name=f"docs/{TAG}.md", text=f"# {HOSTILE}\n\n{CLOSES}", project=own_project(world)
    )
    return browser


def checked(browser: Browser, path: str, **query: str) -> str:
    page = browser.get(path, **query)
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], (path, tag, attributes)
    assert len(page.all("script")) == OURS["script"], path
    assert len(page.all("img")) == OURS["img"], path
    assert len(page.all("main")) == 1
    outside_fields = re.sub(r"<textarea.*?</textarea>|<input[^>]*>", "", page.html, flags=re.DOTALL)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", outside_fields), path
    return page.text


PLACES = (
    "/now",
    "/sessions",
    "/facts",
    "/review",
    "/trace",
    "/memories",
    "/code",
    "/settings",
    "/backlog",
    "/documents",
    "/backlog/US1001",
    "/documents/pages/US1001",
    "/documents/okf",
)


@pytest.mark.parametrize("path", PLACES)
def test_a_page_shows_hostile_words_as_words(mallory, path):
    assert TAG in checked(mallory, path) or path in ("/review", "/documents/okf")


@pytest.mark.parametrize(
    "name", ["q", "text", "project", "agent", "id", "path", "state", "done", "asof", "after"]
)
@pytest.mark.parametrize("path", ["/now", "/facts", "/recall", "/trace", "/code", "/sessions"])
def test_hostile_words_in_an_address_are_words(mallory, path, name):
    answer = mallory.client.get(path, params={name: HOSTILE})
    assert answer.status_code in (200, 400, 404)
    assert TAG not in answer.text
    assert "<script>alert" not in answer.text


def test_one_of_each_shows_them_too(mallory):
    session = mallory.first("/sessions", f"/sessions/{UUID}")
    told = checked(mallory, session)
    assert CLOSES in told
    assert "U+202E" in told
    for place in set(re.findall(f"/facts/{UUID}", mallory.get("/facts").html)):
        checked(mallory, place)
        checked(mallory, "/trace", id=place.rsplit("/", 1)[1])
    assert TAG in checked(mallory, mallory.first("/documents", f"/documents/{UUID}"))
    checked(mallory, f"/code?path=src/{TAG}.py")
    assert TAG in checked(mallory, "/recall", q="what is used by everybody")


def test_a_long_text_is_cut_and_says_so(mallory):
    page = mallory.get(mallory.first("/sessions", f"/sessions/{UUID}"))
    assert len(page.html) < 120_000
    assert "characters in all" in page.text
