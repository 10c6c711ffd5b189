"""What goes in by hand and by history is found again: add, import --git, trace, hotspots, retain."""

from __future__ import annotations

import json
import secrets
import string
import subprocess

from .conftest import wait_until

IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


def git(where, *words):
    done = subprocess.run(["git", *IDENTITY, *words], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def asked(cli, *words):
    return json.loads(cli.ok(*words, "--json"))


def test_a_note_is_redacted_stored_and_traced(running, tmp_path):
    token = "ghp_" + "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(36))
    added = asked(running, "add", "note", f"deploy with {token}", "--title", "weekly", "--in", str(tmp_path))
    assert added["accepted"] in ("queue", "spool")
    wait_until(lambda: running("trace", added["event"])[0] == 0, running.logs)
    found = asked(running, "trace", added["event"])
    assert (found["what"]["kind"], found["what"]["text"]) == (
        "note",
        "weekly: deploy with [REDACTED:github-token]",
    )
    assert token not in running.ok("trace", added["event"])


def test_history_is_imported_once_and_counted(running, tmp_path):
    git(tmp_path, "init", "-q")
    for number in range(3):
        (tmp_path / "app.py").write_text("x = 1\n" * (number + 1))
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", f"change {number}")
    first = asked(running, "import", "--git", str(tmp_path))
    again = asked(running, "import", "--git", str(tmp_path))
    # Each commit is two events: itself, and what it did to symbols.
    assert (first["commits"], first["events"], first["added"]["stored"]) == (3, 6, 6)
    assert (again["added"]["stored"], again["added"]["redelivered"]) == (0, 6)
    (row,) = asked(running, "hotspots", "--project", tmp_path.name)
    assert (row["path"], row["commits"], row["added"]) == ("app.py", 3, 3)
    found = asked(running, "trace", git(tmp_path, "rev-parse", "--short=10", "HEAD"))
    assert found["what"]["text"].endswith("change 2")


def test_what_was_forgotten_is_not_brought_back_by_an_import(running, tmp_path):
    session = "9f1c52d0-7d0a-4c55-9d5b-0c1e4a3b2d11"
    line = {
        "type": "user",
        "uuid": "9f1c52d0-7d0a-4c55-9d5b-0c1e4a3b2d12",
        "sessionId": session,
        "cwd": str(tmp_path),
    }
    line |= {
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {"role": "user", "content": "we deploy on Thursdays"},
    }
    transcript = tmp_path / f"{session}.jsonl"
    transcript.write_text(json.dumps(line) + "\n")
    assert asked(running, "import", str(transcript))["added"]["stored"] > 0
    running.ok("forget", "--session", session[:8], "--yes")
    told = running.ok("import", "--again", str(transcript))
    assert "1 event of these was forgotten for good: an import does not bring it back" in told
    again = asked(running, "import", "--again", str(transcript))
    assert (again["added"]["stored"], again["forgotten"]) == (0, 1)


def test_wrong_use_is_said_in_a_sentence(running, tmp_path):
    assert "There is no git repository" in running("import", "--git", str(tmp_path))[2]
    assert "it is empty" in running("add", "message", " ")[2]
    assert "There is no fact, event" in running("trace", "nothing")[2]
    assert running("retain")[0] == running("import")[0] == 2
    assert asked(running, "retain", "--days", "30") == {"dry_run": False, "partitions": []}
