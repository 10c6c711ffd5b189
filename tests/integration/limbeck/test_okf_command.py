"""``limbeck okf``, ``import-doc`` and ``sync`` as a person runs them."""

from __future__ import annotations

import hashlib
import json
import subprocess
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from backlog import items
from limbeck import keeping
from limbeck.main import main
from schema.database import Database

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
FACT = """
    INSERT INTO fact_versions (client, version, fact, project, subject, attribute, cardinality, kind, value, value_key,
                               statement, standing, valid_from)
    VALUES ('local', gen_random_uuid(), gen_random_uuid(), :p, :s, 'choice', 'one', 'decision', :v, :v, :t, 'person',
            '2026-03-01')
"""


class Shop:
    """A project in a git repository, where the commands run."""

    def __init__(self, database, root, capsys):
        self.database, self.root, self.capsys = database, root, capsys
        self.project = "01a22bf4-0000-7000-8000-000000000003"

    def run(self, *words):
        with pytest.raises(SystemExit) as end:
            main(words)
        shown = self.capsys.readouterr()
        return end.value.code, shown.out, shown.err

    def fact(self, subject, value):
        with self.database.tenant("local") as connection:
            told = f"The {subject} is {value}"
            connection.execute(text(FACT), {"p": self.project, "s": subject, "v": value, "t": told})


@pytest.fixture
def shop(app_url, tmp_path, monkeypatch, capsys):
    root = tmp_path / "shop"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git" / "limbeck-id").write_text("01a22bf4-0000-7000-8000-00000000aaaa\n")
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(root)
    database = Database(app_url)
    database.add_client("local")
    made = Shop(database, root, capsys)
    with database.tenant("local") as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES ('local', :p, 'shop')"),
            {"p": made.project},
        )
        connection.execute(
            text("""
                INSERT INTO project_keys (client, key, project)
                VALUES ('local', 'id:01a22bf4-0000-7000-8000-00000000aaaa', :p)
            """),
            {"p": made.project},
        )
    yield made
    database.close()


def test_export_check_and_import(shop, tmp_path):
    shop.fact("database", "Postgres")
    code, out, _ = shop.run("okf", "export", "out")
    assert (code, out) == (0, "out: 7 files written, 0 removed, 0 as they were.\n")
    assert shop.run("okf", "check", "out") == (0, "6 pages: 0 errors, 0 warnings.\n", "")
    code, out, _ = shop.run("okf", "import", "out", "--project", "shop")
    assert code == 1
    with shop.database.tenant("local") as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES ('local', gen_random_uuid(), 'new')")
        )
    assert shop.run("okf", "import", "out", "--project", "new")[:2] == (
        0,
        "Took over 1 current fact, 1 version in all.\n",
    )
    assert "Postgres" in shop.run("facts", "--project", "new")[1]
    (shop.root / "out" / "log.md").write_text("# Log\n\n## today\n")
    code, out, _ = shop.run("okf", "check", "out")
    assert code == 1
    assert "log.md:3: error R13: today is no date; write `## 2026-03-01`" in out
    assert "log.md was changed since the bundle was made" in out


def test_what_was_not_made_by_us_is_not_imported(shop, tmp_path):
    shop.fact("database", "Postgres")
    shop.run("okf", "export", "out")
    lines = shop.root / "out" / "x-limbeck" / "facts-0001.jsonl"
    told = json.loads(lines.read_text())
    for change, why in (
        ({"valid_to": "2020-01-01T00:00:00+00:00"}, "its facts do not fit together"),
        ({"standing": "gospel"}, "line 1 of x-limbeck/facts-0001.jsonl is no version of a fact"),
        ({"valid_from": "2026-01-01T00:00:00"}, "a time has no offset"),
    ):
        lines.write_text(json.dumps(told | change) + "\n")
        held = json.loads((shop.root / "out" / "manifest.json").read_text())
        digest = hashlib.sha256(lines.read_bytes()).hexdigest()
        held["files"] = [
            one | ({"sha256": digest} if "jsonl" in one["path"] else {}) for one in held["files"]
        ]
        (shop.root / "out" / "manifest.json").write_text(json.dumps(held))
        with shop.database.tenant("local") as connection:
            connection.execute(text("DELETE FROM fact_versions"))
        code, _, errors = shop.run("okf", "import", "out", "--project", "shop")
        assert code == 1
        assert why in errors
        assert "No facts." in shop.run("facts", "--project", "shop")[1]


