"""Each published layout is told by what it holds, and read; anything else is refused with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from limbeck.bench.labelled import number
from limbeck.bench.layouts import read
from limbeck.errors import NotALabelledSet


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def test_devmembench(tmp_path):
    messages = [{"role": "user", "content": "We use Flask"}, {"role": "assistant", "content": "Noted"}]
    write(
        tmp_path / "sessions.json",
        [{"sessionId": "S1", "metadata": {"date": "2025-01-15"}, "messages": messages}],
    )
    questions = [
        {
            "questionId": "Q1",
            "questionType": "stack",
            "question": "Which framework?",
            "haystackSessionIds": ["S1"],
        },
        {
            "questionId": "Q2",
            "questionType": "abstention",
            "question": "Which cloud?",
            "haystackSessionIds": [],
        },
    ]
    write(tmp_path / "questions.json", questions)
    (found,) = read(tmp_path)
    (corpus,) = found.corpora
    assert [exchange.role.value for exchange in corpus.sessions[0].exchanges] == ["person", "reply"]
    assert [sorted(ask.gold) for ask in corpus.asks] == [["S1"], []]
    assert corpus.now == datetime(2025, 1, 16, 0, 1, tzinfo=UTC)


def test_commits(tmp_path):
    turns = [
        {"role": "user", "text": "fix it", "ts": "2026-02-03T03:49:43.026Z"},
        {"role": "tool", "text": "{}", "ts": "2026-02-03T03:49:44Z"},
        {"role": "assistant", "text": "done", "ts": None},
    ]
    session = {"sid": "s", "created": "2026-02-03T05:50:49Z", "files": ["a.go"], "turns": turns}
    write(tmp_path / "set" / "sessions.json", [session])
    write(tmp_path / "set" / "queries.json", [{"subject": "fix: it", "gs": ["s"], "files": ["a.go"]}])
    (found,) = read(tmp_path)
    (corpus,) = found.corpora
    assert [exchange.text for exchange in corpus.sessions[0].exchanges] == ["fix it", "done"]
    assert corpus.sessions[0].files == corpus.asks[0].files == ("a.go",)


def test_locomo(tmp_path):
    turn = {"speaker": "Ann", "dia_id": "D1:3", "text": "Look", "blip_caption": "a red boat"}
    conversation = {
        "speaker_a": "Ann",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn],
        "session_2_date_time": "1:00 pm on 9 May, 2023",
    }
    qa = [
        {"question": "What boat?", "answer": "red", "evidence": ["D1:3; D9:1"], "category": 1},
        {"question": "Broken?", "evidence": ["D"], "category": 2},
    ]
    write(tmp_path / "locomo10.json", [{"sample_id": "c1", "conversation": conversation, "qa": qa}])
    (found,) = read(tmp_path / "locomo10.json")
    (corpus,) = found.corpora
    (exchange,) = corpus.sessions[0].exchanges
    assert exchange.text == "Ann: Look [photo: a red boat]"
    assert exchange.at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    (ask,) = corpus.asks
    assert ask.gold == {"1", "9"}
    assert number("locomo10/c1", "D1:3") in ask.turns


def test_longmemeval(tmp_path):
    turns = [
        {"role": "user", "content": "I moved", "has_answer": True},
        {"role": "assistant", "content": "ok"},
    ]
    question = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["h1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [turns],
        "answer_session_ids": ["h1"],
    }
    write(tmp_path / "s.json", [question, question | {"question_id": "q2_abs"}])
    (found,) = read(tmp_path / "s.json")
    first, declined = found.corpora
    assert (first.asks[0].gold, len(first.asks[0].turns)) == ({"h1"}, 1)
    assert declined.asks[0].gold == frozenset()


def test_beam(tmp_path):
    group = [
        {"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "It takes 300ms ->-> 1,1"},
        {"role": "assistant", "id": 1, "content": "fine"},
    ]
    later = [{"role": "user", "id": 2, "time_anchor": "April-01-2024", "content": "It takes 250ms now"}]
    write(tmp_path / "1" / "chat.json", [{"batch_number": 1, "turns": [group, later]}])
    sources = {"original_info": [0], "updated_info": [2]}
    questions = {
        "knowledge_update": [{"question": "How long?", "source_chat_ids": sources}],
        "abstention": [{"question": "Who?"}],
        "event_ordering": [{"question": "Order?", "source_chat_ids": []}],
    }
    write(tmp_path / "1" / "probing_questions" / "probing_questions.json", questions)
    (found,) = read(tmp_path)
    (corpus,) = found.corpora
    assert corpus.sessions[0].exchanges[0].text == "It takes 300ms"
    update, declined = corpus.asks
    assert update.gold == {"1.0", "1.1"}
    assert (len(update.updated), len(update.original)) == (1, 1)
    assert declined.category == "abstention"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.json", "{not json", "not readable JSON"),
        ("a.json", "[1, 2]", "no known layout"),
        ("a.json", '[{"conversation": {}, "qa": []}]', "ValueError"),
        ("a.json", '[{"haystack_sessions": []}]', "KeyError"),
    ],
)
def test_what_is_no_labelled_set_is_refused(tmp_path, name, content, why):
    (tmp_path / name).write_text(content)
    with pytest.raises(NotALabelledSet, match=why):
        read(tmp_path / name)


def test_an_absent_place_is_refused(tmp_path):
    with pytest.raises(NotALabelledSet, match="no such"):
        read(tmp_path / "absent")
