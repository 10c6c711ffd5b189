"""What the commands show of a real memory: hostile text made harmless, short ids taken back, times respected."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text

from limbeck.main import main
from limbeck.visible import visible
from schema.database import Database

SESSION, OPEN = "01a22bf4-0000-7000-8000-000000000001", "01b22bf4-0000-7000-8000-000000000002"
PROJECT, ITEM = "01a22bf4-0000-7000-8000-000000000003", "01c22bf4-0000-7000-8000-000000000004"
EARLY, LATE = "01d22bf4-0000-7000-8000-000000000005", "01e22bf4-0000-7000-8000-000000000006"
HELD, CALL = "01f22bf4-0000-7000-8000-000000000007", "02a22bf4-0000-7000-8000-000000000008"
HOSTILE = "evil\x1b]0;x\x07\x1b[2J\x9b1m\u202etxt"

STATEMENTS = (
    "INSERT INTO projects (client, project, name) VALUES ('local', :project, 'shop')",
    """INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at, last_at)
       VALUES ('local', :session, :project, 'claude', 'agents-own', 'ended', 'hook', now(), now()),
              ('local', :open, :project, 'claude', 'another', 'active', 'hook', now(), now())""",
    """INSERT INTO session_summaries (client, id, project, session, title, text, started_at, at, evidence, distiller)
       VALUES ('local', :item, :project, :session, :hostile, :hostile, now(), now(), '[]', 'offline')""",
    """INSERT INTO observations (client, id, received_at, project, session, event_id, origin, at, agent, tool, target,
                                 outcome, files, last_at)
       VALUES ('local', :call, now(), :project, :session, gen_random_uuid(), 'hook', now(), 'claude',
               'Edit', :hostile, 'ok', '{}', now())""",
    "INSERT INTO ledger (client, entry, disposition) VALUES ('local', '1-1', 'quarantined')",
    """INSERT INTO quarantine (client, id, entry, reason, attempts, payload)
       VALUES ('local', :held, '1-1', :hostile, 6, :hostile)""",
    """INSERT INTO fact_versions (client, version, fact, project, subject, attribute, cardinality, kind, value,
                                  value_key, statement, standing, valid_from, valid_to, session)
       VALUES ('local', gen_random_uuid(), :early, :project, 'queue', 'choice', 'one', 'general', 'a', 'a',
               :hostile, 'person', '2026-01-01', '2026-03-01', :session),
              ('local', gen_random_uuid(), :late, :project, 'queue', 'choice', 'one', 'general', 'b', 'b',
               'The queue is b', 'person', '2026-03-01', NULL, :session)""",
)


@pytest.fixture
def limbeck(app_url, tmp_path, monkeypatch, capsys):
    """Run a command in this process; returns its exit code and both outputs."""
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    values = {"session": SESSION, "open": OPEN, "project": PROJECT, "item": ITEM, "hostile": HOSTILE,
              "early": EARLY, "late": LATE, "held": HELD, "call": CALL}  # fmt: skip
    database = Database(app_url)
    database.add_client("local")
    with database.tenant("local") as connection:
        for statement in STATEMENTS:
            connection.execute(text(statement), values)
    database.close()

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(words)
        return end.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    "words",
    [
        ["sessions", "--all"], ["observations", "--all"], ["facts", "--all", "--history"],
        ["quarantine", "list"], ["quarantine", "show", HELD[:8]], ["trace", SESSION], ["trace", CALL[:8]],
        ["trace", EARLY[:8]],
    ],
)  # fmt: skip
def test_nothing_stored_drives_the_terminal(limbeck, words):
    code, shown, errors = limbeck(*words)
    assert (code, errors) == (0, "")
    assert "evil" in shown
    assert visible(shown) == shown
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []
    if words[0] != "trace":
        values = json.loads(limbeck(*words, "--json")[1])
        assert json.dumps(HOSTILE)[1:-1] in json.dumps(values)


def test_short_ids_lead_back_to_what_they_name(limbeck):
    listed = limbeck("quarantine", "list")[1]
    assert HELD[:8] in listed
    assert HELD not in listed
    assert SESSION[:8] in limbeck("sessions", "--all")[1]
    for name in (SESSION[:8], SESSION, "agents-own", "agents"):
        assert "Edit" in limbeck("observations", "--session", name)[1]
    assert limbeck("quarantine", "drop", HELD[:8])[0] == 0
    shown = limbeck("quarantine", "show", HELD[:8])[1]
    assert "state: dropped" in shown
    assert "it was dropped" in shown


def test_the_quarantine_is_retried_whole_and_what_stays_held_is_counted(limbeck):
    assert limbeck("quarantine", "retry")[0] == 2
    assert limbeck("quarantine", "retry", HELD[:8], "--all")[0] == 2
    assert limbeck("quarantine", "retry", "--all") == (1, "1 event held\n", "")
    status, told, _ = limbeck("quarantine", "retry", "--all", "--json")
    assert (status, json.loads(told)) == (1, {"held": 1})
    assert limbeck("quarantine", "list", "--limit", "1")[1].count("\n") == 2
    status, told, _ = limbeck("quarantine", "drop", HELD[:8], "--json")
    assert (status, json.loads(told)) == (0, {"id": HELD, "disposition": "dropped"})
    assert limbeck("quarantine", "retry", "--all") == (0, "Nothing is held.\n", "")


def test_a_session_is_forgotten_by_the_id_that_lists_show(limbeck):
    code, told, errors = limbeck("forget", "--session", SESSION[:8], "--dry-run")
    assert (code, errors) == (0, "")
    assert "observations" in told


def test_a_session_that_is_not_there_is_said(limbeck):
    assert limbeck("observations", "--session", "nope") == (1, "", "limbeck: There is no session nope.\n")


def test_history_as_of_a_time_knows_nothing_later(limbeck):
    def ids(*words: str) -> set[str]:
        return {fact["id"] for fact in json.loads(limbeck("facts", "--all", *words, "--json")[1])}

    assert ids("--history") == {EARLY, LATE}
    assert ids("--history", "--as-of", "2026-02-01") == {EARLY}
    assert ids("--as-of", "2026-02-01") == {EARLY}
    assert ids("--history", "--as-of", "2025-02-01") == set()


def test_recall_joins_its_words_and_says_what_is_not_distilled_yet(limbeck):
    code, shown, errors = limbeck("recall", "why", "zebras", "--project", "shop", "--no-embeddings")
    assert (code, errors) == (0, "")
    assert "2 sessions are not distilled yet: 1 waits for the distiller, 1 is still open" in shown


def test_all_projects_and_one_exclude_one_another(limbeck):
    code, _, errors = limbeck("facts", "--all", "--project", "shop")
    assert code == 2
    assert "--all and --project exclude one another" in errors


def test_purge_needs_no_option(limbeck):
    code, shown, _ = limbeck("purge", "--dry-run")
    assert code == 0
    assert "secrets found: none" in shown
