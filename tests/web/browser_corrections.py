"""A person corrects what is remembered."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from server.principal import Right

SAYS = re.compile(r"every endpoint returns JSON with snake_case keys\.", re.IGNORECASE)


def fact(page) -> str:
    page.get_by_role("link", name=SAYS).click()
    page.wait_for_url("**/facts/*")
    return page.url


def test_a_retirement_is_undone(owner):
    page = owner.go("/facts")
    address = fact(page)
    page.get_by_label("Why it is true no longer").fill("not since the new gateway")
    page.get_by_role("button", name="Retire").click()
    expect(page.get_by_text("Retired. It is in the history")).to_be_visible()
    expect(page.get_by_text("Why it ended:")).to_contain_text("not since the new gateway")
    owner.go("/facts")
    expect(page.get_by_text(SAYS)).to_have_count(0)
    page.goto(address)
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Restored. The current view is as it was before.")).to_be_visible()
    owner.go("/facts")
    expect(page.get_by_role("link", name=SAYS)).to_be_visible()


def test_another_tab_shows_what_was_changed(owner):
    first = owner.go("/facts")
    second = owner.another_tab()
    second.goto(owner.house.url + "/facts")
    expect(second.get_by_text(SAYS)).to_be_visible()
    address = fact(first)
    first.get_by_role("button", name="Retire").click()
    expect(first.get_by_text("Retired.")).to_be_visible()
    expect(second.get_by_text(SAYS)).to_have_count(0)
    first.goto(address)
    first.get_by_role("button", name="Restore").click()
    expect(second.get_by_text(SAYS)).to_be_visible()


def test_another_tab_leaves_what_somebody_writes_alone(owner):
    first = owner.go("/memories")
    second = owner.another_tab()
    second.goto(owner.house.url + "/memories")
    second.get_by_label("One sentence that makes sense by itself").fill("half a thought")
    first.get_by_label("One sentence that makes sense by itself").fill("a whole one")
    first.get_by_role("button", name="Save").click()
    expect(first.get_by_text("Saved.")).to_be_visible()
    expect(second.get_by_label("One sentence that makes sense by itself")).to_have_value("half a thought")


def test_it_works_without_scripts(visit):
    visitor = visit(java_script_enabled=False)
    page = visitor.go("/facts")
    fact(page)
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text("Pinned. Nothing replaces it")).to_be_visible()
    page.get_by_role("button", name="Unpin").click()
    expect(page.get_by_text("Unpinned.")).to_be_visible()
    page.goto(visitor.house.url + "/recall")
    page.get_by_label("Question").fill("which database?")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("main")).to_contain_text("Postgres")


def test_a_reader_is_shown_no_way_to_change_anything(house, visit):
    page = visit(house.token("rita", Right.READ)).go("/facts")
    fact(page)
    for name in ("Retire", "Confirm", "Pin"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_a_search_tells_why(owner):
    page = owner.go("/recall")
    page.keyboard.press("/")
    page.get_by_label("Question").fill("what is the backend written in?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Holds now")).to_be_visible()
    page.get_by_text("Why it stands here").first.click()
    expect(page.locator("svg.chart").first).to_be_visible()
    assert "q=what+is+the+backend" in page.url.replace("%20", "+")


def test_a_trace_is_walked_by_keyboard(owner):
    page = owner.go("/trace")
    page.get_by_role("link", name=re.compile("Rewrite the backend in Rust")).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/trace?id=*")
    before = page.url
    box = page.locator("svg.chart a").first
    box.focus()
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    first = page.locator("[data-walk] a.title").first
    first.focus()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "A"
