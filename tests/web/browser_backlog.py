"""From sign-in to an approved draft, its page and what was done."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def shop(owner):
    page = owner.go("/backlog")
    page.get_by_role("main").get_by_role("link", name=re.compile(r"^shop$|team.shop")).click()
    page.wait_for_url("**/backlog?project=*")
    return page


def propose(page, title: str, kind: str = "task") -> None:
    page.get_by_text("Propose something yourself").click()
    form = page.locator("form[action='/backlog/propose']")
    form.get_by_label("Kind").select_option(label=kind)
    form.get_by_label("Title").fill(title)
    form.get_by_role("button", name="Propose").click()
    expect(page.get_by_text("Created.")).to_be_visible()


def test_a_draft_is_approved_and_done(owner):
    page = shop(owner)
    propose(page, "Clerks find their last shelf", "use case")
    row = page.locator("li[id^=d-]", has_text="Clerks find their last shelf")
    row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Approve the chosen").click()
    expect(page.get_by_text("Approved. It has its number now.")).to_be_visible()
    page.get_by_role("link", name=re.compile("US1001 Clerks find their last shelf")).click()
    page.get_by_role("button", name="to pending").click()
    expect(page.get_by_text("Moved.")).to_be_visible()
    page.get_by_text("Note what was done").click()
    page.get_by_label("What works now").fill("the shelf is remembered")
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("region", name="What was done")).to_contain_text("the shelf is remembered")


def test_many_are_chosen_at_once(owner):
    page = shop(owner)
    for title in ("Weigh the northern scales", "Paint the eastern door"):
        propose(page, title)
    page.get_by_label("All", exact=True).check()
    expect(page.locator("input[name=draft]:not(:checked)")).to_have_count(0)
    page.get_by_label("Why not").fill("not this year")
    page.get_by_role("button", name="Reject the chosen").click()
    expect(page.get_by_text("No draft waits")).to_be_visible()
    page.get_by_text("Drafts that were rejected or merged").click()
    expect(page.get_by_text("not this year").first).to_be_visible()


def test_a_page_is_previewed_before_it_is_saved(owner):
    page = shop(owner)
    page.get_by_role("link", name="as a page").first.click()
    field = page.get_by_label("Markdown")
    before = field.input_value()
    field.fill(before.replace("## Items", "They *walk* less.\n\n## Items"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview").locator("em")).to_have_text("walk")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def test_something_is_forgotten_for_good(house, owner):
    page = owner.go("/memories")
    page.get_by_label("One sentence that makes sense by itself").fill("Casimir Oldenburg has the master key")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Forget something for good").click()
    page.get_by_label("Name, e-mail address or other literal text").fill("casimir oldenburg")
    page.get_by_role("button", name="Count it").click()
    expect(page.get_by_text("would go. Nothing is removed yet.")).to_be_visible()
    page.get_by_role("button", name="Forget it for good").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget it for good").click()
    expect(page.get_by_text("A search of everything finds nothing")).to_be_visible()
    owner.go("/recall", q="who has the master key?")
    expect(page.get_by_role("main").get_by_text("Casimir")).to_have_count(0)
