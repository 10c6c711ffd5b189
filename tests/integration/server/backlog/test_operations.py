"""The backlog as operations: from a draft to what was done, for those who may see the project and nobody else."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

import pytest

from schema.database import Database
from schema.errors import NotFound, Refused
from server.errors import BadInput, Missing, Stale
from server.operations import ALL
from server.paging import encoded
from server.principal import Principal, Right
from tests.integration.server.model.conftest import World

WANTED = [
    *(
        "create_entity",
        "list_drafts",
        "approve_draft",
        "edit_draft",
        "merge_drafts",
        "reject_draft",
        "classify",
    ),
    *("list_work_items", "get_item_by_number", "update_work_item", "get_work_item_history", "add_work_log"),
    "order_work_items",
]


@pytest.fixture
def world(app_url) -> Iterator[World]:
    database = Database(app_url)
    for client in ("local", "stranger"):
        database.add_client(client)
    world = World(database)
    world.tell("shop", "s-1", ["P: We need a CSV export of invoices. Bug: the export loses its last page."])
    world.tell("web", "w-1", ["P: We use Svelte for the frontend."])
    yield world
    database.close()


@pytest.fixture
def alice() -> Principal:
    return Principal("local", "alice", right=Right.WRITE, token="t1")


@pytest.fixture
def ask(world, alice):
    def run(name, *, who=alice, project="shop", **given):
        return world.ask(who, name, project=project, **given)

    return run


def test_the_items_of_a_use_case_are_put_in_order(ask):
    top = made(ask, "US", "Invoices")
    numbers = [made(ask, "TA", f"Part {place}", parent=top) for place in range(3)]
    first, second, third = numbers
    told = ask("order_work_items", number=top.lower(), order=[f"{third[:2]}-{third[2:]}", first])
    assert told.items == [third, first, second]
    assert [one.number for one in ask("list_work_items", use_case=top).items] == told.items
    assert [line.action for line in ask("get_work_item_history", number=top).history][-1] == "reordered"
    with pytest.raises(Refused, match="it is no item of"):
        ask("order_work_items", number=top, order=[top])


def made(ask, kind, title, **more) -> str:
    draft = ask("create_entity", type=kind, title=title, **more).draft
    return ask("approve_draft", id=draft.id).items[-1].number


def test_every_operation_is_declared():
    assert {operation.name for operation in ALL if operation.tag == "Backlog" and operation.tool} == set(
        WANTED
    )


def test_from_a_prompt_to_what_was_done(world, alice, ask):
    read = ask("classify")  # the distiller has proposed the bug already
    assert (read.read, read.added, read.repeated, ask("classify").read) == (1, 1, 1, 0)
    top, bug = ask("list_drafts").drafts
    assert (bug.parent, bug.evidence[0].kind, bug.item) == (top.id, "exchange", None)
    made = ask("approve_draft", id=bug.id, title="The last page is lost").items
    assert [(i.number, i.title, i.use_case) for i in made] == [
        ("US1001", "CSV export of invoices", None),
        ("BU3001", "The last page is lost", "US1001"),
    ]
    claude = replace(alice, agent="claude")
    done = ask(
        "add_work_log", who=claude, number="BU3001", outcome="Kept", tests="9 passed", commit="abcdef1"
    )
    again = ask("add_work_log", who=claude, number="bu-3001", outcome="Kept", commit="ABCDEF1", review="fine")
    assert (done.added, again.added, again.entry.review) == (True, False, "fine")
    assert (again.entry.by, again.entry.origin, again.entry.use_case) == ("alice (claude)", "agent", "US1001")
    for state in ("pending", "in-progress", "review", "done"):
        ask("update_work_item", number="BU3001", state=state)
    whole = ask("get_item_by_number", number="US1001")
    assert [i.state for i in whole.items] == ["done"]
    assert [w.tests for w in whole.work] == ["9 passed"]
    told = ask("get_work_item_history", number="BU3001")
    assert [c.action for c in told.history] == ["created", "forward", "forward", "forward", "forward"]
    hits = world.ask(
        alice, "search_memory", query="is the last page of the export lost?", project="shop"
    ).hits
    assert any(hit.kind == "item" and hit.title.startswith("BU3001") for hit in hits)


def test_a_stale_version_is_a_conflict_and_a_refusal_tells_why(ask):
    ask("create_entity", type="FE", title="A dark mode")
    draft = ask("list_drafts").drafts[0]
    ask("edit_draft", id=draft.id, title="A darker mode", version=1)
    with pytest.raises(Stale, match="is at version 2 and you changed version 1"):
        ask("approve_draft", id=draft.id, version=1)
    ask("approve_draft", id=draft.id)
    ask("update_work_item", number="FE2001", state="pending", version=1)
    with pytest.raises(Stale):
        ask("update_work_item", number="FE2001", state="in-progress", version=1)
    with pytest.raises(Refused, match="from there it goes to in-progress or open, not to done"):
        ask("update_work_item", number="FE2001", state="done")
    with pytest.raises(BadInput):
        ask("update_work_item", number="FE2001")
    with pytest.raises(NotFound):
        ask("get_item_by_number", number="FE2002")


def test_what_repeats_a_draft_is_not_made_again_and_secrets_stay_out(ask):
    secret = "ghp_" + secrets.token_hex(18)
    made = ask("create_entity", type="BU", title="Login fails on Mondays", text=f"with {secret}")
    assert made.created
    assert secret not in made.draft.text
    assert sum(made.redactions.values()) == 1
    assert not ask("create_entity", type="BU", title="login fails on Mondays!").created
    ask("approve_draft", id=made.draft.id)
    changed = ask("update_work_item", number="BU3001", title=f"Login {secret}")
    assert secret not in changed.title


def test_a_draft_can_be_made_below_a_draft_or_a_use_case(ask):
    top = ask("create_entity", type="US", title="Sign in").draft
    below = ask("create_entity", type="FE", title="With a passkey", parent=top.id[:20]).draft
    assert below.parent == top.id
    ask("approve_draft", id=top.id)
    assert ask("create_entity", type="BU", title="No reset mail", parent="us1001").draft.use_case == "US1001"
    with pytest.raises(NotFound):
        ask("create_entity", type="BU", title="Elsewhere", parent="US1009")
    merged = ask("merge_drafts", id=below.id, into="US1001")
    assert (merged.state, merged.item) == ("merged", "US1001")
    left = ask("list_drafts").drafts
    assert [d.state for d in ask("reject_draft", id=left[0].id, reason="no").drafts] == ["rejected"]


def test_lists_come_in_pages_and_by_type_state_and_use_case(ask):
    for number in range(5):
        draft = ask("create_entity", type="TA", title=f"Task number{number}").draft
        ask("approve_draft", id=draft.id)
    first = ask("list_work_items", limit=2)
    rest = ask("list_work_items", limit=10, cursor=first.next_cursor)
    assert [i.number for i in (*first.items, *rest.items)] == [f"TA{n}" for n in range(4001, 4006)]
    assert rest.next_cursor is None
    assert ask("list_work_items", type=["BU"]).items == []
    assert ask("list_work_items", state=["open"], use_case="US1001").items == []


def test_a_list_goes_on_where_it_was_though_its_last_row_was_decided(ask):
    made = [ask("create_entity", type="TA", title=f"Task number{number}").draft.id for number in range(5)]
    first = ask("list_drafts", limit=2)
    assert [draft.id for draft in first.drafts] == made[:2]
    ask("reject_draft", id=made[1])
    rest = ask("list_drafts", limit=10, cursor=first.next_cursor)
    assert [draft.id for draft in rest.drafts] == made[2:]
    for identifier in made[2:]:
        ask("approve_draft", id=identifier)
    first = ask("list_work_items", limit=2, state=["open"])
    ask("update_work_item", number="TA4002", state="pending")
    rest = ask("list_work_items", limit=2, state=["open"], cursor=first.next_cursor)
    assert [item.number for item in rest.items] == ["TA4003"]
    with pytest.raises(BadInput):
        ask("list_work_items", cursor=encoded(["x", "TA", "1"]))


def test_nobody_reaches_beyond_their_projects(world, ask, alice):
    draft = ask("create_entity", type="BU", title="Login fails").draft
    ask("approve_draft", id=draft.id)
    bob = replace(alice, user="bob", projects=(world.project("web"),))
    mallory = Principal("stranger", "mallory", right=Right.WRITE, token="t2")
    for who in (bob, mallory):
        for name, given in (
            ("list_work_items", {}),
            ("get_item_by_number", {"number": "BU3001"}),
            ("update_work_item", {"number": "BU3001", "state": "pending"}),
            ("add_work_log", {"number": "BU3001", "outcome": "x"}),
            ("list_drafts", {}),
            ("approve_draft", {"id": draft.id}),
            ("classify", {}),
        ):
            with pytest.raises(Missing):
                ask(name, who=who, **given)
    with pytest.raises(NotFound):  # the number is there, in a project that is not his
        ask("get_item_by_number", who=bob, project="web", number="BU3001")
