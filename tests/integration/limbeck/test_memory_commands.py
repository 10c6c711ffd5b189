"""``limbeck remember``, ``memory`` and ``forget``: what a person keeps, sees, deletes and forgets for good."""

from __future__ import annotations

import json
import stat

import pytest
from sqlalchemy import text

from capture.envelope import encode
from capture.spool import append
from limbeck.forgetting import forget, waiting
from limbeck.main import main
from limbeck.ship.files import sealed
from limbeck.ship.loop import lock
from schema.database import Database
from schema.projects import register
from tests.integration.workers.build import prompt


@pytest.fixture
def home(tmp_path):
    return tmp_path / "lh"


@pytest.fixture
def limbeck(app_url, redis_url, home, monkeypatch, capsys):
    """Run a command in this process; returns its exit code and both outputs."""
    monkeypatch.setenv("LIMBECK_HOME", str(home))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    monkeypatch.setenv("LIMBECK_REDIS_URL", redis_url)
    monkeypatch.setenv("LIMBECK_EMBEDDINGS", "off")
    database = Database(app_url)
    database.add_client("local")
    database.close()

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(words)
        return end.value.code or 0, *capsys.readouterr()

    return run


def answer(limbeck, *words):
    code, out, err = limbeck(*words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_remember_recall_forget(limbeck):
    code, out, _ = limbeck("remember", "style", "tabs")
    assert (code, out) == (0, "Remembered: [global] style (version 1).\n")
    assert "version 1, written by" in limbeck("remember", "style", "spaces")[1]
    assert answer(limbeck, "memory", "recall")["entries"][0]["value"] == "spaces"
    assert "[style] spaces" in limbeck("memory", "recall", "spa")[1]
    assert [one["key"] for one in answer(limbeck, "memory", "keys")["entries"]] == ["style"]
    assert "spaces" in limbeck("memory", "keys", "sty")[1]
    assert limbeck("memory", "keys", "nothing like it")[1].startswith("Nothing is kept under a key.")
    assert limbeck("forget", "style")[:2] == (0, "Forgot: [global] style.\n")
    code, out, _ = limbeck("forget", "style")
    assert code == 1
    assert out.startswith("Not found: [global] style. It was forgotten by ")
    assert answer(limbeck, "remember", "style", "tabs")["forgotten"]["version"] == 2


def test_a_wrong_scope_and_a_lost_race_are_sentences(limbeck):
    code, _, err = limbeck("remember", "a", "b", "--scope", "team:x")
    assert code == 2
    assert "There is no scope `team:x`: it must be `global`" in err
    limbeck("remember", "a", "b")
    code, _, err = limbeck("remember", "a", "c", "--version", "0")
    assert code == 1
    assert "Somebody changed it first" in err


def test_the_bank(limbeck):
    kept = answer(
        limbeck, "memory", "save", "We deploy with Helm.", "--tag", "ops", "--snippet", "helm it is"
    )
    identifier = kept["memory"]["id"]
    assert identifier.startswith("mem_")
    listed = limbeck("memory", "list")[1]
    assert identifier in listed
    assert "helm it is" in listed
    assert answer(limbeck, "memory", "search", "how", "do", "we", "deploy")["results"][0]["id"] == identifier
    assert limbeck("memory", "delete", identifier, "--yes")[:2] == (0, f"Deleted {identifier}.\n")
    code, _, err = limbeck("memory", "delete", identifier, "--yes")
    assert (code, err) == (1, f"limbeck: There is no memory {identifier}.\n")
    assert answer(limbeck, "memory", "list") == {"memories": []}


def test_the_switch_of_this_device(limbeck, home):
    assert answer(limbeck, "memory", "off") == {"memory": "off"}
    mark = home / "memory-off"
    assert stat.S_IMODE(mark.stat().st_mode) == 0o600
    assert answer(limbeck, "memory", "off") == {"memory": "off"}
    assert answer(limbeck, "memory", "on") == {"memory": "on"}
    assert not mark.exists()
    assert answer(limbeck, "memory", "on") == {"memory": "on"}


@pytest.mark.parametrize("words", [[], ["key", "--text", "abc"], ["--fact", "a", "--session", "b"]])
def test_one_thing_at_a_time(limbeck, words):
    assert limbeck("forget", *words)[0] == 2


def test_for_good_on_this_machine_too(limbeck, home):
    limbeck("memory", "save", "Ada Zanzibarov likes tabs.")
    spool = home / "spool"
    for said in ("hello", "ask ada zanzibarov", "Ada  Zanzibarov again"):
        append(str(spool), encode(prompt(said)), 10**6)
    (spool / "errands").mkdir()
    (spool / "errands" / "one.json").write_bytes(encode(prompt("by Ada Zanzibarov", needs="commit")))
    (home / "briefs").mkdir()
    (home / "briefs" / "remote_3ax").write_text("Ada Zanzibarov")
    seen = answer(limbeck, "forget", "--text", "Ada Zanzibarov", "--dry-run")
    assert (seen["done"], seen["removed"]["memories"], seen["spool"]) == (False, 1, 3)
    assert answer(limbeck, "memory", "list")["memories"]
    code, _, err = limbeck("forget", "--text", "Ada Zanzibarov")
    assert code == 1
    assert "nobody is there to confirm it" in err
    done = answer(limbeck, "forget", "--text", "Ada Zanzibarov", "--yes")
    assert (done["done"], done["removed"], done["spool"]) == (True, seen["removed"], 3)
    for path in home.rglob("*"):
        assert not path.is_file() or b"zanzibarov" not in path.read_bytes().lower(), path
    assert waiting(spool, lambda event: True) == 1
    assert answer(limbeck, "forget", "--text", "Ada Zanzibarov", "--dry-run")["total"] == 0
    assert limbeck("forget", "--text", "Ada Zanzibarov")[:2] == (0, "There is nothing to forget.\n")


def test_a_shipper_at_work_is_left_alone(tmp_path):
    spool = tmp_path / "spool"
    append(str(spool), encode(prompt("secretly")), 10**6)
    with lock(spool):
        assert not forget(spool, lambda event: True).reached
        assert forget(spool, lambda event: False).reached
    assert forget(spool, lambda event: True).events == 1
    assert [path.read_bytes() for path in sealed(spool)] == [b""]
    assert stat.S_IMODE(sealed(spool)[0].stat().st_mode) == 0o600
    assert forget(tmp_path / "none", lambda event: True).reached


def test_a_memory_a_key_and_a_document_are_traced_to_where_they_come_from(limbeck, database):
    memory = answer(limbeck, "memory", "save", "We deploy with Helm.", "--snippet", "helm it is")["memory"][
        "id"
    ]
    way = answer(limbeck, "trace", memory)
    assert (way["what"]["kind"], way["what"]["text"]) == ("memory", "We deploy with Helm.")
    assert [(one["kind"], one["text"]) for one in way["because"]] == [("snippet", "helm it is")]
    assert answer(limbeck, "trace", way["what"]["id"][:8])["what"] == way["what"]
    assert answer(limbeck, "call", "trace", f"id={memory}")["what"]["text"] == "We deploy with Helm."
    limbeck("remember", "day", "Tuesday")
    limbeck("remember", "day", "Thursday")
    with Database(database.app_url, pooled=False).everyone("local") as connection:
        key = str(connection.scalar(text("SELECT id FROM remembered")))
    assert [one["text"].partition(": ")[2] for one in answer(limbeck, "trace", key)["because"]] == [
        "Thursday",
        "Tuesday",
    ]
    assert limbeck("trace", "mem_" + "0" * 26)[0] == 1


def test_a_projects_scope_is_shown_by_its_name(limbeck, app_url):
    with Database(app_url, pooled=False).tenant("local") as connection:
        register(connection, "local", ["root:/w/shop"], remote=None, root="/w/shop")
    code, out, _ = limbeck("remember", "day", "Thursday", "--scope", "project:shop")
    assert (code, out) == (0, "Remembered: [project:shop] day (version 1).\n")
    assert answer(limbeck, "memory", "recall", "--scope", "project:shop")["scope"] == "project:shop"
    assert limbeck("forget", "day", "--scope", "project:shop")[1] == "Forgot: [project:shop] day.\n"
