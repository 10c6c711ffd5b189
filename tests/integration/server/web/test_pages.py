"""Every page in each of its states, under one policy."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from schema.errors import DatabaseUnavailable
from server.operation import Call
from server.operations.state import StatusInput, status
from server.principal import Principal, Right
from server.web.policy import CONTENT

from .conftest import Page

PLACES = (
    "/now",
    "/sessions",
    "/code",
    "/facts",
    "/review",
    "/recall",
    "/trace",
    "/memories",
    "/settings",
    "/backlog",
    "/documents",
)
UUID = "[0-9a-f]{8}-[0-9a-f-]{27}"


@pytest.mark.parametrize("path", PLACES)
def test_an_empty_memory_says_how_to_begin(eve, path):
    page = eve.get(path)
    assert page.all("h1") or "<h1" in page.html
    empty = [one for one in page.all("div") if one.get("class") == "empty"]
    assert empty or path in ("/recall", "/settings")


@pytest.mark.parametrize("path", PLACES)
def test_a_page_stands_under_the_policy_and_holds_nothing_inline(ada, path):
    answer = ada.client.get(path)
    assert answer.headers["content-security-policy"] == CONTENT
    assert answer.headers["cache-control"] == "no-store"
    page = Page(answer.text)
    for tag, attributes in page.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "style"
        for name in ("src", "href", "action"):
            if name in attributes:
                parts = urlsplit(attributes[name])
                assert (parts.scheme, parts.netloc) == ("", ""), attributes
    assert [one["src"] for one in page.all("script")] == [page.all("script")[0]["src"]]


@pytest.mark.parametrize("path", PLACES)
def test_a_page_is_light(ada, path):
    assert len(gzip.compress(ada.client.get(path).content)) < 60_000


@pytest.mark.parametrize("path", PLACES)
def test_every_field_has_a_name_and_every_page_one_heading(ada, path):
    page = ada.get(path)
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_home_leads_to_now(ada):
    assert ada.client.get("/").headers["location"] == "/now"


def test_an_unknown_page_says_so_inside_the_frame(ada):
    page = ada.get("/nowhere", 404)
    assert "There is no page at /nowhere" in page.text
    assert page.all("nav")


@pytest.mark.parametrize("path", ["/facts/{}", "/sessions/{}"])
def test_an_unknown_thing_says_so(ada, path):
    assert "Not here" in ada.get(path.format("01a22d21-d665-746a-bd9a-88444f81123e"), 404).text


def test_an_unknown_project_says_so_and_keeps_the_frame(ada):
    assert "There is no project nobody" in ada.get("/facts", 404, project="nobody").text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/facts", {"asof": "soon"}),
        ("/facts", {"after": "x"}),
        ("/facts", {"kind": "x"}),
        ("/sessions", {"after": "%%"}),
    ],
)
def test_a_wrong_address_is_told_in_a_sentence(ada, path, query):
    assert "That did not work" in ada.get(path, 400, **query).text


@pytest.mark.parametrize("path", ["/now", "/facts"])
def test_a_database_that_is_down_is_told(world, ada, path, monkeypatch):
    def down(*_):
        raise DatabaseUnavailable(why="connection refused")

    monkeypatch.setattr(type(world.database), "tenant", down)
    page = ada.get(path, 503)
    assert "Try again" in page.text
    assert "connection refused" not in page.text


def test_an_error_that_nobody_foresaw_shows_a_reference_and_no_more(ada, monkeypatch):
    def broken(*_args, **_given):
        raise RuntimeError("the inside")

    monkeypatch.setattr("server.web.pages.facts.asked", broken)
    page = ada.get("/facts", 500)
    assert "has it under" in page.text
    assert "the inside" not in page.text


def test_the_stream_shows_what_happened_and_what_was_merged(ada):
    page = ada.get("/now")
    assert "Which encoding do the exports use?" in page.text
    assert "×3" in page.text
    assert '<span class="redacted"' in page.html


def test_the_stream_is_narrowed_by_the_address(ada):
    page = ada.get("/now", outcome="failed")
    assert "pytest -q" in page.text
    assert "Which encoding" not in page.text
    assert "Sign-in throws" not in ada.get("/now", project="books").text


def test_the_stream_is_narrowed_to_one_session(ada):
    page = ada.get("/now", agent="claude")
    offered = [one["value"] for one in page.all("option") if len(one.get("value", "")) == 36]
    leads = {one["href"] for one in page.all("a") if "data-stop" in one}
    assert {f"/sessions/{one}" for one in offered} >= leads
    one = offered[0]
    narrowed = ada.get("/now", session=one)
    assert {one["href"] for one in narrowed.all("a") if "data-stop" in one} == {f"/sessions/{one}"}
    assert "Show everything" in narrowed.text


def test_a_note_can_be_forgotten_for_good_by_who_may(world, ada):
    ada.post("/memories", content="The printer is on the third floor.")
    page = ada.get("/memories")
    assert "/forget" in page.forms
    found = [one["value"] for one in page.all("input") if one.get("value", "").startswith("mem_")]
    assert "would go" in ada.post("/forget", 200, kind="memory", value=found[0])
    assert "/forget" not in world.browser("team", "wim", Right.WRITE).get("/memories").forms


def test_counts_are_those_of_status(world, ada):
    call = Call(Principal("team", "ada"), world.database, datetime.now(UTC), lambda: None)
    counts = status(call, StatusInput()).counts
    assert f"{counts.stored} stored" in ada.get("/now").text
    assert f"{counts.merged} merged" in ada.get("/now").text


def test_a_session_is_told_the_way_it_went(ada):
    place = ada.first("/sessions", f"/sessions/{UUID}", agent="codex")
    page = ada.get(place)
    assert "Sign-in throws people out" in page.text
    assert "passes now" in page.text
    assert "fixes BU3001" in page.text
    assert "The access token lifetime is 15 minutes." in page.text


def test_a_subagents_work_is_folded(ada):
    page = ada.get(ada.first("/sessions", f"/sessions/{UUID}", agent="gemini"))
    assert "Subagent tester: 2 steps" in page.text


def test_a_fact_shows_its_life_and_what_it_rests_on(ada):
    page = ada.get(ada.first("/facts", f"/facts/{UUID}", subject="backend", project="shop"))
    assert page.all("svg")
    assert "Every change" in page.text
    assert "Rewrite the backend in Rust" in page.text


def test_facts_as_they_were(ada):
    assert "written in Python" in ada.get("/facts", project="shop", history="yes").text
    assert "No fact matches" in ada.get("/facts", asof="2020-01-01").text


def test_recall_tells_why_and_what_holds_no_longer(ada):
    page = ada.get("/recall", q="what is the backend written in?", history="yes")
    assert "Holds now" in page.text
    assert "Why it stands here" in page.text
    assert "Nothing is known of that" in ada.get("/recall", q="qqqq xyzzy").text


def test_a_trace_is_a_picture_and_a_list(ada):
    fact = ada.first("/facts", f"/facts/{UUID}", subject="backend", project="shop").rsplit("/", 1)[1]
    page = ada.get("/trace", id=fact)
    assert len(page.all("svg")) == 1
    for heading in ("Asked for by", "In session", "Commits", "Came of it"):
        assert heading in page.text
    links = {one["href"] for one in page.all("a") if one["href"].startswith("/trace?id=")}
    assert len(links) > 3


def test_code_shows_churn_and_who_touched_what(ada):
    page = ada.get("/code", project="shop")
    assert "orders.py" in page.text
    assert "codex" in page.text
    assert "Renew sessions while they are used" in ada.get("/code?path=backend/auth.py").text


def test_what_a_reader_may_not_do_is_not_shown_and_is_refused(world, ada, rita):
    fact = ada.first("/facts", f"/facts/{UUID}")
    session = ada.first("/sessions", f"/sessions/{UUID}")
    everywhere = {"/signout", "/theme", "/memories/device"}
    for path in (*PLACES, fact, session):
        assert rita.get(path).forms <= everywhere, path
    for path in (
        f"{fact}/retire",
        f"{fact}/pin",
        f"{session}/distil",
        "/memories",
        "/memories/delete",
        "/settings/tokens",
    ):
        assert "You may not do this" in rita.post(
            path, 403, id="x", content="x", name="x", user="x", memory="mem_" + "0" * 26
        )


def test_who_may_write_sees_no_tokens_and_no_settings(world):
    walt = world.browser("team", "walt", Right.WRITE)
    page = walt.get("/settings")
    assert "LIMBECK_" not in page.text
    assert "/settings/tokens" not in page.forms
    walt.post("/settings/tokens", 403, name="x", user="x", right="admin")


def test_the_theme_is_kept_by_the_browser(ada):
    ada.post("/theme", theme="dark")
    assert ada.get("/facts").all("html") == [{"lang": "en", "data-theme": "dark"}]
    ada.post("/theme", theme="device")
    assert ada.get("/facts").all("html") == [{"lang": "en"}]


def test_styles_and_scripts_are_kept_for_good_under_their_version(world, ada):
    page = ada.get("/facts")
    for address in (page.all("script")[0]["src"], page.all("link")[1]["href"]):
        answer = world.stranger().client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert world.stranger().client.get("/static/old/limbeck.css").headers["cache-control"] == "no-cache"
    assert world.stranger().client.get("/static/old/secret.py").status_code == 404
