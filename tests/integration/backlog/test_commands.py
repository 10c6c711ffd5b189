"""The commands, from a prompt to "What was done" and an answer of recall."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from backlog.items import create
from limbeck.main import main
from schema.projects import register
from tests.integration.backlog.conftest import sha
from workers import backlog as worker


@pytest.fixture
def limbeck(board, app_url, tmp_path, monkeypatch, capsys):
    """Run a command in this process on the board's project; returns its exit code and both outputs."""
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    monkeypatch.setenv("LIMBECK_EMBEDDINGS", "off")

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([*words, "--project", "demo"] if words[0] in {"items", "drafts"} else words)
        return end.value.code, *capsys.readouterr()

    def everywhere(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(words))
        return end.value.code, *capsys.readouterr()

    run.everywhere = everywhere
    return run


def told(limbeck, *words):
    """The JSON of a command that must succeed."""
    code, output, errors = limbeck(*words, "--json")
    assert code == 0, errors
    return json.loads(output)


def test_lists_of_every_project(board, limbeck):
    told(limbeck, "items", "new", "TA", "Here")
    with board.database.tenant(board.client) as connection:
        second = register(connection, board.client, ["root:/other"], remote=None, root="/other")
        create(
            connection,
            board.client,
            second,
            kind="BU",
            title="There",
            text="",
            use_case=None,
            by="ann",
            now=datetime.now(UTC),
        )
    rows = every(limbeck, "items", "list", "--all", "--json")
    assert [(one["title"], one["project_name"]) for one in json.loads(rows)] == [
        ("Here", "demo"),
        ("There", "other"),
    ]
    shown = every(limbeck, "items", "--all").splitlines()
    assert [line for line in shown if line in ("demo", "other")] == ["demo", "other"]
    assert (
        every(limbeck, "drafts", "--all")
        == "No drafts. They come from sessions and `limbeck drafts classify`.\n"
    )
    assert [one["title"] for one in told(limbeck, "items", "list")] == ["Here"]
    code, _, errors = limbeck("items", "list", "--all")
    assert code == 2
    assert "--all and --project exclude one another" in errors


def every(limbeck, *words) -> str:
    """What a command says of every project."""
    code, output, errors = limbeck.everywhere(*words)
    assert code == 0, errors
    return output


def test_a_delivery_names_a_commit_that_is_known(board, limbeck, tmp_path, monkeypatch):
    item = told(limbeck, "items", "new", "BU", "Export loses its last page")["number"]
    code, _, errors = limbeck("items", "log", item, "--commit", "abcdef1234")
    assert code == 1
    assert "Nobody knows a commit abcdef1234 here" in errors
    assert told(limbeck, "items", "log", item) == []
    board.commit(sha(5), "Keep the last page")
    assert told(limbeck, "items", "log", item, "--commit", sha(5)[:12])["commit"] == sha(5)
    # One that nothing was captured of yet, in the project's own repository.
    folder = tmp_path / "demo"
    folder.mkdir()
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        run = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        subprocess.run(run, cwd=folder, check=True, capture_output=True)
    whole = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    )
    here = whole.stdout.strip()
    monkeypatch.chdir(folder)
    assert limbeck("items", "log", item, "--commit", here[:10])[0] == 1
    with board.database.tenant(board.client) as connection:
        connection.execute(
            text("INSERT INTO project_keys (client, key, project) VALUES (:client, :key, :project)"),
            {"client": board.client, "key": f"root:{folder}", "project": board.project},
        )
    assert told(limbeck, "items", "log", item, "--commit", here[:10])["commit"] == here


def test_a_wish_from_the_prompt_to_what_was_done(board, limbeck):
    board.tell(["P: We need a CSV export of invoices. Bug: the export loses its last page."])
    assert limbeck("drafts", "classify")[1] == (
        "Read 1 text (offline): 2 new drafts, 0 known already, 0 rejected before.\n"
    )
    top, bug = told(limbeck, "drafts", "list")
    assert (top["type"], bug["type"], bug["parent"]) == ("US", "BU", top["id"])
    code, output, _ = limbeck("drafts", "approve", bug["id"])
    assert output == (
        "US1001 is open: CSV export of invoices\nBU3001 of US1001 is open: Export loses its last page\n"
    )
    commit = board.commit(sha(5), "Keep the last page\n\nfixes BU3001", at=datetime.now(UTC))
    runtime = SimpleNamespace(database=board.database)
    for _ in range(2):
        worker.delivered(runtime, board.client, board.project, commit)
    (entry,) = told(limbeck, "items", "log", "US1001")
    assert (entry["item"], entry["commit"], entry["outcome"], entry["by"]) == (
        *("BU3001", sha(5), "Keep the last page", "Bo"),
    )
    assert told(limbeck, "items", "show", "bu3001")["state"] == "review"
    way = told(limbeck, "trace", "BU3001")
    assert [one["kind"] for one in way["because"]] == ["exchange", "commit"]
    assert [one["commit"] for one in way["commits"]] == [sha(5)]
    assert "US1001 CSV" in json.dumps(told(limbeck, "trace", sha(5))["led_to"])
    code, _, errors = limbeck("items", "done", "US1001")
    assert (code, errors) == (
        1,
        "limbeck: US1001 cannot be done before these of its items are: BU3001.\n",
    )
    assert [i["state"] for i in told(limbeck, "items", "done", "BU3001", "US1001")] == ["done", "done"]
    found = told(
        limbeck, "recall", "what was done about the export that loses its last page?", "--project", "demo"
    )
    assert any(one["kind"] == "item" and "BU3001" in json.dumps(one) for one in found["hits"])


