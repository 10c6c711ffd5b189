"""Layouts of a person and an assistant, LongMemEval and BEAM, with what is odd in the files as published."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from limbeck.bench.labelled import NO_EVIDENCE, NO_QUESTION, NOT_THERE, TWICE
from limbeck.bench.layout_assistant import EMPTY, UNEVEN
from limbeck.bench.layouts import read
from tests.unit.limbeck.test_bench_layouts import write


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


def haystack(**changed):
    return {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "Where?",
        "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["h1", "h2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21"],
        "haystack_sessions": [[{"role": "user", "content": "I moved"}], []],
        "answer_session_ids": ["h1"],
    } | changed


def test_a_session_that_a_haystack_holds_twice_is_there_twice(tmp_path):
    said = [
        {"role": "user", "content": "I moved", "has_answer": True},
        {"role": "assistant", "content": None},
    ]
    write(tmp_path / "s.json", [haystack(haystack_session_ids=["h1", "h1"], haystack_sessions=[said, said])])
    (found,) = read(tmp_path / "s.json")
    (corpus,) = found.corpora
    assert [held.session for held in corpus.sessions] == ["h1", "h1#2"]
    assert corpus.asks[0].gold == {"h1", "h1#2"}
    assert len(corpus.asks[0].turns) == 2


def test_what_cannot_be_asked_of_longmemeval_is_counted(tmp_path):
    broken = [
        haystack(question_id="a", haystack_dates=[]),
        haystack(question_id="b", answer_session_ids=["h9"]),
        haystack(question_id="c", answer_session_ids=[]),
        haystack(question_id="d", question=""),
        haystack(question_id="e_abs", haystack_sessions=[[], []]),
        {"question_id": "f", "haystack_sessions": []},
        haystack(question_id=7, answer_session_ids=["h1", "h9"]),
    ]
    write(tmp_path / "s.json", [haystack(), *broken])
    (found,) = read(tmp_path / "s.json")
    assert [corpus.name for corpus in found.corpora] == ["s/q1", "s/7"]
    assert found.left_out() == {
        UNEVEN: 1,
        NOT_THERE: 1,
        NO_EVIDENCE: 1,
        NO_QUESTION: 1,
        EMPTY: 1,
        "it cannot be read (KeyError)": 1,
    }


@pytest.mark.parametrize("name", ["longmemeval_s", "longmemeval_s.jsonl", "longmemeval_s.json"])
def test_a_list_may_come_as_lines_and_a_file_without_an_ending(tmp_path, name):
    lines = "\n".join(json.dumps(haystack(question_id=f"q\u2028{n}"), ensure_ascii=False) for n in range(3))
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / name).write_text(f"{lines}\n", "utf-8-sig")
    (tmp_path / "set" / "LICENSE").write_text("free to use")
    (tmp_path / "set" / "empty").touch()
    (found,) = read(tmp_path / "set")
    assert len(found.corpora) == 3


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


def test_a_broken_chat_of_beam_is_told_of_and_left_out(tmp_path):
    write(
        tmp_path / "1" / "chat.json",
        [{"batch_number": 1, "turns": [[{"role": "user", "id": 0, "content": "a"}]]}],
    )
    write(tmp_path / "2" / "chat.json", [{"plan-1": []}])
    questions = {"information_extraction": [{"question": "a?", "source_chat_ids": ["0", {"x": [99]}]}, {}]}
    for name in "12":
        write(tmp_path / name / "probing_questions.json", questions)
    (found,) = read(tmp_path)
    (corpus,) = found.corpora
    assert corpus.asks[0].gold == {"1.0"}
    assert found.note.endswith("unreadable: 2 (ValueError)")
    assert found.left_out() == {NO_QUESTION: 1, "its chat cannot be read": 2}


def message(ident, words, role="user", **more):
    return {"role": role, "id": ident, "content": words, **more}


def test_beam_with_numbers_that_begin_anew(tmp_path):
    first = [message(0, "one"), message(1, "two", "assistant")]
    batches = [
        {"batch_number": 1, "time_anchor": "March-15-2024", "turns": [first, [message(2, "three")]]},
        {"batch_number": 2, "time_anchor": "April-01-2024", "turns": [[message("0", "four")], []]},
    ]
    questions = {
        "information_extraction": [
            {"question": "a?", "source_chat_ids": [0]},
            {"question": "b?", "source_chat_ids": [0, 1]},
            {"question": "c?", "source_chat_ids": [True, "2"]},
            {"question": "d?", "source_chat_ids": ["9"]},
            {"question": "e?"},
        ]
    }
    write(tmp_path / "1" / "chat.json", batches)
    write(tmp_path / "1" / "probing_questions.json", questions)
    (found,) = read(tmp_path)
    (corpus,) = found.corpora
    exchanges = [one for held in corpus.sessions for one in held.exchanges]
    assert len({one.id for one in exchanges}) == 4
    assert [(ask.query, set(ask.gold)) for ask in corpus.asks] == [("b?", {"1.0"}), ("c?", {"1.1"})]
    assert found.left_out() == {TWICE: 1, NOT_THERE: 1, NO_EVIDENCE: 1}
    assert corpus.sessions[0].exchanges[0].at == datetime(2024, 3, 15, tzinfo=UTC)
    assert corpus.sessions[2].exchanges[0].at == datetime(2024, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("It takes 300ms ->-> 1,1", "It takes 300ms"),
        ("So ->-> 2,N/A", "So"),
        ("So ->-> 2,22, 24\n", "So"),
        ("So ->> 3,4", "So"),
        ("from 3 -> 5", "from 3 -> 5"),
    ],
)
def test_where_a_message_of_beam_came_from_is_not_read(tmp_path, written, words):
    write(tmp_path / "1" / "chat.json", [{"batch_number": 1, "turns": [[message(0, written)]]}])
    write(tmp_path / "1" / "probing_questions.json", {"abstention": [{"question": "a?"}]})
    (found,) = read(tmp_path)
    assert found.corpora[0].sessions[0].exchanges[0].text == words


def test_beam_in_its_other_shapes(tmp_path):
    asked = {"information_extraction": [{"question": "a?", "source_chat_ids": [2]}]}
    main = {"question_type": "main_question"}
    bare = [
        [message(0, "one", **main), message(1, "two", "assistant"), message(2, "three", **main)],
        [message(3, "four", **main)],
    ]
    plans = [
        {"plan-1": [{"batch_number": 1, "turns": [bare[0]]}]},
        {"plan-2": [{"batch_number": 1, "turns": [bare[1]]}]},
    ]
    write(tmp_path / "10M" / "1" / "chat.json", plans)
    write(tmp_path / "10M" / "1" / "probing_questions.json", asked)
    write(tmp_path / "10M" / "2" / "chat.json", [])
    write(tmp_path / "10M" / "2" / "chat_trunecated.json", bare)
    write(tmp_path / "10M" / "2" / "probing_questions.json", asked)
    (found,) = read(tmp_path)
    assert [[held.session for held in corpus.sessions] for corpus in found.corpora] == [
        ["1.0", "1.0#2"],
        ["1.0", "1.1", "2.0"],
    ]
    assert [set(corpus.asks[0].gold) for corpus in found.corpora] == [{"1.0"}, {"1.1"}]
    rows = tmp_path / "rows.json"
    write(
        rows,
        [
            {"conversation_id": "1", "chat": bare, "probing_questions": repr(asked)},
            {"chat": 0, "probing_questions": ""},
        ],
    )
    (found,) = read(rows)
    assert [set(ask.gold) for ask in found.corpora[0].asks] == [{"1.1"}]
    assert "unreadable: 1" in found.note
