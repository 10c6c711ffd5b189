"""``limbeck recall`` as a person and as a script run it: a process of its own against a real database."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from limbeck.bench.scratch import scratch_server
from limbeck.services.postgres import APPLICATION
from recall.embedding.minilm import bundled
from schema.database import Database
from tests.data.recall.indexed import load
from tests.data.recall.labelled import scripted

RUN = "import sys; from limbeck.main import main; main(sys.argv[1:])"


class Command:
    """The command line against one database."""

    def __init__(self, home: Path, url: str) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LIMBECK_HOME": str(home / "limbeck"),
            "LIMBECK_DATABASE_URL": url,
            "LIMBECK_CLIENT": "bench",
        }

    def __call__(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", RUN, "recall", *arguments],
            env=self.environment | settings,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture(scope="module")
def command(tmp_path_factory) -> Iterator[Command]:
    with scratch_server() as server:
        database = Database(server.url(APPLICATION))
        load(database, scripted().corpora[0], bundled())
        database.close()
        yield Command(tmp_path_factory.mktemp("home"), server.url(APPLICATION))


def test_a_person_gets_the_current_fact_with_its_provenance(command):
    done = command("What is the API rate limit?", "--all")
    assert done.returncode == 0, done.stderr
    first = done.stdout.split("\n2. ")[0]
    assert "[fact, known from person]" in first
    assert "allows 300 requests a minute" in first
    assert "session scripted/limit-raised" in first
    assert "allows 60 requests" not in done.stdout


def test_a_script_gets_json(command):
    done = command("What is the API rate limit?", "--all", "--json", "--limit", "1")
    answer = json.loads(done.stdout)
    assert {hit["place"] for hit in answer["hits"]} == {1}
    hit = answer["hits"][0]
    assert (hit["kind"], hit["current"], hit["slot"]) == ("fact", True, "api/rate limit")
    assert set(hit["signals"]) <= {"words", "session", "semantic", "files"}
    assert answer["signals"]["semantic"] == "ran"


def test_history_shows_what_no_longer_holds(command):
    done = command("API rate limit", "--all", "--history", "--kind", "fact")
    assert "outdated since" in done.stdout
    assert "allows 60 requests" in done.stdout


def test_explain_names_each_signals_rank(command):
    done = command("exponential backoff", "--all", "--explain", "--file", "backend/webhooks/deliver.py")
    assert "words #1" in done.stdout
    assert "files #1" in done.stdout
    assert "signals: " in done.stdout


def test_without_embeddings_it_answers_and_says_so(command):
    for how in ([], ["--no-embeddings"]):
        done = command("exponential backoff", "--all", "--explain", *how, LIMBECK_EMBEDDINGS="off")
        assert done.returncode == 0, done.stderr
        assert "semantic: off" in done.stdout


def test_an_unreachable_provider_is_said_to_be_so(command):
    done = command(
        "exponential backoff",
        "--all",
        "--explain",
        LIMBECK_EMBEDDINGS="openai",
        LIMBECK_EMBEDDINGS_URL="http://127.0.0.1:9/v1",
    )
    assert done.returncode == 0, done.stderr
    assert "semantic: failed" in done.stdout
    assert "exponential backoff" in done.stdout


def test_a_window_is_told(command):
    done = command("What changed in auth in March 2026?", "--all")
    assert "Time meant by 'in March 2026': 2026-03-01 to 2026-04-01" in done.stdout


def test_nothing_relevant(command):
    done = command("recipe for lentil soup", "--all")
    assert (done.returncode, done.stdout.strip()) == (0, "Nothing relevant was found.")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["", "--all"], 2, "The question cannot be searched for: it is empty"),
        (["x", "--all", "--kind", "nonsense"], 2, "there is no kind 'nonsense'"),
        (["x", "--all", "--as-of", "soonish"], 2, "'soonish' is not a time"),
        (["x", "--all", "--limit", "0"], 2, "--limit"),
        (["x", "--project", "unknown"], 1, "unknown"),
    ],
)
def test_bad_input_is_one_sentence(command, arguments, code, sentence):
    done = command(*arguments)
    assert done.returncode == code
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_gets_a_fence_and_a_person_may_ask_for_it_or_not(command):
    piped = command("What is the API rate limit?", "--all").stdout
    assert re.match(r'<limbeck-memory mark="[0-9a-f]{12}">\n', piped)
    assert piped.rstrip().endswith(piped.splitlines()[0].replace("<", "</"))
    plain = command("What is the API rate limit?", "--all", "--plain").stdout
    assert plain.startswith("1. [fact")
    assert command("What is the API rate limit?", "--all", "--fenced", "--explain").stdout.startswith(
        "<limbeck-memory"
    )


def test_explain_says_how_results_are_grouped(command):
    told = command("exponential backoff", "--all", "--explain").stdout
    assert "Results are grouped by session" in told
    assert "session #1, score" in told
