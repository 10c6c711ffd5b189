"""Search: units, posting blocks, length statistics, touched files and vectors.

A posting block holds up to a thousand (unit, counts, lengths) of one lexeme in arrays, best first: a common lexeme is
then a few rows to read, not twenty thousand. Every batch writes blocks of its own, so that writers share no row; a
sweep folds small blocks together.
"""

from alembic import op

from schema.security import protect

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE search_units (
            client text NOT NULL,
            unit bigint GENERATED ALWAYS AS IDENTITY,
            project uuid NOT NULL,
            kind text NOT NULL,
            ref text NOT NULL,
            session text,
            at timestamptz NOT NULL,
            title text NOT NULL,
            text text NOT NULL,
            files text[] NOT NULL DEFAULT '{}',
            standing text,
            slot text,
            current boolean NOT NULL DEFAULT true,
            valid_from timestamptz,
            valid_to timestamptz,
            evidence jsonb NOT NULL DEFAULT '[]',
            digest bytea NOT NULL,
            lexemes text[] COLLATE "C" NOT NULL DEFAULT '{}',
            own_length integer NOT NULL DEFAULT 0,
            whole_length integer NOT NULL DEFAULT 0,
            model text,
            PRIMARY KEY (client, unit),
            UNIQUE (client, kind, ref),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    op.execute(
        "CREATE INDEX search_units_by_session ON search_units (client, session) WHERE session IS NOT NULL"
    )
    op.execute("CREATE INDEX search_units_by_time ON search_units (client, project, at)")
    op.execute("CREATE INDEX search_units_by_model ON search_units (client, model, unit)")
    protect(op, "search_units")
    _postings()
    _files()
    _vectors()


def _postings() -> None:
    op.execute("""
        CREATE TABLE search_postings (
            client text NOT NULL,
            lexeme text COLLATE "C" NOT NULL,
            project uuid NOT NULL,
            kind text NOT NULL,
            block bigint GENERATED ALWAYS AS IDENTITY,
            best real NOT NULL,
            n integer NOT NULL,
            units bigint[] NOT NULL,
            own smallint[] NOT NULL,
            whole smallint[] NOT NULL,
            own_lengths smallint[] NOT NULL,
            whole_lengths smallint[] NOT NULL,
            PRIMARY KEY (client, lexeme, project, kind, block)
        )
    """)
    for column in ("units", "own", "whole", "own_lengths", "whole_lengths"):
        op.execute(f"ALTER TABLE search_postings ALTER COLUMN {column} SET STORAGE EXTERNAL")
    protect(op, "search_postings")
    op.execute("""
        CREATE TABLE search_stats (
            client text NOT NULL,
            project uuid NOT NULL,
            kind text NOT NULL,
            batch bigint GENERATED ALWAYS AS IDENTITY,
            units bigint NOT NULL,
            own bigint NOT NULL,
            whole bigint NOT NULL,
            PRIMARY KEY (client, project, kind, batch)
        )
    """)
    protect(op, "search_stats")


def _files() -> None:
    op.execute("""
        CREATE TABLE search_files (
            client text NOT NULL,
            path text COLLATE "C" NOT NULL,
            project uuid NOT NULL,
            unit bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            owner text NOT NULL,
            kind text NOT NULL,
            PRIMARY KEY (client, path, project, unit),
            FOREIGN KEY (client, unit) REFERENCES search_units ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX search_files_by_name ON search_files (client, name, project)")
    op.execute("CREATE INDEX search_files_by_unit ON search_files (client, unit)")
    protect(op, "search_files")


def _vectors() -> None:
    """Vectors of several models may lie side by side; only one model's are ever compared.

    The index is for the bundled model. Small projects are searched exactly and never read it.
    """
    op.execute("""
        CREATE TABLE search_vectors (
            client text NOT NULL,
            project uuid NOT NULL,
            model text NOT NULL,
            kind text NOT NULL,
            unit bigint NOT NULL,
            dimension integer NOT NULL,
            embedding halfvec NOT NULL,
            PRIMARY KEY (client, project, model, unit),
            FOREIGN KEY (client, unit) REFERENCES search_units ON DELETE CASCADE,
            CHECK (vector_dims(embedding) = dimension)
        )
    """)
    op.execute("CREATE INDEX search_vectors_by_unit ON search_vectors (client, unit)")
    op.execute("""
        CREATE INDEX search_vectors_minilm ON search_vectors
        USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) WHERE model = 'all-MiniLM-L6-v2-int8-weighted'
    """)
    protect(op, "search_vectors")
