"""``limbeck bench recall`` writes through the stream, ingest, distillation and the index, on servers of its own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from limbeck.bench import layouts
from limbeck.bench.labelled import NO_QUESTION, NOT_THERE, Ask, Called, Corpus, Held, LabelledSet, number
from limbeck.bench.recall import Way, ask, lines, measure
from limbeck.bench.recall_world import CLIENT, World, Written, world
from limbeck.errors import NotWritten
from recall.embedding.minilm import bundled
from schema.records import Exchange, Role
from tests.data.recall.talk import beam, locomo

AT = datetime(2024, 5, 8, 13, tzinfo=UTC)
SECRET = f"ghp_{secrets.token_hex(18)}"


def said(session: str, *lines: tuple[Role, str]) -> tuple[Exchange, ...]:
    return tuple(
        Exchange(number("t", session, str(place)), role, words, AT + timedelta(minutes=place))
        for place, (role, words) in enumerate(lines)
    )


def corpus() -> Corpus:
    chat = said(
        "1",
        (Role.PERSON, "Ann: Look what I found [photo: a red kayak on a trailer]"),
        (Role.PERSON, "Bo: Lovely! I only have the old canoe."),
    )
    work = said(
        "2",
        (Role.PERSON, f"The uploader needs its token {SECRET}, put it into the vault."),
        (Role.REPLY, "The uploader reads the vault now."),
        (Role.PERSON, "<task-notification>nightly job done</task-notification>"),
    )
    calls = (
        Called(AT + timedelta(seconds=30), "Edit", path="/srv/app/upload/vault.go"),
        Called(AT + timedelta(seconds=40), "Bash", command="pytest -q"),
    )
    sessions = (
        Held("1", chat),
        Held("2", work, files=("upload/client.go",), calls=calls, root="/srv/app"),
    )
    asks = (
        Ask("Who has a kayak?", frozenset({"1"}), turns=frozenset({chat[0].id})),
        Ask("what reads the vault?", frozenset({"2"}), files=("upload/vault.go",)),
        Ask("recipe for lentil soup", frozenset(), "abstention"),
    )
    return Corpus("t", sessions, asks, AT + timedelta(days=1))


@pytest.fixture(scope="module")
def ready() -> Iterator[World]:
    with world() as opened:
        yield opened


@pytest.fixture(scope="module")
def written(ready: World) -> Written:
    return ready.write(corpus())


def units(ready: World, written: Written) -> list[tuple[str, str, str | None, str]]:
    with ready.database.tenant(CLIENT) as connection:
        rows = connection.execute(
            text("SELECT kind, session, standing, text FROM search_units WHERE project = :p ORDER BY unit"),
            {"p": written.project},
        )
        return [(row.kind, written.sessions.get(row.session, ""), row.standing, row.text) for row in rows]


def test_every_session_is_there_by_its_label(written):
    assert sorted(written.sessions.values()) == ["1", "2"]
    assert {one.id for held in corpus().sessions for one in held.exchanges} == set(written.exchanges.values())


def test_turns_read_as_the_product_has_them(ready, written):
    turns = [row[1:] for row in units(ready, written) if row[0] == "turn"]
    assert ("1", "person", "Ann: Look what I found [photo: a red kayak on a trailer]") in turns
    assert ("2", None, "The uploader reads the vault now.") in turns
    assert not any("task-notification" in words for _, _, words in turns)
    assert not any(SECRET in words for _, _, words in turns)
    assert any("[REDACTED:" in words for _, _, words in turns)


def test_what_distilling_gave_is_searched_too(ready, written):
    assert "summary" in {row[0] for row in units(ready, written)}


def test_a_files_session_is_found_by_the_calls_and_the_changes(ready, written):
    way = Way("files", signals=("files",), embed=False, files=True)
    for path in ("upload/vault.go", "upload/client.go"):
        question = Ask("what happened here", frozenset({"2"}), files=(path,))
        answer = ask(ready.database, corpus(), written.project, question, way, None)
        assert answer is not None
        assert {written.sessions[hit.session] for hit in answer.hits} == {"2"}


def test_a_date_and_a_speaker_are_found_in_words(ready, written):
    for query in ("8 May 2024", "Bo"):
        answer = ask(
            ready.database,
            corpus(),
            written.project,
            Ask(query, frozenset({"1"})),
            Way("words", ("words",), embed=False),
            None,
        )
        assert answer is not None
        assert "1" in {written.sessions[hit.session] for hit in answer.hits}, query


def test_the_figures(ready):
    found = measure(ready, LabelledSet("t", (corpus(),)), bundled(), alone=False)
    fused = found["ways"]["fused"]
    assert (fused["sessions"]["any@1"], fused["units"]["any@1"]) == (100.0, 100.0)
    assert fused["abstention"] == {"declined": 100.0, "n": 1, "wrongly declined": 0.0}
    assert found["ways"]["fused, files known"]["sessions"]["any@1"] == 100.0
    assert found["questions"] == 3


def written_sets(folder) -> None:
    """LoCoMo, LongMemEval and BEAM, small, as they are published."""
    (chat,) = locomo("one", sessions=1, rows=2)
    chat["qa"] += [{"question": "Nowhere?", "evidence": ["D9:1"], "answer": 3}, {"question": ""}]
    chats = {"locomo10.json": [chat]}
    turns = [{"role": "user", "content": one["text"]} for one in chat["conversation"]["session_1"]]
    haystack = {
        "question_id": "q",
        "question": turns[chat["qa"][0]["answer"] - 1]["content"],
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["a", "a", "b"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21", "2023/05/22 (Mon) 02:21"],
        "haystack_sessions": [turns, turns, []],
        "answer_session_ids": ["a"],
    }
    batches, questions = beam(rows=2)
    rows_of = {
        "longmemeval_s.jsonl": [haystack, haystack | {"question_id": "lost", "answer_session_ids": ["z"]}]
    }
    beams = {"100K/1/chat.json": batches, "100K/1/probing_questions/probing_questions.json": questions}
    for name, value in (chats | beams).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value), "utf-8")
    for name, rows in rows_of.items():
        (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")


def test_every_layout_of_chats_runs_to_its_figures(ready, tmp_path):
    written_sets(tmp_path)
    said: list[str] = []
    found = {
        labelled.name: measure(ready, labelled, None, alone=False, report=said.append)
        for labelled in layouts.read(tmp_path)
    }
    asked = {name: (result["questions"], result["left_out"]) for name, result in found.items()}
    assert asked == {
        "100K": (2, {}),
        "locomo10": (2, {NOT_THERE: 1, NO_QUESTION: 1}),
        "longmemeval_s": (1, {NOT_THERE: 1}),
    }
    assert found["100K"]["ways"]["fused"]["updates"]["cur@5"] == 100.0
    assert found["longmemeval_s"]["ways"]["fused"]["sessions"]["any@5"] == 100.0
    assert any("locomo10: corpus 1 of 1" in line for line in said)
    assert f"left out: 1, since {NOT_THERE}" in "\n".join(lines(found["locomo10"]))


def test_a_corpus_that_does_not_arrive_is_refused(ready, monkeypatch):
    monkeypatch.setattr(ready.desk, "work", lambda *_: None)
    lost = Corpus("lost", corpus().sessions[:1], (), AT)
    with pytest.raises(NotWritten, match="0 of 1 sessions"):
        ready.write(lost)
