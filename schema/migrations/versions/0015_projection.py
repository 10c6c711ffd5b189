"""What is projected: source documents with their passages, bundles and their generation, the bases of managed pages."""

from alembic import op

from schema.security import protect

revision = "0015"
down_revision = "0017"

# What a bundle is made of: a change of any of them asks for a new generation.
PROJECTED = ("fact_versions", "fact_checks", "events", "session_summaries", "items", "work_log")


def upgrade() -> None:
    _documents()
    _bundles()
    _pages()


def _documents() -> None:
    """A document is known by its name in its project; a version is made where its text is another than before."""
    op.execute("""
        CREATE TABLE documents (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            name text NOT NULL CHECK (name <> ''),
            title text NOT NULL,
            format text NOT NULL CHECK (format IN ('markdown', 'text', 'html', 'pdf', 'docx')),
            version integer NOT NULL,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            PRIMARY KEY (client, id),
            UNIQUE (client, project, name),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "documents")
    op.execute("""
        CREATE TABLE document_versions (
            client text NOT NULL,
            document uuid NOT NULL,
            version integer NOT NULL,
            digest bytea NOT NULL,
            title text NOT NULL,
            text text NOT NULL,
            source_bytes bigint NOT NULL,
            by text NOT NULL,
            imported_at timestamptz NOT NULL,
            PRIMARY KEY (client, document, version),
            FOREIGN KEY (client, document) REFERENCES documents (client, id) ON DELETE CASCADE
        )
    """)
    protect(op, "document_versions")
    op.execute("""
        CREATE TABLE passages (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            document uuid NOT NULL,
            version integer NOT NULL,
            position integer NOT NULL,
            heading text NOT NULL DEFAULT '',
            starts integer NOT NULL,
            ends integer NOT NULL,
            text text NOT NULL,
            digest bytea NOT NULL,
            at timestamptz NOT NULL,
            classified_at timestamptz,
            PRIMARY KEY (client, id),
            UNIQUE (client, document, version, position),
            FOREIGN KEY (client, document) REFERENCES documents (client, id) ON DELETE CASCADE
        )
    """)
    op.execute(
        "CREATE INDEX passages_unclassified ON passages (client, project, at) WHERE classified_at IS NULL"
    )
    protect(op, "passages")


def _bundles() -> None:
    """A mark says that something changed since; marks are appended, so that writers never wait for one another."""
    op.execute("""
        CREATE TABLE bundles (
            client text NOT NULL,
            project uuid NOT NULL,
            generation bigint NOT NULL,
            digest text NOT NULL,
            generated_at timestamptz NOT NULL,
            PRIMARY KEY (client, project),
            FOREIGN KEY (client, project) REFERENCES projects ON DELETE CASCADE
        )
    """)
    protect(op, "bundles")
    op.execute("""
        CREATE TABLE bundle_marks (
            client text NOT NULL,
            id bigint GENERATED ALWAYS AS IDENTITY,
            project uuid NOT NULL,
            PRIMARY KEY (client, id)
        )
    """)
    protect(op, "bundle_marks", grants="SELECT, INSERT, DELETE")
    op.execute("""
        CREATE FUNCTION limbeck_mark_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO bundle_marks (client, project) SELECT DISTINCT client, project FROM changed;
            RETURN NULL;
        END
        $$
    """)
    for table in PROJECTED:
        for event, rows in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            op.execute(f"""
                CREATE TRIGGER {table}_mark_bundle_{event.lower()} AFTER {event} ON {table}
                REFERENCING {rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION limbeck_mark_bundle()
            """)


def _pages() -> None:
    """What a use case's page and the database last agreed on, by the mark that the page carries."""
    op.execute("""
        CREATE TABLE page_bases (
            client text NOT NULL,
            project uuid NOT NULL,
            mark text NOT NULL,
            use_case text NOT NULL,
            page jsonb NOT NULL,
            synced_at timestamptz NOT NULL,
            PRIMARY KEY (client, project, mark),
            FOREIGN KEY (client, project) REFERENCES projects ON DELETE CASCADE
        )
    """)
    protect(op, "page_bases")
