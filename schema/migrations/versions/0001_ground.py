"""Ground: extensions, the application role, clients, projects, sessions and the partition maker."""

from alembic import op

from schema.security import APPLICATION_ROLE, OWN_ROWS, protect

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
    op.execute(f"""
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APPLICATION_ROLE}') THEN
                CREATE ROLE {APPLICATION_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
            END IF;
        END $$
    """)
    op.execute(f"GRANT {APPLICATION_ROLE} TO CURRENT_USER")
    op.execute(f"GRANT USAGE ON SCHEMA public TO {APPLICATION_ROLE}")
    op.execute(f"GRANT SELECT ON alembic_version TO {APPLICATION_ROLE}")
    _clients()
    _projects()
    _sessions()
    _partitions()


def _clients() -> None:
    op.execute("""
        CREATE TABLE clients (
            client text PRIMARY KEY CHECK (client ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
            created_at timestamptz NOT NULL DEFAULT now()
        )
    """)
    op.execute("ALTER TABLE clients ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE clients FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY known ON clients FOR SELECT USING (true)")
    op.execute(f"CREATE POLICY own ON clients FOR INSERT WITH CHECK ({OWN_ROWS})")
    op.execute(f"GRANT SELECT, INSERT ON clients TO {APPLICATION_ROLE}")


def _projects() -> None:
    op.execute("""
        CREATE TABLE projects (
            client text NOT NULL REFERENCES clients,
            project uuid NOT NULL,
            name text NOT NULL,
            remote text,
            root text,
            created_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, project)
        )
    """)
    op.execute("""
        CREATE TABLE project_keys (
            client text NOT NULL,
            key text NOT NULL,
            project uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, key),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "projects")
    protect(op, "project_keys")


def _sessions() -> None:
    op.execute("""
        CREATE TABLE sessions (
            client text NOT NULL,
            session uuid NOT NULL,
            project uuid NOT NULL,
            agent text NOT NULL,
            agent_session text NOT NULL,
            state text NOT NULL CHECK (state IN ('active', 'idle', 'ended', 'distilled', 'reopened')),
            cwd text,
            model text,
            origin text NOT NULL,
            started_at timestamptz NOT NULL,
            last_at timestamptz NOT NULL,
            seen_at timestamptz NOT NULL DEFAULT now(),
            ended_at timestamptz,
            end_reason text,
            distilled_at timestamptz,
            distil_attempts integer NOT NULL DEFAULT 0,
            distil_error text,
            PRIMARY KEY (client, session),
            UNIQUE (client, agent, agent_session),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    op.execute("CREATE INDEX sessions_by_project ON sessions (client, project, last_at DESC)")
    op.execute("CREATE INDEX sessions_undistilled ON sessions (client, seen_at) WHERE state <> 'distilled'")
    protect(op, "sessions")


def _partitions() -> None:
    """Mirror tables are split by month of arrival; the application may ask for months ahead, nothing else."""
    op.execute("""
        CREATE FUNCTION limbeck_make_partitions(months_ahead integer) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
        DECLARE
            made integer := 0;
            parent record;
            month date;
            leaf text;
        BEGIN
            IF months_ahead NOT BETWEEN 0 AND 24 THEN
                RAISE EXCEPTION 'months_ahead is % but must be between 0 and 24', months_ahead;
            END IF;
            PERFORM pg_advisory_xact_lock(hashtext('limbeck_make_partitions'));
            FOR parent IN
                SELECT c.relname FROM pg_class c JOIN pg_partitioned_table p ON p.partrelid = c.oid
                WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname
            LOOP
                FOR step IN 0..months_ahead LOOP
                    month := date_trunc('month', now() AT TIME ZONE 'UTC') + step * interval '1 month';
                    leaf := parent.relname || '_' || to_char(month, 'YYYY_MM');
                    IF to_regclass('public.' || quote_ident(leaf)) IS NULL THEN
                        EXECUTE format(
                            'CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
                            leaf, parent.relname,
                            to_char(month, 'YYYY-MM-DD') || ' 00:00+00',
                            to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00+00');
                        made := made + 1;
                    END IF;
                END LOOP;
            END LOOP;
            RETURN made;
        END $$
    """)
    op.execute("REVOKE ALL ON FUNCTION limbeck_make_partitions(integer) FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION limbeck_make_partitions(integer) TO {APPLICATION_ROLE}")
