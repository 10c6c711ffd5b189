"""Documents and bundles as operations: who sees which, in parts of a bounded size."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from sqlalchemy import text

from projection.okf import generation
from projection.okf.generation import generate
from schema.database import Database
from server.errors import BadInput, Missing, NotNow
from server.forget.run import Request, forget
from server.forget.words import Words
from server.operation import Call
from server.operations import documents
from server.operations.documents import OPERATIONS
from server.principal import Principal, Right

BY_NAME = {operation.name: operation for operation in OPERATIONS}
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
SPEC = "# Sign in\n\nPeople sign in with a passkey.\n"


@pytest.fixture
def ask(app_url):
    """Run an operation as Alice, or as somebody who is held to the project `mine`."""
    database = Database(app_url)
    ids = {}
    for client in ("acme", "other"):
        database.add_client(client)
    with database.tenant("acme") as connection:
        for name in ("shop", "mine"):
            ids[name] = str(
                connection.scalar(
                    text("""
                        INSERT INTO projects (client, project, name) VALUES ('acme', gen_random_uuid(), :name)
                        RETURNING project
                    """),
                    {"name": name},
                )
            )
    who = {
        "alice": Principal("acme", "alice", right=Right.WRITE),
        "held": Principal("acme", "bob", projects=(ids["mine"],), right=Right.WRITE),
        "stranger": Principal("other", "eve", right=Right.WRITE),
    }

    def run(name, by="alice", /, **given):
        operation = BY_NAME[name]
        return operation.run(Call(who[by], database, NOW, lambda: None), operation.input(**given))

    run.database = database
    yield run
    database.close()


def test_a_text_is_imported_listed_and_read_in_parts(ask):
    made = ask("import_document", project="shop", name="docs/spec.md", text=SPEC * 40)
    assert (made.version, made.is_new, made.passages) == (1, True, 40)
    assert ask("import_document", project="shop", name="docs/spec.md", text=SPEC * 40).is_new is False
    assert [one.name for one in ask("list_documents").documents] == ["docs/spec.md"]
    first = ask("get_document", id=made.id, most=100)
    assert first.text == (SPEC * 40)[:100]
    assert first.next_offset == 100
    assert first.document.characters == len(SPEC * 40)
    rest = ask("get_document", id="docs/spec.md", offset=100, most=100_000)
    assert first.text + rest.text == SPEC * 40
    assert rest.next_offset is None


def test_pages_of_documents_go_on_where_they_ended(ask):
    for number in range(5):
        ask("import_document", project="shop", name=f"d{number}.md", text=SPEC)
    seen, cursor = [], None
    while True:
        told = ask("list_documents", limit=2, cursor=cursor)
        seen += [one.name for one in told.documents]
        cursor = told.next_cursor
        if cursor is None:
            break
    assert seen == [f"d{number}.md" for number in range(5)]


def test_who_is_held_to_a_project_sees_and_writes_that_one_alone(ask):
    made = ask("import_document", project="shop", name="spec.md", text=SPEC)
    for by in ("held", "stranger"):
        assert ask("list_documents", by).documents == []
        with pytest.raises(Missing):
            ask("get_document", by, id=made.id)
        with pytest.raises(Missing):
            ask("import_document", by, project="shop", name="spec.md", text="mine")
        with pytest.raises(Missing):
            ask("get_okf", by, project="shop")
    assert ask("import_document", "held", name="own.md", text=SPEC).version == 1


def test_secrets_go_and_an_empty_text_is_refused(ask):
    key = "gh" + "p_" + secrets.token_hex(18)
    made = ask("import_document", project="shop", name="spec.md", text=f"Use token {key} here")
    assert made.redacted >= 1
    assert key not in ask("get_document", id=made.id).text
    with pytest.raises(BadInput, match="there is no text in it"):
        ask("import_document", project="shop", name="spec.md", text="\x00")


def test_a_bundle_comes_in_bounded_answers_and_not_again(ask, monkeypatch):
    ask("import_document", project="shop", name="spec.md", text=SPEC)
    whole = ask("get_okf", project="shop")
    held = {one.path: one.text for one in whole.files}
    assert {"index.md", "log.md", "manifest.json", "facts/index.md"} <= set(held)
    assert {one["path"] for one in json.loads(held["manifest.json"])["files"]} == set(held) - {
        "manifest.json"
    }
    assert ask("get_okf", project="shop", have=whole.generation).files == []
    monkeypatch.setattr(documents, "MOST_BUNDLE", 300)
    seen, cursor, answers = {}, None, 0
    while True:
        told = ask("get_okf", project="shop", cursor=cursor)
        seen |= {one.path: one.text for one in told.files}
        cursor, answers = told.next_cursor, answers + 1
        if cursor is None:
            break
    assert seen == held
    assert answers > 1


@pytest.fixture
def rendered(monkeypatch):
    """How often a bundle was rendered, one entry each."""
    found = []

    def counted(*given):
        found.append(given)
        return rendering(*given)

    rendering = documents.generate
    monkeypatch.setattr(documents, "generate", counted)
    return found


def decide(database, title):
    """Let something be decided in the shop, as another process would."""
    with database.tenant("acme") as connection:
        shop = connection.scalar(text("SELECT project::text FROM projects WHERE name = 'shop'"))
        event = {"id": uuid4(), "project": shop, "key": title, "title": title, "now": NOW}
        connection.execute(
            text("""
                INSERT INTO events (client, id, project, key, kind, title, text, at, recorded_at, evidence, files,
                                    origin)
                VALUES ('acme', :id, :project, :key, 'decision', :title, '', :now, :now, '[]', '{}', 'api')
            """),
            event,
        )


def test_a_bundle_is_rendered_once_for_all_until_something_changes(ask, rendered, app_url):
    first = ask("get_okf", project="shop")
    assert ask("get_okf", project="shop") == first
    assert len(rendered) == 1
    other = Database(app_url)
    decide(other, "We deploy on Thursdays")
    second = ask("get_okf", project="shop")
    assert second.generation == first.generation + 1
    assert "We deploy on Thursdays" in "".join(one.text for one in second.files)
    generate(other, "acme", str(shop_of(other)), NOW)  # what another process counts is no other content
    assert ask("get_okf", project="shop") == second
    assert len(rendered) == 2
    other.close()


def shop_of(database):
    with database.tenant("acme") as connection:
        return connection.scalar(text("SELECT project::text FROM projects WHERE name = 'shop'"))


def test_what_was_forgotten_is_on_no_page_that_follows(ask, app_url, monkeypatch):
    decide(ask.database, "Zanzibar has the keys")
    monkeypatch.setattr(documents, "MOST_BUNDLE", 300)
    first = ask("get_okf", project="shop")
    other = Database(app_url)
    gone = forget(other, Request("acme", Words("Zanzibar")), None, NOW)
    assert gone.counts.removed["events"] == 1
    with pytest.raises(NotNow, match="begin again"):
        ask("get_okf", project="shop", cursor=first.next_cursor)
    whole, cursor = "", None
    while True:
        told = ask("get_okf", project="shop", cursor=cursor)
        whole += "".join(one.path + one.text for one in told.files)
        cursor = told.next_cursor
        if cursor is None:
            break
    assert "index.md" in whole
    assert "Zanzibar" not in whole
    other.close()


def test_what_is_forgotten_while_the_first_bundle_is_made_is_in_no_later_one(ask, app_url, monkeypatch):
    decide(ask.database, "Zanzibar has the keys")

    def forgetting(state):
        forget(ask.database, Request("acme", Words("Zanzibar")), None, NOW)
        with ask.database.tenant("acme") as connection:
            generation.marked(connection, "acme")  # the worker looks just then
        return render(state)

    render = generation.render
    monkeypatch.setattr(generation, "render", forgetting)
    assert "Zanzibar" in "".join(one.text for one in ask("get_okf", project="shop").files)
    monkeypatch.setattr(generation, "render", render)
    assert "Zanzibar" not in "".join(one.text for one in ask("get_okf", project="shop").files)


def test_the_pages_of_one_bundle_come_from_one_rendering(ask, rendered, monkeypatch):
    ask("import_document", project="shop", name="spec.md", text=SPEC)
    held = {one.path for one in ask("get_okf", project="shop").files}
    monkeypatch.setattr(documents, "MOST_BUNDLE", 300)
    first = ask("get_okf", project="shop")
    seen, cursor = {one.path for one in first.files}, first.next_cursor
    while cursor is not None:
        told = ask("get_okf", project="shop", cursor=cursor)
        assert told.generation == first.generation
        seen |= {one.path for one in told.files}
        cursor = told.next_cursor
    assert seen == held
    assert len(rendered) == 1
