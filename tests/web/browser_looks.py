"""How pages look and read: to the eye at three widths in both colours, to a keyboard, to who cannot see them."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import PICTURES, picture_name

PLACES = (
    "/now",
    "/sessions",
    "/code",
    "/facts",
    "/review",
    "/recall?q=which+database",
    "/trace",
    "/memories",
    "/settings",
)
WIDTHS = (360, 800, 1400)
WIDER = """
(width) => document.documentElement.scrollWidth <= width ? [] : [document.documentElement.scrollWidth + " wide",
  ...[...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width)
  .map((one) => one.outerHTML.slice(0, 200)).slice(0, 3)]
"""
SERIOUS = {"serious", "critical"}
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


def places(page, house) -> dict[str, str]:
    """Every page by its picture's name, with one fact, one session, one trace and one project's backlog."""
    page.goto(house.url + "/facts?history=yes")
    one = page.locator("a.title", has_text="written in Rust").first.get_attribute("href").split("?")[0]
    page.goto(house.url + "/sessions")
    session = page.locator("a.title", has_text=re.compile("renew|Renew|sessions")).first.get_attribute("href")
    page.goto(house.url + "/backlog")
    shop = page.get_by_role("main").get_by_role("link", name=re.compile(r"^shop$|team.shop"))
    backlog = shop.get_attribute("href")
    return {picture_name(path): path for path in PLACES} | {
        "fact": one,
        "session": session,
        "trace-of-a-fact": f"/trace?id={one.rsplit('/', 1)[1]}",
        "file": "/code?path=backend/orders.py",
        "nowhere": "/nowhere",
        "choose-a-project": "/backlog",
        "backlog": backlog,
        "documents": backlog.replace("/backlog", "/documents"),
        "bundle": backlog.replace("/backlog", "/documents/okf"),
        "forget": "/forget",
    }


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_serious_is_found_and_pictures_are_taken(visit, house, colours):
    visitor = visit(color_scheme=colours)
    page, found = visitor.page, []
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, path in places(page, house).items():
        page.goto(house.url + path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(WIDER, width) == [], (path, width)
            page.screenshot(path=PICTURES / f"{name}-{width}-{colours}.png", full_page=True)
        results = Axe().run(page, options=RULES).response["violations"]
        found += [(path, one["id"], one["impact"], one["nodes"][0]["html"][:160]) for one in results]
    visitor.complaints[:] = [one for one in visitor.complaints if "404" not in one]
    (PICTURES / f"axe-{colours}.json").write_text(json.dumps(found, indent=1))
    assert [one for one in found if one[2] in SERIOUS] == []


def test_the_first_tab_skips_to_the_page(owner):
    page = owner.go("/facts")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_every_stop_of_the_keyboard_shows_where_it_is(owner):
    page = owner.go("/facts")
    for _ in range(30):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


def test_reduced_motion_is_honoured(visit):
    page = visit(reduced_motion="reduce").go("/facts")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div class=busy></div>')")
    assert page.evaluate("getComputedStyle(document.querySelector('.busy')).animationName") == "none"


def test_hostile_words_do_nothing(house, owner):
    words = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>\u202etxt'
    house.hook(house.agent.prompt(f"hostile {words}"))
    page = owner.go("/now")
    row = page.locator("[data-feed] > li", has_text="hostile").first
    expect(row).to_contain_text("onerror")
    expect(row.locator(".mark")).to_have_text("U+202E")
    house.hook(house.agent.prompt(f"hostile and live {words}"))
    live = page.locator("[data-feed] > li", has_text="hostile and live")
    expect(live).to_contain_text("onerror")
    expect(live.locator("img, script")).to_have_count(0)
    assert page.title() == "Now · Limbeck"


def test_a_sent_form_shows_that_it_works(owner):
    page = owner.go("/recall")
    page.evaluate(
        "document.querySelector('main form').addEventListener('submit', (event) => setTimeout(() => "
        "{ document.body.dataset.busy = document.querySelectorAll('.busy').length }))"
    )
    page.route("**/recall?q=*", lambda route: route.fulfill(status=204))
    page.get_by_label("Question").fill("anything")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".busy")).to_be_visible()
