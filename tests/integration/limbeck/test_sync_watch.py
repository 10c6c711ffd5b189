"""``limbeck sync --watch``: a page follows the backlog, and the backlog a page, until it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from backlog import items
from backlog.items import Change
from limbeck.services.program import python_command
from schema.backlog import backlog
from schema.database import Database

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PROJECT = "01a22bf4-0000-7000-8000-000000000003"


def until(look, process, seconds=60.0):
    """What ``look`` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


@pytest.fixture
def database(app_url):
    made = Database(app_url)
    made.add_client("local")
    with made.tenant("local") as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES ('local', :p, 'shop')"), {"p": PROJECT}
        )
        items.create(connection, "local", PROJECT, kind="US", title="Sign in", by="ada", now=NOW)
    yield made
    made.close()


def test_both_ways_until_it_is_stopped(database, app_url, tmp_path):
    folder = tmp_path / "pages"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LIMBECK_HOME": str(tmp_path / "home"),
        "LIMBECK_DATABASE_URL": app_url,
    }
    command = python_command(
        "limbeck.main", "sync", str(folder), "--project", "shop", "--watch", "--by", "ada"
    )
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        page = folder / "US1001-sign-in.md"
        until(page.exists, process)

        def title():
            with database.tenant("local") as connection:
                return backlog(connection, "local", PROJECT).use_cases[0].item.title

        page.write_text(page.read_text().replace("# US1001 Sign in", "# US1001 Log in"))
        until(lambda: title() == "Log in", process)
        with database.tenant("local") as connection:
            wanted = Change(text="With a passkey.")
            items.change(connection, "local", PROJECT, "US1001", wanted, by="bob", now=NOW)
        until(lambda: "With a passkey." in page.read_text(), process)
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
        assert "US1001-sign-in.md: taken over: US1001 title" in out
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.stderr.close()
        process.wait()
