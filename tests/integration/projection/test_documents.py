"""Documents in the database: versions, passages that stay, secrets that do not, and recall."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest
from sqlalchemy import text

from projection.documents import store
from projection.documents.formats import from_text
from recall.answer import Scope
from recall.documents import index_documents
from recall.search import recall
from schema import passages
from schema.errors import NotFound

from .conftest import CLIENT, NOON

SPEC = "# Sign in\n\nPeople sign in with a passkey.\n\n## Recovery\n\nA lost passkey is replaced by mail.\n"


@pytest.fixture
def save(tenants, project):
    def keep(words, name="docs/spec.md", hours=0):
        with tenants.tenant(CLIENT) as connection:
            at = NOON + timedelta(hours=hours)
            return store.save(connection, CLIENT, project, name, from_text(name, words), by="ada", now=at)

    return keep


def current(tenants, project):
    with tenants.tenant(CLIENT) as connection:
        return passages.current(connection, CLIENT, project)


def test_the_same_text_makes_no_new_version_and_what_stays_keeps_its_passage(tenants, project, save):
    first = save(SPEC)
    assert (first.version, first.is_new, first.passages, first.new) == (1, True, 2, 2)
    assert (save(SPEC).version, save(SPEC).is_new) == (1, False)
    before = current(tenants, project)
    assert [(one.heading, one.position) for one in before] == [("Sign in", 1), ("Sign in > Recovery", 2)]
    second = save("# Sign in\n\nIntroduction.\n\n" + SPEC.split("\n\n", 1)[1], hours=1)
    assert (second.version, second.passages, second.new) == (2, 2, 1)
    after = current(tenants, project)
    assert after[1].id == before[1].id
    assert after[0].id != before[0].id
    assert SPEC[before[1].starts : before[1].ends] == before[1].text


def test_classification_reads_a_passage_once_and_a_changed_one_again(tenants, project, save):
    save(SPEC)
    with tenants.tenant(CLIENT) as connection:
        found = passages.unclassified(connection, CLIENT, project)
        assert len(found) == 2
        passages.mark_classified(connection, CLIENT, [one.id for one in found], NOON)
    save(SPEC.replace("by mail", "by phone"))
    with tenants.tenant(CLIENT) as connection:
        again = passages.unclassified(connection, CLIENT, project)
        assert [one.text for one in again] == ["A lost passkey is replaced by phone."]
        gone = passages.found(connection, CLIENT, [found[1].id])
        assert gone[0].text == "A lost passkey is replaced by mail."  # a draft may rest on it


def test_a_documents_secrets_are_stored_nowhere(tenants, project, save):
    key = "gh" + "p_" + secrets.token_hex(18)
    block = (
        "-----BEGIN RSA PRIVATE "
        + "KEY-----\n"
        + secrets.token_hex(400)
        + "\n-----END RSA PRIVATE "
        + "KEY-----"
    )
    words = f"# {key}\n\nUse token {key}.\n\n{'filler words here. ' * 90}\n\n{block}\n\n<private>my own</private> end\n"
    saved = save(words, name=f"docs/{key}.md")
    assert saved.secrets >= 3
    index_documents(tenants, CLIENT, project)
    with tenants.tenant(CLIENT) as connection:
        whole = " ".join(
            str(connection.scalar(text(f"SELECT string_agg(t::text, ' ') FROM {name} t")))
            for name in ("documents", "document_versions", "passages", "search_units", "search_files")
        )
    assert key not in whole
    assert block[40:80] not in whole
    assert "my own" not in whole
    assert "filler words here" in whole


def test_passages_are_found_by_recall_and_gone_ones_are_not(tenants, project, save):
    save(SPEC)
    assert index_documents(tenants, CLIENT, project) == 2
    assert index_documents(tenants, CLIENT, project) == 0
    scope = Scope(CLIENT, (project,))
    hit = recall(tenants, scope, "how is a lost passkey replaced?").hits[0]
    assert (hit.kind, hit.title) == ("document", "Sign in: Sign in > Recovery")
    assert "replaced by mail" in hit.text
    save(SPEC.replace("by mail", "by phone"))
    index_documents(tenants, CLIENT, project)
    texts = [one.text for one in recall(tenants, scope, "how is a lost passkey replaced?").hits]
    assert any("by phone" in one for one in texts)
    assert not any("by mail" in one for one in texts)
    with tenants.tenant(CLIENT) as connection:
        store.remove(connection, CLIENT, project, "docs/spec.md")
    index_documents(tenants, CLIENT, project)
    assert recall(tenants, scope, "how is a lost passkey replaced?").hits == ()
    assert current(tenants, project) == []


def test_a_trace_of_what_a_passage_led_to(tenants, project, save):
    from schema.trace import trace

    save(SPEC)
    passage = current(tenants, project)[1]
    with tenants.tenant(CLIENT) as connection:
        found = trace(connection, Scope(CLIENT), passage.id)
    assert found.what.kind == "document"
    assert found.what.text == "Sign in > Recovery: A lost passkey is replaced by mail."


def test_versions_are_read_back_and_another_clients_are_not(tenants, project, save):
    save(SPEC)
    save(SPEC + "\nMore.\n", hours=1)
    with tenants.tenant(CLIENT) as connection:
        document, words = store.opened(connection, CLIENT, [project], "docs/spec.md", 1)
        assert (document.version, words) == (2, SPEC)
        assert store.opened(connection, CLIENT, None, document.id)[1].endswith("More.\n")
        with pytest.raises(NotFound):
            store.opened(connection, CLIENT, [project], "docs/spec.md", 3)
    with tenants.tenant("stranger") as connection:
        assert store.listed(connection, "stranger", None) == []
        with pytest.raises(NotFound):
            store.opened(connection, "stranger", None, document.id)
