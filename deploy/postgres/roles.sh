#!/bin/sh
# The two accounts of limbeck and its database. `limbeck` owns the schema and is no superuser; `limbeck_app` is
# what workers log in as: it owns nothing, and row security holds for it. The image runs this when the data
# folder is empty; run again, it makes nothing twice and sets the passwords that the files hold now.
set -eu

for file in "$OWNER_PASSWORD_FILE" "$APP_PASSWORD_FILE"; do
    [ -s "$file" ] || { echo "roles.sh: $file is missing or empty; run deploy/secrets.sh" >&2; exit 1; }
done

# psql reads the passwords itself, so that no command line shows them; the first two settings keep the
# statements that hold them out of the server's log.
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
SET log_min_duration_statement = -1;
SET client_min_messages = 'warning';
\set owner_password `cat "$OWNER_PASSWORD_FILE"`
\set app_password `cat "$APP_PASSWORD_FILE"`

SELECT format('CREATE ROLE %I', name) FROM (VALUES ('limbeck'), ('limbeck_app')) AS wanted (name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE limbeck LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE limbeck_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'app_password';
GRANT limbeck_app TO limbeck WITH ADMIN OPTION;

SELECT 'CREATE DATABASE limbeck OWNER limbeck TEMPLATE template0'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'limbeck') \gexec
REVOKE ALL ON DATABASE limbeck FROM PUBLIC;
GRANT CONNECT ON DATABASE limbeck TO limbeck_app;

\connect limbeck
SET client_min_messages = 'warning';
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;
SQL
