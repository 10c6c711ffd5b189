"""What people change: sent as a form, answered by a page that says it, and there afterwards."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from anyio import CapacityLimiter
from sqlalchemy import text

from distill.resolve import Action, Verb
from distill.store import flags
from distill.store.facts import find
from schema.records import Proposal, Standing
from server.errors import NotAllowed, Stale, TooMany
from server.limit import RateLimit
from server.perform import Performer
from server.principal import Principal, Right
from server.tokens import store
from server.web.deletions import Deletions
from server.web.look import OPERATIONS

UUID = "[0-9a-f]{8}-[0-9a-f-]{27}"
MEMORY = "mem_[0-9a-z]{26}"


@pytest.fixture
def fact(ada) -> str:
    """The address of a current fact."""
    return ada.first("/facts", f"/facts/{UUID}", subject="database", project="shop")


def test_a_fact_is_retired_with_its_reason_and_restored_as_it_was(ada, fact):
    before = re.findall(f"/facts/{UUID}", ada.get("/facts").html)
    assert ada.post(f"{fact}/retire", reason="we left it <b>") == f"{fact}?done=retired"
    page = ada.get(fact, done="retired")
    assert "Retired. It is in the history" in page.text
    assert "we left it <b>" in page.text
    assert fact not in ada.get("/facts").html
    assert ada.post(f"{fact}/restore") == f"{fact}?done=restored"
    assert re.findall(f"/facts/{UUID}", ada.get("/facts").html) == before


def test_a_fact_is_pinned_confirmed_and_reworded(ada, fact):
    ada.post(f"{fact}/pin", pinned="yes")
    assert "Unpin" in ada.get(fact).text
    ada.post(f"{fact}/pin", pinned="no")
    ada.post(f"{fact}/confirm")
    ada.post(f"{fact}/edit", statement="The database is Postgres 16.", value="Postgres 16")
    page = ada.get(fact)
    assert "The database is Postgres 16." in page.text
    assert "from a person" in page.text
    assert "Database: Postgres, because" in page.text


def test_what_cannot_be_done_is_told(ada, fact):
    assert "current" in ada.post(f"{fact}/restore", 400)
    assert "say what to change" in ada.post(f"{fact}/edit", 400, statement="", value="")


def test_a_doubt_is_told_beside_the_fact_until_it_is_confirmed(world, ada, fact):
    said = datetime.now(UTC)
    with world.database.tenant("team") as connection:
        project, known = find(connection, "team", fact.rsplit("/", 1)[1], None)
        doubt = Proposal(
            known.slot, known.cardinality, known.kind, known.value, "we left it <b>", Standing.PERSON, said,
            negated=True, doubt=True,
        )  # fmt: skip
        action = Action(Verb.FLAG, doubt, "said to have changed", known)
        flags.raise_flags(connection, "team", project, [action], said)
    told = f"said to have changed on {said:%Y-%m-%d}: «we left it <b>»"
    assert told in ada.get("/facts").text
    assert "we left it <b>" in ada.get(fact).text
    ada.post(f"{fact}/confirm")
    assert told not in ada.get("/facts").text


@pytest.fixture
def flag(world, ada, fact) -> str:
    """The id of an open proposal against the fact."""
    identifier = fact.rsplit("/", 1)[1]
    with world.database.tenant("team") as connection:
        project, known = find(connection, "team", identifier, None)
        proposal = Proposal(
            known.slot, known.cardinality, known.kind, "MariaDB", "The database is MariaDB.", Standing.MODEL,
            datetime.now(UTC),
        )  # fmt: skip
        action = Action(Verb.FLAG, proposal, "weaker than a person's word", known)
        flags.raise_flags(connection, "team", project, [action], datetime.now(UTC))
        return str(connection.scalar(text("SELECT id::text FROM fact_flags WHERE state = 'open'")))


def test_a_review_stands_side_by_side_and_is_decided(ada, fact, flag):
    page = ada.get("/review")
    assert "The database is MariaDB." in page.text
    assert "weaker than a person's word" in page.text
    assert any("tally" in one.get("class", "") for one in page.all("span"))
    assert "Something speaks against it" in ada.get(fact).text
    assert ada.post(f"/review/{flag}", decision="reject") == "/review?done=stands"
    assert "Nothing waits for you" in ada.get("/review").text
    assert "The database is MariaDB." in ada.get("/review", state="rejected").text


def save(browser, content: str) -> str:
    assert browser.post("/memories", content=content, tags="a, b") == "/memories?done=saved"
    page = browser.get("/memories")
    assert content in page.text
    return re.findall(MEMORY, page.html)[0]


def carry_out(world, seconds: float, limit: RateLimit | None = None) -> datetime | None:
    """Let so much time pass for the deletions; returns when the next is due."""
    then = datetime.now(UTC) + timedelta(seconds=seconds)
    performer = Performer(world.database, lambda: None, clock=lambda: then, limit=limit or RateLimit(0))
    return Deletions(performer, CapacityLimiter(1)).carry_out("team")


def test_a_deletion_is_out_of_sight_at_once_and_can_be_undone_on_any_page(world, ada):
    memory = save(ada, "the harbour opens at six")
    assert ada.post("/memories/delete", memory=memory) == "/memories#list"
    assert "the harbour" not in ada.get("/memories").text
    page = ada.get("/facts")
    assert "Memory deleted" in page.text
    assert "/memories/undo" in page.forms
    carry_out(world, 5)
    assert ada.post("/memories/undo", memory=memory, back="/facts") == "/facts?done=undone"
    assert "the harbour opens at six" in ada.get("/memories").text


def test_after_six_seconds_it_is_gone_for_good(world, ada):
    memory = save(ada, "the lighthouse is green")
    ada.post("/memories/delete", memory=memory)
    carry_out(world, 6.5)
    assert "lighthouse" not in ada.get("/memories").text
    assert ada.post("/memories/undo", memory=memory) == "/memories?done=too-late"
    with world.database.everyone("team") as connection:
        assert connection.scalar(text("SELECT count(*) FROM memories WHERE content LIKE '%lighthouse%'")) == 0
        assert connection.scalar(text("SELECT count(*) FROM held_deletions")) == 0


@pytest.mark.parametrize("refusal", [TooMany(seconds=3), Stale(why="two met"), NotAllowed(why="a rule")])
def test_what_refuses_a_confirmed_deletion_puts_it_off(world, ada, monkeypatch, refusal):
    memory = save(ada, "the buoy is red")
    ada.post("/memories/delete", memory=memory)

    def refusing(*_given: object) -> None:
        raise refusal

    with monkeypatch.context() as patched:
        patched.setattr(Performer, "perform", refusing)
        assert carry_out(world, 7) > datetime.now(UTC)
    carry_out(world, 700)
    with world.database.everyone("team") as connection:
        assert connection.scalar(text("SELECT count(*) FROM memories WHERE content = 'the buoy is red'")) == 0


def test_a_token_that_is_revoked_after_the_confirmation_takes_nothing_back(world):
    token = world.token("team", "ada")
    browser = world.stranger().sign_in(token.text)
    memory = save(browser, "the pier is wet")
    browser.post("/memories/delete", memory=memory)
    with world.database.tenant("team") as connection:
        store.revoke(connection, "team", token.id, datetime.now(UTC))
    carry_out(world, 7)
    with world.database.everyone("team") as connection:
        assert connection.scalar(text("SELECT count(*) FROM memories WHERE content = 'the pier is wet'")) == 0


def test_deletions_are_not_counted_against_the_rate(world, ada):
    memories = [save(ada, f"rope {number}") for number in range(3)]
    for memory in memories:
        ada.post("/memories/delete", memory=memory)
    carry_out(world, 7, RateLimit(1))
    with world.database.everyone("team") as connection:
        assert connection.scalar(text("SELECT count(*) FROM memories WHERE content LIKE 'rope %'")) == 0


def test_a_memory_that_is_deleted_twice_keeps_its_time_and_the_answer_says_so(world, ada):
    principal, memory, now = (
        Principal("team", "ada", right=Right.WRITE, token=world.token("team", "ada").id),
        save(ada, "the lock is rusty"),
        datetime.now(UTC),
    )
    times = []
    for later in (0, 3):
        performer = Performer(
            world.database, lambda: None, clock=lambda later=later: now + timedelta(seconds=later)
        )
        times.append(performer.perform(principal, OPERATIONS["hold_deletion"], {"id": memory}, "web").due_at)
    assert times == [now + timedelta(seconds=6)] * 2
    carry_out(world, 7)


def test_nobody_deletes_or_undoes_for_somebody_else(world, ada):
    memory = save(ada, "the gate code changes on mondays")
    bert = world.browser("team", "bert")
    bert.post("/memories/delete", 404, memory=memory)
    carry_out(world, 7)
    assert "the gate code" in ada.get("/memories").text
    ada.post("/memories/delete", memory=memory)
    assert bert.post("/memories/undo", memory=memory) == "/memories?done=too-late"
    assert ada.post("/memories/undo", memory=memory) == "/memories?done=undone"


def test_the_panel_is_hidden_on_one_device(world, ada):
    ada.post("/memories/device", panel="off")
    assert "hidden on this device" in ada.get("/memories").text
    assert "hidden on this device" not in world.browser("team", "ada").get("/memories").text
    ada.post("/memories/device", panel="on")
    assert "hidden on this device" not in ada.get("/memories").text


def test_a_token_is_made_shown_once_and_revoked(world, ada):
    page = ada.post(
        "/settings/tokens", 200, name="ci", user="robot", right="read", days="30", project="books"
    )
    token = re.search(r"lbk_team_[0-9a-f]{16}_[0-9a-f]{64}", page)[0]
    assert token not in ada.get("/settings").html
    robot = world.stranger().sign_in(token)
    assert "Postgres" not in robot.get("/facts").text
    ada.post(f"/settings/tokens/{token.split('_')[2]}/revoke")
    assert robot.client.get("/facts").status_code == 303


def test_a_session_is_distilled_again(ada):
    session = ada.first("/sessions", f"/sessions/{UUID}", agent="codex")
    assert ada.post(f"{session}/distil") == f"{session}?done=again"
    assert "distilled again shortly" in ada.get(session, done="again").text


def test_what_is_forgotten_for_good_is_counted_before_and_after(world, ada):
    save(ada, "Wilhelmina Sternberg keeps the keys")
    counted = ada.post("/forget", 200, kind="text", value="wilhelmina sternberg")
    assert "would go. Nothing is removed yet." in counted
    confirm = re.search(r'name="confirm" value="([^"]+)"', counted)[1]
    total = re.search(r"([0-9,]+) rows? (?:or|and) waiting events? would go", counted)[1]
    assert "Wilhelmina" in ada.get("/memories").text
    done = ada.post("/forget", 200, kind="text", value="wilhelmina sternberg", confirm=confirm)
    assert f"{total} row" in done
    assert "went. A search of everything finds nothing" in done
    assert "Wilhelmina" not in ada.get("/memories").text
    assert "There is nothing to forget" in ada.post("/forget", 200, kind="text", value="wilhelmina sternberg")


def test_something_else_than_was_counted_is_not_forgotten(world, ada):
    save(ada, "the bell of Ostrava rings twice")
    counted = ada.post("/forget", 200, kind="text", value="bell of ostrava")
    confirm = re.search(r'name="confirm" value="([^"]+)"', counted)[1]
    save(ada, "the bell of Ostrava rings thrice")
    assert "Somebody was faster" in ada.post(
        "/forget", 409, kind="text", value="bell of ostrava", confirm=confirm
    )


def test_who_may_not_do_everything_forgets_nothing_for_good(world):
    walt = world.browser("team", "walt", Right.WRITE)
    assert "/forget" not in walt.get("/memories").html
    walt.get("/forget", 403)
    walt.post("/forget", 403, kind="text", value="postgres")
