"""What arrives is seen as it arrives."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import NEIGHBOUR


def test_a_real_hooks_event_arrives_by_itself(house, owner):
    page = owner.go("/now")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    house.hook(house.agent.prompt("does the tide table need a new reader?"))
    row = page.locator("[data-feed] > li", has_text="does the tide table need a new reader?")
    expect(row).to_be_visible()
    for _ in range(3):
        house.hook(house.agent.bash("pytest -q tests/test_tides.py"))
    call = page.locator("[data-feed] > li", has_text="pytest -q")
    expect(call.first).to_contain_text("×3")


def test_a_secret_in_a_prompt_arrives_removed(house, owner):
    from limbeck.demo.scenario import fake_token

    token = fake_token()
    page = owner.go("/now")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    house.hook(house.agent.prompt(f"use {token} for the lighthouse"))
    row = page.locator("[data-feed] > li", has_text="for the lighthouse")
    expect(row.locator(".redacted")).to_be_visible()
    assert token not in page.content()


def test_a_paused_stream_waits_and_goes_on(house, owner):
    page = owner.go("/now")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    page.get_by_role("button", name="Pause").click()
    house.hook(house.agent.prompt("said while it was paused"))
    expect(page.locator("[data-feed-state]")).to_contain_text("Paused: 1 new")
    expect(page.get_by_text("said while it was paused")).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("said while it was paused")).to_be_visible()


def test_a_filter_holds_for_what_arrives(house, owner):
    page = owner.go("/now")
    page.get_by_label("Outcome").select_option("failed")
    page.wait_for_url("**/now?outcome=failed")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    house.hook(house.agent.prompt("not a failure"))
    house.hook(house.agent.bash("npm run harbour", fails="Exit code 2"))
    expect(page.locator("[data-feed] > li", has_text="npm run")).to_be_visible()
    expect(page.get_by_text("not a failure")).to_have_count(0)


def test_the_neighbours_events_do_not_arrive(house, owner, visit):
    page = owner.go("/now")
    other = visit(house.token("noel", client="neighbour"))
    theirs = other.go("/now")
    for one in (page, theirs):
        expect(one.locator("[data-feed-state]")).to_have_text("Live")
    neighbour = house.teller("neighbour")
    neighbour.prompt("n-2", f"{NEIGHBOUR} arrives now")
    neighbour.settle()
    house.hook(house.agent.prompt("and ours after it"))
    expect(theirs.get_by_text(f"{NEIGHBOUR} arrives now")).to_be_visible()
    expect(page.get_by_text("and ours after it")).to_be_visible()
    assert NEIGHBOUR not in page.content()
    assert "ours after it" not in theirs.content()


def test_a_lost_server_is_told_and_found_again(owner):
    page = owner.go("/now")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    owner.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("[data-offline]")).to_be_visible()
    owner.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-offline]")).to_be_hidden()
    owner.complaints.clear()
