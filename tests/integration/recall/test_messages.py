"""Messages and notes are found, once each; what was cleaned is found as it reads now."""

from __future__ import annotations

import uuid

from sqlalchemy import text

from recall.messages import index_messages
from recall.search import recall

from .conftest import CLIENT, NOON


def told(database, project, words, kind="message", title="") -> str:
    own = str(uuid.uuid4())
    with database.tenant(CLIENT) as connection:
        connection.execute(
            text("""
                INSERT INTO messages (client, id, received_at, project, event_id, origin, at, kind, title, text, source)
                VALUES (:client, :id, now(), :project, :id, 'api', :at, :kind, :title, :text, 'chat')
            """),
            {
                "client": CLIENT,
                "id": own,
                "project": project,
                "at": NOON,
                "kind": kind,
                "title": title,
                "text": words,
            },
        )
    return own


def test_a_message_is_found_with_its_evidence(tenants, project, scope):
    message = told(tenants, project, "The carrier raised the price of parcels to Norway.")
    note = told(
        tenants, project, "We agreed to call the customer first.", kind="note", title="Weekly meeting"
    )
    assert index_messages(tenants, CLIENT, project) == 2
    assert index_messages(tenants, CLIENT, project) == 0
    hit = recall(tenants, scope, "price of parcels to Norway", kinds=["message"]).hits[0]
    assert (hit.ref, hit.evidence[0].kind, hit.evidence[0].id) == (message, "message", message)
    assert recall(tenants, scope, "what was agreed in the weekly meeting?").hits[0].ref == note


def test_a_cleaned_message_is_found_as_it_reads_now(tenants, project, scope):
    message = told(tenants, project, "The gate code is walnut.")
    index_messages(tenants, CLIENT, project)
    with tenants.tenant(CLIENT) as connection:
        connection.execute(
            text("UPDATE messages SET text = 'The gate code is gone.' WHERE id = :id"), {"id": message}
        )
    assert index_messages(tenants, CLIENT, project) == 0
    assert index_messages(tenants, CLIENT, project, again=True) == 1
    assert recall(tenants, scope, "walnut").nothing
    assert recall(tenants, scope, "gate code").hits[0].text == "The gate code is gone."


def test_more_than_a_batch(tenants, project, monkeypatch):
    monkeypatch.setattr("recall.messages.AT_ONCE", 2)
    for number in range(5):
        told(tenants, project, f"message number {number}")
    assert index_messages(tenants, CLIENT, project) == 5


def test_a_message_is_indexed_once(tenants, project):
    told(tenants, project, "We ship on Monday.")
    assert index_messages(tenants, CLIENT, project) == 1
    assert index_messages(tenants, CLIENT, project) == 0
