"""Memories: the memory bank, what agents remember by key, and how often each was of use.

They have a second wall: inside a client, a personal row is its user's alone. The search tables get the same wall by
their kind (``memory:USER``), and a unit need no longer belong to a project: what a person saves goes with the person.
"""

from alembic import op

from schema.security import OWN_SHELF, protect, protect_persons

revision = "0012"
down_revision = "0013"


def upgrade() -> None:
    _bank()
    _remembered()
    _uses()
    op.execute("ALTER TABLE search_units DROP CONSTRAINT search_units_client_project_fkey")
    for table in ("search_units", "search_postings", "search_stats", "search_files", "search_vectors"):
        protect_persons(op, table, OWN_SHELF)


def _bank() -> None:
    """No foreign key between the two: both go in one transaction, contexts first."""
    op.execute("""
        CREATE TABLE memories (
            client text NOT NULL REFERENCES clients,
            id uuid NOT NULL,
            owner text NOT NULL CHECK (owner <> ''),
            content text NOT NULL CHECK (content <> ''),
            tags text[],
            source text NOT NULL,
            scope text NOT NULL,
            agent text,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            PRIMARY KEY (client, id)
        )
    """)
    op.execute("CREATE INDEX memories_newest ON memories (client, owner, created_at DESC, id DESC)")
    op.execute("""
        CREATE TABLE memory_contexts (
            client text NOT NULL REFERENCES clients,
            id uuid NOT NULL,
            memory uuid NOT NULL,
            owner text NOT NULL CHECK (owner <> ''),
            snippet text NOT NULL CHECK (snippet <> ''),
            citation jsonb,
            origin text CHECK (origin IN ('active_conversation', 'searched_conversation')),
            created_at timestamptz NOT NULL,
            PRIMARY KEY (client, id)
        )
    """)
    op.execute(
        "CREATE INDEX memory_contexts_of ON memory_contexts (client, memory, created_at DESC, id DESC)"
    )
    for table in ("memories", "memory_contexts"):
        protect(op, table)
        protect_persons(op, table)


def _remembered() -> None:
    """One row a key, also after it was forgotten: then it holds who and when, and of the key only a digest."""
    op.execute("""
        CREATE TABLE remembered (
            client text NOT NULL REFERENCES clients,
            id uuid NOT NULL,
            owner text NOT NULL,
            scope text NOT NULL,
            project uuid,
            digest bytea NOT NULL,
            key text,
            value text,
            version integer NOT NULL CHECK (version > 0),
            written_by text NOT NULL,
            agent text,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            recalled bigint NOT NULL DEFAULT 0,
            recalled_at timestamptz,
            forgotten_at timestamptz,
            PRIMARY KEY (client, id),
            UNIQUE (client, owner, scope, digest),
            FOREIGN KEY (client, project) REFERENCES projects,
            CHECK ((key IS NULL) = (forgotten_at IS NOT NULL)),
            CHECK ((value IS NULL) = (forgotten_at IS NOT NULL)),
            CHECK ((project IS NULL) = (owner <> ''))
        )
    """)
    op.execute("CREATE INDEX remembered_newest ON remembered (client, owner, scope, updated_at DESC)")
    op.execute("""
        CREATE TABLE remembered_versions (
            client text NOT NULL REFERENCES clients,
            id uuid NOT NULL,
            version integer NOT NULL,
            owner text NOT NULL,
            value text NOT NULL,
            written_by text NOT NULL,
            agent text,
            written_at timestamptz NOT NULL,
            PRIMARY KEY (client, id, version),
            FOREIGN KEY (client, id) REFERENCES remembered ON DELETE CASCADE
        )
    """)
    for table in ("remembered", "remembered_versions"):
        protect(op, table)
        protect_persons(op, table)


def _uses() -> None:
    op.execute("""
        CREATE TABLE memory_uses (
            client text NOT NULL REFERENCES clients,
            owner text NOT NULL,
            kind text NOT NULL,
            ref text NOT NULL,
            injected bigint NOT NULL DEFAULT 0,
            opened bigint NOT NULL DEFAULT 0,
            cited bigint NOT NULL DEFAULT 0,
            used_at timestamptz NOT NULL,
            PRIMARY KEY (client, owner, kind, ref)
        )
    """)
    protect(op, "memory_uses")
    protect_persons(op, "memory_uses")
