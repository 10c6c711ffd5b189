"""Settings: changed in the browser, with scripts and without, and taken by what runs."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from server.principal import Right

from .conftest import wait_until


def left_out(house) -> list[str]:
    """The tools that this machine's hooks leave out."""
    return json.loads((house.stage.home / "hook.json").read_text())["policy"]["tools"]


def save(page, field: str, value: str) -> None:
    page.locator(f"#v-{field}").fill(value)
    page.locator(f".card:has(#v-{field}) button.main").click()


def test_a_rule_is_written_and_the_hooks_are_told(house, owner):
    page = owner.go("/settings")
    save(page, "ignore_tools", "Todo*\nmcp__private__*")
    expect(page.locator(".card:has(#v-ignore_tools) .note.good")).to_have_text(
        "Saved. What runs takes it within seconds."
    )
    wait_until(lambda: left_out(house) == ["Todo*", "mcp__private__*"], "the hooks were not told")
    expect(page.locator("#s-ignore_tools")).to_contain_text("set in config.toml")
    save(page, "ignore_tools", "")
    wait_until(lambda: left_out(house) == [], "the hooks were not told again")


def test_what_cannot_be_used_is_told_and_what_was_typed_stays(owner):
    page = owner.go("/settings")
    page.locator("#v-ignore_paths").fill("kept while I correct")
    save(page, "daily_usd", "lots")
    expect(page.get_by_role("alert")).to_contain_text("an amount from 0 upwards is wanted")
    expect(page.locator("#v-daily_usd")).to_have_value("lots")
    expect(page.locator("#v-ignore_paths")).to_have_value("kept while I correct")
    owner.complaints[:] = [one for one in owner.complaints if "400" not in one]


def test_without_scripts_it_works_too(house, visit):
    visitor = visit(java_script_enabled=False)
    page = visitor.go("/settings")
    save(page, "ignore_tools", "Todo*")
    expect(page.get_by_text("Saved. What runs takes it within seconds.").first).to_be_visible()
    wait_until(lambda: left_out(house) == ["Todo*"], "the hooks were not told")
    save(page, "ignore_tools", "")
    expect(page.locator("#v-ignore_tools")).to_have_value("")


def test_what_the_environment_sets_has_no_field(owner):
    page = owner.go("/settings")
    expect(page.locator("#s-distiller")).to_contain_text("Set by LIMBECK_DISTILLER: change it there")
    expect(page.locator("#v-distiller")).to_have_count(0)


def test_who_may_not_is_told_so(house, visit):
    page = visit(house.token("reader", Right.READ)).go("/settings")
    expect(page.get_by_text("Tokens and settings are for whoever may do everything here.")).to_be_visible()
    expect(page.locator(".setting")).to_have_count(0)


def test_a_project_is_renamed_and_called_so_everywhere(owner):
    page = owner.go("/settings")
    row = page.locator("#projects").locator("xpath=ancestor::section").locator("li", has_text="team/books")
    row.locator("summary").click()
    row.get_by_label("Name").fill("Books & papers")
    row.get_by_role("button", name="Rename").click()
    expect(page.get_by_text("Renamed.").first).to_be_visible()
    expect(page.get_by_label("Project", exact=True)).to_contain_text("Books & papers")
    row.locator("summary").click()
    row.get_by_label("Name").fill("books")
    row.get_by_role("button", name="Rename").click()
    expect(page.get_by_label("Project", exact=True)).to_contain_text("books")