def test_items_by_hand(board, limbeck):
    assert limbeck("items", "new", "use case", "Sign in")[1] == "US1001 is open (version 1): Sign in\n"
    told(limbeck, "items", "new", "BU", "Reset mail", "--use-case", "US1001")
    told(limbeck, "items", "set", "BU3001", "--state", "pending", "--version", "1")
    code, _, errors = limbeck("items", "set", "BU3001", "--state", "open", "--version", "1")
    assert (code, "is at version 2 and you changed version 1" in errors) == (1, True)
    code, _, errors = limbeck("items", "set", "BU3001", "--state", "done")
    assert errors == "limbeck: BU3001 is pending: from there it goes to in-progress or open, not to done.\n"
    assert limbeck("items", "set", "BU3001")[0] == 2
    assert limbeck("items", "show", "BU3009")[2] == (
        "limbeck: There is no item BU3009 in this project. `limbeck items` lists them.\n"
    )
    limbeck("items", "log", "BU3001", "--outcome", "Looked", "--score", "70")
    assert "Looked" in limbeck("items", "show", "US1001")[1]
    assert [h["action"] for h in told(limbeck, "items", "history", "BU3001")] == ["created", "forward"]
    assert told(limbeck, "items", "archive", "BU3001", "--reason", "no longer")[0]["archived_at"]
    assert [i["number"] for i in told(limbeck, "items")] == ["US1001"]
    assert told(limbeck, "items", "restore", "BU3001")[0]["state"] == "pending"
    assert [i["number"] for i in told(limbeck, "items", "list", "--type", "bug")] == ["BU3001"]
    assert [i["number"] for i in told(limbeck, "items", "list", "--use-case", "us1001")] == ["BU3001"]


def test_a_draft_is_merged_into_an_item_that_is_called_anew(board, limbeck):
    board.tell(["P: Bug: the reset mail never arrives"])
    told(limbeck, "drafts", "classify")
    (one,) = (d["id"] for d in told(limbeck, "drafts"))
    told(limbeck, "items", "new", "BU", "Mails")
    told(limbeck, "drafts", "merge", one, "BU3001", "--title", "Reset mails never arrive")
    assert [item["title"] for item in told(limbeck, "items")] == ["Reset mails never arrive"]


def test_drafts_by_hand(board, limbeck):
    board.tell(["P: Bug: the reset mail never arrives", "P: Bug: no reset mails on Mondays"])
    told(limbeck, "drafts", "classify")
    one, other = (d["id"] for d in told(limbeck, "drafts"))
    assert told(limbeck, "drafts", "edit", one, "--type", "TA", "--title", "Send mails")[0]["version"] == 2
    assert ", by \n" not in limbeck("drafts", "show", one)[1]
    merged = told(limbeck, "drafts", "merge", other, one, "--title", "Send every mail")
    assert merged[0]["merged_into"] == one
    assert "Send every mail" in limbeck("drafts", "show", one)[1]
    assert "exchange" in limbeck("drafts", "show", one[:18])[1]
    assert told(limbeck, "drafts", "reject", one, "--reason", "not ours")[0]["state"] == "rejected"
    assert limbeck("drafts")[1].startswith("No drafts.")
    assert limbeck("drafts", "approve", one)[2] == f"limbeck: The draft {one[:8]} is rejected already.\n"
    assert limbeck("drafts", "list", "--state", "weird")[0] == 2
    assert len(told(limbeck, "drafts", "list", "--state", "rejected", "--state", "merged")) == 2


def test_a_drafts_id_says_which_project_is_meant(board, limbeck, tmp_path, monkeypatch):
    board.tell(["P: Bug: the reset mail never arrives"])
    told(limbeck, "drafts", "classify")
    (one,) = (d["id"] for d in told(limbeck, "drafts"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert "reset mail" in every(limbeck, "drafts", "show", one[:18])
    every(limbeck, "drafts", "edit", one, "--title", "Send mails")
    code, _, errors = limbeck.everywhere("drafts", "approve", "0199aaaa-0000")
    assert (code, "There is no draft 0199aaaa-0000" in errors) == (1, True)
    made = json.loads(every(limbeck, "drafts", "approve", one, "--json"))
    assert [item["title"] for item in made] == ["Send mails"]
