"""What happened: one stream, commits, a file's past, hotspots, traces, projects."""

from __future__ import annotations

import pytest

from schema.errors import NotFound


def test_one_stream_in_pages(told, alice):
    seen, cursor = [], None
    while True:
        page = told.ask(alice, "get_recent_history", project="shop", limit=2, cursor=cursor)
        seen += page.history
        if (cursor := page.next_cursor) is None:
            break
    assert [one.at for one in seen] == sorted((one.at for one in seen), reverse=True)
    assert len({(one.kind, one.id) for one in seen}) == len(seen)
    assert {one.kind for one in seen} >= {"session", "commit", "decision", "convention"}
    assert [one.title for one in seen if one.kind == "commit"] == [
        "Move the orders to MySQL",
        "Move the orders to Postgres",
    ]
    later = told.ask(alice, "get_recent_history", project="shop", since="2026-04-01").history
    assert {one.at.month for one in later} == {5}


def test_commits_by_file_author_session_and_time(told, alice):
    def subjects(**how):
        return [commit.subject for commit in told.ask(alice, "get_commits", **how).commits]

    assert subjects(file="README.md") == ["Move the orders to Postgres"]
    assert subjects(author="AD", project="shop") == [
        "Move the orders to MySQL",
        "Move the orders to Postgres",
    ]
    assert subjects(author="A%") == []
    assert subjects(session="w-1") == ["Start the web app"]
    assert subjects(until="2026-03-02T09:02:00Z") == ["Start the web app"]
    commit = told.ask(alice, "get_commits", file="README.md").commits[0]
    assert commit.body == "Several workers write."
    assert commit.prompt
    prompt = told.ask(alice, "open_evidence", id=commit.prompt).evidence[0]
    assert prompt.text.startswith("We use Postgres")


def test_the_past_of_a_file(told, alice):
    past = told.ask(alice, "get_file_history", path="src/orders/store.py")
    assert [commit.subject for commit in past.commits] == [
        "Move the orders to MySQL",
        "Move the orders to Postgres",
    ]
    assert [(one.calls, one.outcomes) for one in past.sessions] == [(1, ["failed"]), (1, ["ok"])]
    assert {event.kind for event in past.events} >= {"decision", "convention"}
    empty = told.ask(alice, "get_file_history", path="nowhere.py")
    assert (empty.commits, empty.sessions, empty.events, empty.facts) == ([], [], [], [])
    assert empty.symbols == []


def test_a_files_functions_are_told_with_how_often_each_changed(told, alice):
    def seen(path, name, change, at, first, project="shop"):
        told.rows(
            """
            INSERT INTO symbols (client, id, received_at, project, event_id, origin, at, sha, path, name, kind, change,
                                 first_line, last_line, complexity_after)
            VALUES ('local', gen_random_uuid(), now(), :project, gen_random_uuid(), 'hook',
                    cast(:at AS timestamptz), :at, :path, :name, 'function', :change, :first, :first + 4, 3) RETURNING 1
            """,
            **{"project": told.project(project), "path": path, "name": name, "change": change, "at": at},
            first=first,
        )

    seen("src/pay.py", "pay", "added", "2026-03-02", 10)
    seen("src/pay.py", "pay", "changed", "2026-03-03", 12)
    seen("src/pay.py", "old", "added", "2026-03-02", 30)
    seen("src/pay.py", "old", "removed", "2026-03-03", 30)
    seen("src/pay.py", "check", "added", "2026-03-02", 1)
    seen("src/pay.py", "theirs", "added", "2026-03-02", 1, project="web")
    seen("src/other.py", "elsewhere", "added", "2026-03-02", 1)
    found = told.ask(alice, "get_file_history", path="src/pay.py", project="shop").symbols
    assert [(one.name, one.first_line, one.last_line, one.complexity, one.commits) for one in found] == [
        ("check", 1, 5, 3, 1),
        ("pay", 12, 16, 3, 2),
    ]


def test_hotspots(told, alice):
    files = told.ask(alice, "hotspots", project="shop").files
    assert [(file.path, file.commits) for file in files] == [("src/orders/store.py", 2), ("README.md", 1)]


def test_trace_both_ways(told, alice):
    fact = told.ask(alice, "list_facts", project="shop", subject="database").facts[0]
    found = told.ask(alice, "trace", id=fact.id)
    assert [node.text for node in found.because] == [
        "person: We switched the database from Postgres to MySQL."
    ]
    onward = told.ask(alice, "trace", id=found.because[0].id)
    assert fact.id in {node.id for node in onward.led_to}
    with pytest.raises(NotFound):
        told.ask(alice, "trace", id="feedbeef")


def test_projects_in_pages(told, alice, stranger):
    page = told.ask(alice, "list_projects", limit=1)
    (shop,) = page.projects
    assert (shop.name, shop.sessions) == ("shop", 2)
    assert [one.name for one in told.ask(alice, "list_projects", cursor=page.next_cursor).projects] == ["web"]
    assert [one.name for one in told.ask(stranger, "list_projects").projects] == ["vault"]


def test_what_a_later_decision_ended_is_told_as_outdated_wherever_events_are_listed(told, alice):
    def standing(rows) -> dict[str, bool]:
        return {one.title: one.current for one in rows if "Postgres" in one.title or "MySQL" in one.title}

    listed = told.ask(alice, "list_events", project="shop", kind="decision").events
    found = standing(listed)
    assert set(found.values()) == {True, False}
    assert [title for title, current in found.items() if current and "use Postgres" in title] == []
    ended = next(one for one in listed if not one.current)
    assert ended.valid_to > ended.at
    stream = told.ask(alice, "get_recent_history", project="shop", limit=50).history
    assert {t: c for t, c in standing(stream).items() if t in found} == found
    session = told.ask(alice, "get_session", id=ended.session)
    assert [one.current for one in session.events if one.id == ended.id] == [False]
    file = told.ask(alice, "get_file_history", path=ended.files[0]) if ended.files else None
    assert file is None or [one.current for one in file.events if one.id == ended.id] == [False]
    traced = told.ask(alice, "trace", id=ended.id)
    assert (traced.what.current, traced.what.valid_to) == (False, ended.valid_to)
