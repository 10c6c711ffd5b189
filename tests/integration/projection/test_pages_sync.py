"""Pages of use cases against a real backlog, both ways."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest
from sqlalchemy import text

from backlog import items, work
from backlog.items import Change
from backlog.lifecycle import State
from projection.pages import folder as pages_folder
from projection.pages.parse import parse
from projection.pages.sync import Run, sync
from schema.backlog import backlog, history
from schema.errors import DatabaseUnavailable
from server.page_writes import PageWrites

from .conftest import CLIENT, NOON


class World:
    """A folder of pages and the backlog behind it."""

    def __init__(self, tenants, project, folder):
        self.tenants, self.project, self.folder = tenants, project, folder
        self.hours = 0
        self.run = Run(
            tenants, CLIENT, project, folder, PageWrites(CLIENT, project, "ada", self.now), self.now
        )

    def now(self):
        self.hours += 1
        return NOON + timedelta(hours=self.hours)

    def sync(self):
        return {one.path: (one.what, one.detail) for one in sync(self.run)}

    def act(self, function, *given, **named):
        with self.tenants.tenant(CLIENT) as connection:
            return function(connection, CLIENT, self.project, *given, by="bob", now=self.now(), **named)

    def backlog(self):
        with self.tenants.tenant(CLIENT) as connection:
            return backlog(connection, CLIENT, self.project)

    def case(self):
        return self.backlog().use_cases[0]

    def page(self, name="US1001-sign-in.md"):
        return self.folder / name

    def edit(self, old, new, name="US1001-sign-in.md"):
        held = self.page(name).read_text()
        assert held.count(old) == 1, held
        self.page(name).write_text(held.replace(old, new))


@pytest.fixture
def world(tenants, project, tmp_path):
    made = World(tenants, project, tmp_path / "use_cases")
    made.act(items.create, kind="US", title="Sign in", text="With a passkey.")
    made.act(items.create, kind="FE", title="Endpoint", use_case="US1001")
    made.act(items.create, kind="BU", title="Clock", use_case="US1001")
    assert made.sync() == {"US1001-sign-in.md": ("written", "")}
    assert made.sync() == {"US1001-sign-in.md": ("unchanged", "")}
    return made


def test_edits_of_a_page_reach_the_database_and_the_page_is_then_at_rest(world):
    world.edit("# US1001 Sign in", "# US1001 Log in")
    world.edit("With a passkey.", "With a passkey.\n\n## Notes\n\n- and a fallback")
    world.edit(
        "### FE2001 Endpoint\n\nStatus: open",
        "### FE2001 Endpoint\n\nStatus: in-progress\n\nReturns a token.",
    )
    assert world.sync()["US1001-sign-in.md"] == (
        "taken over",
        "US1001 title, text; FE2001 text, state",
    )
    case = world.case()
    assert (case.item.title, case.item.text) == ("Log in", "With a passkey.\n\n## Notes\n\n- and a fallback")
    assert (case.children[0].text, case.children[0].state) == ("Returns a token.", "in-progress")
    with world.tenants.tenant(CLIENT) as connection:
        actions = [one.changes.get("state") for one in history(connection, CLIENT, case.children[0].id)]
    assert actions[-2:] == [["open", "pending"], ["pending", "in-progress"]]
    before = world.page().read_bytes()
    assert world.sync() == {"US1001-sign-in.md": ("unchanged", "")}
    assert world.page().read_bytes() == before


def test_changes_of_the_database_reach_the_page(world):
    world.act(items.change, "FE2001", Change(title="Token endpoint", state=State.PENDING))
    world.act(items.create, kind="TA", title="Write docs", use_case="US1001")
    world.act(work.add, "FE2001", work.Work(outcome="built", tests="12 passed"), origin="person")
    assert world.sync() == {"US1001-sign-in.md": ("written", "")}
    page = parse(world.page().read_text())
    assert [(one.number, one.title, one.state) for one in page.children] == [
        ("FE2001", "Token endpoint", "pending"),
        ("BU3001", "Clock", "open"),
        ("TA4001", "Write docs", "open"),
    ]
    assert "**FE2001** built (tests 12 passed)" in world.page().read_text()


def test_hand_edits_of_what_was_done_do_not_win(world):
    world.act(work.add, "FE2001", work.Work(outcome="built"), origin="person")
    world.sync()
    good = world.page().read_text()
    world.edit("**FE2001** built", "**FE2001** built by magic")
    assert world.sync() == {"US1001-sign-in.md": ("written", "")}
    assert world.page().read_text() == good
    assert world.case().work[0].outcome == "built"


def test_new_items_and_the_order_reach_the_database(world):
    world.edit("### FE2001 Endpoint", "### Task: Set up\n\nfirst\n\n### FE2001 Endpoint")
    assert world.sync() == {"US1001-sign-in.md": ("taken over", "new TA 'Set up'; the order")}
    assert [child.number for child in world.case().children] == ["TA4001", "FE2001", "BU3001"]
    assert "### TA4001 Set up" in world.page().read_text()
    page = world.page().read_text()
    first, second = page.index("### TA4001"), page.index("### FE2001")
    third = page.index("### BU3001")
    world.page().write_text(page[:first] + page[third:] + page[second:third] + page[first:second])
    assert world.sync() == {"US1001-sign-in.md": ("taken over", "the order")}
    assert [child.number for child in world.case().children] == ["BU3001", "FE2001", "TA4001"]


def test_a_run_that_dies_after_the_database_creates_nothing_twice(world, monkeypatch):
    world.edit("### FE2001 Endpoint", "### Task: Set up\n\n### FE2001 Endpoint")

    def die(*_given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pages_folder, "put", die)
        with pytest.raises(KeyboardInterrupt):
            world.sync()
    assert len(world.case().children) == 3
    world.sync()
    assert [child.number for child in world.case().children] == ["TA4001", "FE2001", "BU3001"]
    assert world.sync() == {"US1001-sign-in.md": ("unchanged", "")}


def test_a_conflict_keeps_both_and_ends_by_deleting_its_entry(world):
    world.edit("With a passkey.", "Mine.\n\nAll of it.")
    world.act(items.change, "US1001", Change(text="Theirs.\n## Items\nAll of it."))
    assert world.sync() == {"US1001-sign-in.md": ("conflict", "US1001 text")}
    shown = world.page().read_text()
    assert "Mine.\n\nAll of it." in shown
    assert "* US1001 text: the database has the text below." in shown
    assert "  > Theirs.\n  > ## Items\n  > All of it." in shown
    assert world.case().item.text == "Theirs.\n## Items\nAll of it."
    assert world.sync() == {"US1001-sign-in.md": ("conflict", "US1001 text")}
    assert world.page().read_text() == shown
    # other fields go on meanwhile
    world.edit("### BU3001 Clock", "### BU3001 Wrong clock")
    assert world.sync()["US1001-sign-in.md"] == ("conflict", "US1001 text")
    assert world.case().children[1].title == "Wrong clock"
    start = world.page().read_text().index("## Conflicts")
    world.page().write_text(world.page().read_text()[:start])
    assert world.sync() == {"US1001-sign-in.md": ("taken over", "US1001 text")}
    assert world.case().item.text == "Mine.\n\nAll of it."
    assert "Conflicts" not in world.page().read_text()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Status: open\n\nWith", "Status: doing\n\nWith", "line 7: a status is one of"),
        ("### BU3001 Clock", "### TA4711 Clock", "line 17: TA4711 is no item of US1001"),
        ("### BU3001 Clock", "### BU3001 ...", "line 17: the title has no words"),
        (
            "Status: open\n\nWith",
            "Status: done\n\nWith",
            "line 5: US1001 cannot be done",
        ),
    ],
)
def test_a_broken_page_is_refused_with_its_line_and_nothing_of_it_is_taken(world, old, new, why):
    world.edit("### FE2001 Endpoint", "### FE2001 Changed")
    world.edit(old, new)
    before, kept = world.page().read_bytes(), world.backlog()
    what, detail = world.sync()["US1001-sign-in.md"]
    assert what == "refused"
    assert why in detail, detail
    assert "Nothing of this page was taken over" in detail
    assert world.page().read_bytes() == before
    assert world.backlog() == kept


def test_a_use_case_and_its_items_can_be_done_in_one_edit(world):
    held = world.page().read_text()
    world.page().write_text(held.replace("Status: open", "Status: done"))
    assert world.sync()["US1001-sign-in.md"][0] == "taken over"
    assert {one.state for one in (world.case().item, *world.case().children)} == {"done"}
    held = world.page().read_text()
    world.page().write_text(held.replace("Status: done", "Status: open"))
    assert world.sync()["US1001-sign-in.md"][0] == "taken over"
    assert {one.state for one in (world.case().item, *world.case().children)} == {"open"}


def test_a_page_may_lie_in_any_subfolder_and_two_of_one_use_case_are_refused(world):
    moved = world.folder / "auth" / "login" / "page.md"
    moved.parent.mkdir(parents=True)
    world.page().rename(moved)
    assert world.sync() == {"auth/login/page.md": ("unchanged", "")}
    world.page().write_bytes(moved.read_bytes())
    found = world.sync()
    assert {what for what, _ in found.values()} == {"refused"}
    assert "US1001 has 2 pages: US1001-sign-in.md, auth/login/page.md" in found["auth/login/page.md"][1]


def test_a_clone_of_the_pages_has_their_base_too(world, tmp_path):
    """The mark is in the page: a copy elsewhere, edited after the database went on, is merged, not overwritten."""
    other = World(world.tenants, world.project, tmp_path / "clone")
    other.hours = 50
    other.folder.mkdir()
    other.page().write_bytes(world.page().read_bytes())
    world.edit("# US1001 Sign in", "# US1001 Log in")
    world.sync()
    other.edit("With a passkey.", "With two passkeys.")
    assert other.sync()["US1001-sign-in.md"] == ("taken over", "US1001 text")
    assert "# US1001 Log in" in other.page().read_text()
    assert world.case().item.text == "With two passkeys."


def test_a_page_can_ask_for_a_new_use_case(world):
    page = "---\nlimbeck_page: new\n---\n# Reset a password\n\nBy mail.\n\n## Items\n\n### Feature: Mail a link\n"
    (world.folder / "reset.md").write_text(page)
    assert world.sync()["reset.md"] == ("taken over", "US1002 is new")
    made = world.backlog().use_cases[1]
    assert (made.item.title, made.item.text, made.children[0].number) == (
        "Reset a password",
        "By mail.",
        "FE2002",
    )
    assert world.sync()["reset.md"] == ("unchanged", "")


def test_a_page_that_was_deleted_is_written_again_and_says_how_to_retire_its_use_case(world):
    kept = world.page().read_bytes()
    world.page().unlink()
    what, detail = world.sync()["US1001-sign-in.md"]
    assert (what, "`limbeck items archive US1001`" in detail) == ("written again", True)
    assert world.page().read_bytes() == kept


def test_the_page_of_an_archived_use_case_goes_unless_it_was_edited(world):
    for number in ("FE2001", "BU3001"):
        world.act(items.archive, number, reason="old")
    world.sync()
    world.act(items.archive, "US1001", reason="old")
    kept = world.page().read_bytes()
    world.edit("With a passkey.", "Mine.")
    assert world.sync()["US1001-sign-in.md"][0] == "refused"
    assert "Mine." in world.page().read_text()
    world.page().write_bytes(kept)
    assert world.sync()["US1001-sign-in.md"][0] == "removed"
    assert not world.page().exists()


def test_an_unrelated_file_and_hidden_folders_are_left_alone(world):
    (world.folder / "README.md").write_text("# US1001 mine\n")
    (world.folder / ".okf").mkdir()
    (world.folder / ".okf" / "page.md").write_bytes(world.page().read_bytes())
    assert world.sync() == {"US1001-sign-in.md": ("unchanged", "")}
    assert (world.folder / "README.md").read_text() == "# US1001 mine\n"


def test_a_secret_in_a_page_is_stored_nowhere(world):
    key = "gh" + "p_" + secrets.token_hex(18)
    world.edit("With a passkey.", f"With token {key} please.")
    world.sync()
    assert key not in world.page().read_text()
    with world.tenants.tenant(CLIENT) as connection:
        held = [connection.scalar(text(f"SELECT string_agg(t::text, ' ') FROM {name} t"))
                for name in ("items", "item_history", "page_bases")]  # fmt: skip
    assert key not in " ".join(filter(None, held))
    assert "please" in world.case().item.text


def test_a_page_that_changes_while_it_is_synced_is_not_overwritten(world, monkeypatch):
    world.act(items.change, "US1001", Change(title="Log in"))
    found = pages_folder.scan

    def scan_then_edit(folder):
        pages = found(folder)
        world.edit("With a passkey.", "Typed just now.")
        return pages

    with monkeypatch.context() as patched:
        patched.setattr(pages_folder, "scan", scan_then_edit)
        assert world.sync()["US1001-sign-in.md"][0] == "busy"
    assert world.sync()["US1001-sign-in.md"] == ("taken over", "US1001 text")
    assert (world.case().item.title, world.case().item.text) == ("Log in", "Typed just now.")


def test_nobody_changes_a_use_case_between_the_look_at_it_and_the_edits(world, monkeypatch):
    from projection.pages import sync as syncing

    world.edit("# US1001 Sign in", "# US1001 Log in")
    refused = []

    def another(number):
        with world.tenants.tenant(CLIENT) as other:
            other.execute(text("SET LOCAL lock_timeout = '50ms'"))
            change = Change(title="Another")
            items.change(other, CLIENT, world.project, number, change, by="bob", now=world.now())

    def apply_while_another_tries(*given):
        for number in ("US1001", "FE2001"):
            with pytest.raises(DatabaseUnavailable, match="lock timeout"):
                another(number)
            refused.append(number)
        return applied(*given)

    applied = syncing._apply
    monkeypatch.setattr(syncing, "_apply", apply_while_another_tries)
    assert world.sync()["US1001-sign-in.md"] == ("taken over", "US1001 title")
    assert refused == ["US1001", "FE2001"]
