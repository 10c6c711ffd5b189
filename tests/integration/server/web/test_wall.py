"""Nothing of one tenant in the other's pages, and nothing of a project in those of who may not see it."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import text

from server.principal import Right

from .conftest import NEIGHBOUR

PLACES = (
    "/now",
    "/sessions",
    "/facts",
    "/facts?history=yes",
    "/review",
    "/trace",
    "/memories",
    "/code",
    "/settings",
    "/backlog",
    "/documents",
)
UUID = "[0-9a-f]{8}-[0-9a-f-]{27}"


@pytest.fixture(scope="module")
def noel(world):
    """Who may do everything next door."""
    browser = world.browser("neighbour", "noel")
    browser.post("/memories", content=f"{NEIGHBOUR} is mine", tags=NEIGHBOUR)
    return browser


@pytest.mark.parametrize("path", PLACES)
def test_the_neighbours_words_are_not_in_our_pages(ada, noel, path):
    assert NEIGHBOUR not in ada.get(path).html


def test_the_neighbour_sees_them(noel):
    for path in ("/now", "/sessions", "/memories", "/code"):
        assert NEIGHBOUR in noel.get(path).html


def test_a_search_finds_nothing_next_door(ada, noel):
    page = ada.get("/recall", q=NEIGHBOUR)
    assert "Nothing is known of that" in page.text
    assert NEIGHBOUR not in ada.get(f"/memories?q={NEIGHBOUR}x").text


def test_an_id_from_next_door_is_not_here(ada, noel):
    places = set(
        re.findall(f"/(?:facts|sessions)/{UUID}", noel.get("/facts").html + noel.get("/sessions").html)
    )
    assert places
    for place in places:
        ada.get(place, 404)
        ada.get("/trace", 404, id=place.rsplit("/", 1)[1])
        ada.post(f"{place}/{'retire' if 'facts' in place else 'distil'}", 404)


def test_a_memory_is_its_owners_alone(world, ada):
    ada.post("/memories", content="the launch is called nightjar")
    assert "nightjar" in ada.get("/memories").text
    bert = world.browser("team", "bert")
    assert "nightjar" not in bert.get("/memories").text
    assert "nightjar" not in bert.get("/recall", q="what is the launch called?").text


@pytest.fixture(scope="module")
def booker(world):
    """Who may see one project of the team."""
    with world.database.tenant("team") as connection:
        project = connection.scalar(text("SELECT project::text FROM projects WHERE name = 'books'"))
    return world.browser("team", "booker", Right.ADMIN, (project,))


@pytest.mark.parametrize("path", ["/now", "/sessions", "/facts", "/trace", "/code"])
def test_a_token_for_one_project_shows_that_project(booker, path):
    page = booker.get(path)
    assert not [one for one in page.all("div") if one.get("class") == "empty"]
    assert "Postgres" not in page.text


def test_a_token_for_one_project_reaches_no_other(ada, booker):
    place = ada.first("/facts", f"/facts/{UUID}", project="shop")
    booker.get(place, 404)
    booker.post(f"{place}/retire", 404)
    booker.get("/facts", 404, project="shop")
    assert "shop" not in booker.get("/recall", q="which database?").text
    assert "health of the memory is of all projects" in booker.get("/now").text