def test_sync_keeps_a_folder_up_to_date(shop, tmp_path):
    shop.fact("database", "Postgres")
    folder = shop.root / ".okf"
    assert shop.run("okf", "sync", "--keep")[0] == 0
    assert list(keeping.kept(tmp_path / "home")) == [str(folder)]
    assert shop.run("okf", "sync", "--kept") == (0, "", "")
    shop.fact("queue", "Valkey")
    (folder / "index.md").write_text("mine")
    (folder / "notes.txt").write_text("mine")
    assert shop.run("okf", "sync", "--kept")[0] == 0
    assert "Valkey" in (folder / "index.md").read_text()
    assert (folder / "notes.txt").read_text() == "mine"
    assert shop.run("okf", "sync", "--no-keep")[0] == 0
    assert keeping.kept(tmp_path / "home") == {}


def test_sync_goes_beside_the_documents_where_there_are_some(shop):
    (shop.root / "documents").mkdir()
    assert shop.run("okf", "sync")[0] == 0
    assert (shop.root / "documents" / ".okf" / "manifest.json").is_file()


def test_a_folder_of_somebody_else_is_refused(shop):
    (shop.root / "out").mkdir()
    (shop.root / "out" / "index.md").write_text("mine")
    code, _, errors = shop.run("okf", "export", "out")
    assert code == 1
    assert "out cannot take the bundle: 1 of its files are not of a bundle (index.md)." in errors
    assert (shop.root / "out" / "index.md").read_text() == "mine"


def test_documents_are_imported_but_what_is_ours_is_not(shop):
    docs = shop.root / "documents"
    (docs / "use_cases").mkdir(parents=True)
    (docs / ".okf").mkdir()
    (docs / "spec.md").write_text("# Spec\n\nPeople sign in with a passkey.\n")
    (docs / "page.md").write_text("---\nlimbeck_page: US1001\n---\n# US1001 x\n")
    (docs / ".okf" / "index.md").write_text("# generated\n")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    code, out, errors = shop.run("import-doc", "documents", "documents/.okf/index.md")
    assert code == 1
    assert "documents/spec.md: version 1, 1 passage, 1 of them new." in out
    assert "documents/page.md: left out, it is the page of a use case" in out
    assert "documents/.okf/index.md: left out, it is generated." in out
    assert "documents/broken.pdf cannot be imported: it is damaged, or no PDF" in errors
    told = json.loads(shop.run("import-doc", "--list", "--json")[1])
    assert [(one["name"], one["version"]) for one in told] == [("documents/spec.md", 1)]
    assert "passkey" in shop.run("recall", "how do people sign in?")[1]
    assert shop.run("import-doc", "--remove", "documents/spec.md")[1] == "documents/spec.md: removed.\n"
    assert shop.run("import-doc", "--list")[1].startswith("No documents.")


def test_pages_are_written_and_taken_over(shop):
    with shop.database.tenant("local") as connection:
        items.create(connection, "local", shop.project, kind="US", title="Sign in", by="ada", now=NOW)
    assert shop.run("sync")[:2] == (0, "US1001-sign-in.md: written\n")
    page = shop.root / "documents" / "use_cases" / "US1001-sign-in.md"
    page.write_text(page.read_text().replace("# US1001 Sign in", "# US1001 Log in"))
    assert shop.run("sync")[:2] == (0, "US1001-sign-in.md: taken over: US1001 title\n")
    assert shop.run("sync")[:2] == (0, "1 page, all as in the backlog.\n")
    page.write_text(page.read_text().replace("Status: open", "Status: doing"))
    code, out, _ = shop.run("sync")
    assert code == 1
    assert "US1001-sign-in.md, line 7: a status is one of" in out
