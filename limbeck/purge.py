"""Clean what older patterns let through: every stored text through today's two nets, and what was derived from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from sqlalchemy import ARRAY, Connection, Engine, Text, and_, delete, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import Column, Table

from capture.net import second_net
from recall import index
from recall.again import index_noted, note, note_everything, settle
from schema.database import Database, owner, see
from schema.ids import recognised, whole_id
from schema.security import EVERYONE
from schema.tables import metadata
from server.memory.reindex import index_all

BATCH = 500
ANEW = "making the index anew"
LONGEST_KNOWN, MOST_KNOWN = 400, 100_000  # characters, and texts: some 30 MB
INDEX = "search_units"
# What the index holds besides its units is made from them anew.
DERIVED = frozenset({"search_postings", "search_stats", "search_files", "search_vectors"})
# Of a unit: its words, which change with what they were taken from, and the name of the model that embedded it.
DERIVED_COLUMNS = frozenset({"lexemes", "model"})
_COLUMNS = text("""
    SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indexrelid = to_regclass(:name) AND i.indisunique
""")


@dataclass(slots=True)
class Purged:
    """What a purge came to: rows scanned and cleaned by table, secrets by rule, units indexed again."""

    scanned: Counter[str] = field(default_factory=Counter)
    cleaned: Counter[str] = field(default_factory=Counter)
    secrets: Counter[str] = field(default_factory=Counter)
    reindexed: int = 0


def purge(
    owner_url: str,
    database: Database,
    client: str,
    *,
    dry_run: bool = False,
    progress: Callable[[str, int], None] = lambda _table, _rows: None,
) -> Purged:
    """Rewrite every stored text of ``client`` that today's nets would redact; ``dry_run`` only counts.

    Runs as the schema's owner, since versions of facts are closed to the application. Each batch is its own
    transaction, and what is to be indexed anew is noted in it: interrupted anywhere, the next run finishes it. The
    words of the index are made anew from the clean texts, whatever stood in it, and what nothing accounts for goes;
    vectors of texts that stay the same stay. ``progress`` hears each table with the rows scanned, and then how far
    the index is. Raises DatabaseUnavailable.
    """
    purged, net = Purged(), Net()
    with owner(owner_url) as engine:
        for table in metadata.sorted_tables:
            if "client" in table.c and table.name not in DERIVED:
                _table(engine, table, client, purged, net, dry_run, progress)
    if not dry_run:
        note_everything(database, client)
        purged.reindexed = index_noted(
            database,
            client,
            facts=False,
            progress=lambda done, of: progress(f"{ANEW}, {done:,} of {of:,}", 0),
        )
        purged.reindexed += index_all(database, client) + settle(database, client)
    return purged


def _table(
    engine: Engine,
    table: Table,
    client: str,
    purged: Purged,
    net: Net,
    dry_run: bool,
    progress: Callable[[str, int], None],
) -> None:
    derived = DERIVED_COLUMNS if table.name == INDEX else frozenset[str]()
    columns = [
        column
        for column in table.columns
        if column.name != "client" and column.name not in derived and _holds_text(column)
    ]
    if not columns:
        return
    after: tuple[Any, ...] | None = None
    while True:
        with engine.begin() as connection:
            see(connection, client, EVERYONE)
            rows = _batch(connection, table, client, after)
            for row in rows:
                _row(connection, table, columns, row, purged, net, dry_run)
        purged.scanned[table.name] += len(rows)
        progress(table.name, len(rows))
        if len(rows) < BATCH:
            return
        after = tuple(rows[-1][column.name] for column in table.primary_key.columns)


def _batch(
    connection: Connection, table: Table, client: str, after: tuple[Any, ...] | None
) -> list[dict[str, Any]]:
    keys = list(table.primary_key.columns)
    query = select(table).where(table.c.client == client).order_by(*keys).limit(BATCH)
    if after is not None:
        query = query.where(tuple_(*keys) > tuple_(*after))
    return [dict(row) for row in connection.execute(query).mappings()]


def _row(
    connection: Connection,
    table: Table,
    columns: list[Column[Any]],
    row: dict[str, Any],
    purged: Purged,
    net: Net,
    dry_run: bool,
) -> None:
    hits: Counter[str] = Counter()
    changed = {}
    for column in columns:
        held = row[column.name]
        clean = net.cleaned(held, hits)
        if clean != held:
            changed[column.name] = clean
    if not changed:
        return
    purged.cleaned[table.name] += 1
    purged.secrets.update(hits)
    if dry_run:
        return
    for name in ("session", "project"):
        if whole_id(str(row.get(name))):
            note(connection, row["client"], name, [str(row[name])])
    if table.name == INDEX:
        index.remove(connection, row["client"], row["kind"], [row["ref"]])
        return
    _write(connection, table, row, changed)


def _write(connection: Connection, table: Table, row: dict[str, Any], changed: dict[str, Any]) -> None:
    """Give the row its clean values; two names that are the same without their secrets are told apart by a mark.

    Where that cannot be, as where the clean row is there under the same key, the row goes.
    """
    keys = {column.name: row[column.name] for column in table.primary_key.columns}
    same = and_(*(table.c[name] == value for name, value in keys.items()))
    mark = " " + blake2b(repr([*keys.values()]).encode(), digest_size=4).hexdigest()
    marked: set[str] = set()
    while True:
        try:
            with connection.begin_nested():
                connection.execute(update(table).where(same).values(changed))
            return
        except IntegrityError as error:
            rule = getattr(getattr(error.orig, "diag", None), "constraint_name", None)
            clashing = set(connection.scalars(_COLUMNS, {"name": rule})) - keys.keys() - marked
            clashing = {name for name in clashing if isinstance(changed.get(name), str)}
        if not clashing:
            connection.execute(delete(table).where(same))
            return
        changed = changed | {name: changed[name] + mark for name in clashing}
        marked |= clashing


def _holds_text(column: Column[Any]) -> bool:
    return isinstance(column.type, Text | JSONB) or (
        isinstance(column.type, ARRAY) and isinstance(column.type.item_type, Text)
    )


class Net:
    """Today's nets, over texts of which many stand in several rows: each is looked at once, an id not at all."""

    def __init__(self) -> None:
        """No text is known."""
        self._clean: set[str] = set()  # never one with a secret in it

    def cleaned(self, value: Any, hits: Counter[str]) -> Any:
        """Return a text, or a JSON value, as the nets leave it; ``hits`` counts what they found."""
        if isinstance(value, str):
            return self._text(value, hits)
        if isinstance(value, list):
            return [self.cleaned(one, hits) for one in value]
        if isinstance(value, dict):
            return {self.cleaned(name, hits): self.cleaned(one, hits) for name, one in value.items()}
        return value

    def _text(self, text: str, hits: Counter[str]) -> str:
        if text in self._clean or not text or recognised(text):
            return text
        redacted, caught = second_net(text)
        hits.update(caught)
        if not caught and len(text) <= LONGEST_KNOWN:
            if len(self._clean) >= MOST_KNOWN:
                self._clean.clear()
            self._clean.add(text)
        return redacted


def cleaned(value: Any, hits: Counter[str]) -> Any:
    """Return a text, or a JSON value, as today's nets leave it; ``hits`` counts what they found."""
    return Net().cleaned(value, hits)


def tables_of(purged: Purged) -> Iterator[tuple[str, int, int]]:
    """Table, rows scanned, rows cleaned, by name."""
    for name in sorted(purged.scanned):
        yield name, purged.scanned[name], purged.cleaned[name]
