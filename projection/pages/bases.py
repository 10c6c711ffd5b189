"""What page and database last agreed on, kept by the mark that the page carries, so that a clone's page has one too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from projection.pages.page import Entry, Page

MOST = 200  # of one use case; a page older than that is compared without a base


def keep(connection: Connection, client: str, project: str, page: Page, now: datetime) -> str:
    """Keep ``page`` as agreed on and return its mark; equal pages have one mark."""
    told = json.dumps(_plain(page), sort_keys=True, ensure_ascii=False)
    mark = hashlib.sha256(told.encode("utf-8", "replace")).digest().hex()[:12]
    values = {"client": client, "project": project, "mark": mark, "use_case": page.top.number, "now": now}
    connection.execute(
        text("""
            INSERT INTO page_bases (client, project, mark, use_case, page, synced_at)
            VALUES (:client, :project, :mark, :use_case, cast(:page AS jsonb), :now)
            ON CONFLICT (client, project, mark) DO UPDATE SET synced_at = excluded.synced_at
        """),
        values | {"page": told},
    )
    connection.execute(
        text("""
            DELETE FROM page_bases WHERE client = :client AND project = :project AND mark IN (
                SELECT mark FROM page_bases
                WHERE client = :client AND project = :project AND use_case = :use_case
                ORDER BY synced_at DESC, mark OFFSET :most)
        """),
        values | {"most": MOST},
    )
    return mark


def any_of(connection: Connection, client: str, project: str, use_case: str) -> bool:
    """Return whether a page of this use case was ever written or shown."""
    statement = text("""
        SELECT EXISTS (SELECT FROM page_bases
                       WHERE client = :client AND project = :project AND use_case = :use_case)
    """)
    values = {"client": client, "project": project, "use_case": use_case}
    return bool(connection.scalar(statement, values))


def find(connection: Connection, client: str, project: str, mark: str, use_case: str) -> Page | None:
    """Return what was agreed on under ``mark``, or None where that is not known."""
    found = connection.scalar(
        text("""
            SELECT page FROM page_bases
            WHERE client = :client AND project = :project AND mark = :mark AND use_case = :use_case
        """),
        {"client": client, "project": project, "mark": mark, "use_case": use_case},
    )
    return (
        None if found is None else Page(_entry(found["top"]), tuple(_entry(one) for one in found["children"]))
    )


def _plain(page: Page) -> dict[str, Any]:
    return {"top": _fields(page.top), "children": [_fields(child) for child in page.children]}


def _fields(entry: Entry) -> dict[str, str]:
    names = ("number", "type", "title", "text", "state")
    return {name: getattr(entry, name) for name in names}


def _entry(told: Mapping[str, str]) -> Entry:
    return Entry(told["number"], told["type"], told["title"], told["text"], told["state"])
