"""Memories: saved, deleted with six seconds to think again, and hidden on one device."""

from __future__ import annotations

from playwright.sync_api import expect
from sqlalchemy import text

from .conftest import wait_until


def save(page, words: str) -> None:
    page.get_by_label("One sentence that makes sense by itself").fill(words)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".rows").get_by_text(words)).to_be_visible()


def delete(page, words: str) -> None:
    row = page.locator(".rows > li", has_text=words)
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Memory deleted")).to_be_visible()
    expect(page.locator(".rows > li", has_text=words)).to_have_count(0)


def test_no_is_no(owner):
    page = owner.go("/memories")
    save(page, "the ferry leaves on the hour")
    page.locator(".rows > li", has_text="ferry").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".rows > li", has_text="ferry")).to_be_visible()


def test_a_deletion_is_undone_from_another_page(owner):
    page = owner.go("/memories")
    save(page, "the crane lifts nine tons")
    delete(page, "the crane lifts nine tons")
    assert page.evaluate("document.activeElement.id") == "list"
    owner.go("/facts")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone. The memory is as it was.")).to_be_visible()
    owner.go("/memories")
    expect(page.locator(".rows > li", has_text="nine tons")).to_be_visible()


def test_left_alone_it_is_gone_for_good(house, owner):
    page = owner.go("/memories")
    save(page, "the pier is closed in winter")
    delete(page, "the pier is closed in winter")
    owner.go("/sessions")
    expect(page.get_by_text("Memory deleted")).to_have_count(0, timeout=15_000)

    def gone() -> bool:
        with house.database.everyone("local") as connection:
            return connection.scalar(text("SELECT count(*) FROM memories WHERE content LIKE '%pier%'")) == 0

    wait_until(gone, "the memory was not deleted")


def test_the_prompt_is_copied(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.go("/memories")
    page.get_by_role("button", name="Copy this prompt").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert "Show me the draft" in page.evaluate("navigator.clipboard.readText()")


def test_the_panel_is_hidden_here_and_not_there(owner, visit):
    page = owner.go("/memories")
    page.get_by_role("button", name="Hide on this device").click()
    expect(page.get_by_role("heading", name="Memories are hidden on this device")).to_be_visible()
    expect(visit().go("/memories").get_by_label("Search them")).to_be_visible()
    page.get_by_role("button", name="Show them here").click()
    expect(page.get_by_label("Search them")).to_be_visible()


def test_a_key_is_found_with_its_versions_and_its_deletion_undone(house, owner):
    for value in ("on Tuesdays", "on Thursdays"):
        house.stage.limbeck("remember", "harbour day", value)
    page = owner.go("/memories")
    row = page.locator(".rows > li", has_text="harbour day")
    expect(row).to_contain_text("on Thursdays")
    row.get_by_role("link", name="harbour day").click()
    expect(page.get_by_text("on Tuesdays")).to_be_visible()
    owner.go("/memories", kind="keys")
    delete(page, "harbour day")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".rows > li", has_text="harbour day")).to_be_visible()
