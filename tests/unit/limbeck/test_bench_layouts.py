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
    assert corpus.now == datetime(2025, 1, 15, 0, 1, tzinfo=UTC)  # who tells no time asks at the last word


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
    assert [(call.tool, call.path) for call in corpus.sessions[0].calls] == [("unknown", None)]


def test_tool_calls_tell_where_the_repository_lay(tmp_path):
    def call(name, given):
        return {"role": "tool", "name": name, "text": given, "ts": "2026-02-03T03:49:44Z"}

    turns = [
        {"role": "user", "text": "This session is being continued from a previous conversation", "ts": None},
        call("Edit", '{"file_path": "/home/ann/work/cli/cmd/a.go", "old_string": "x'),
        call("Read", '{"file_path": "/home/ann/work/cli/cmd/b.go"}'),
        call("Bash", '{"command": "grep -n \\"x\\" cmd/b.go", "description": "look"}'),
    ]
    session = {"sid": "s", "created": "2026-02-03T05:50:49Z", "files": ["cmd/a.go"], "turns": turns}
    write(tmp_path / "sessions.json", [session])
    write(tmp_path / "queries.json", [{"subject": "fix: it", "gs": ["s"]}])
    (found,) = read(tmp_path)
    (held,) = found.corpora[0].sessions
    assert held.root == "/home/ann/work/cli"
    assert [(call.tool, call.path, call.command) for call in held.calls] == [
        ("Edit", "/home/ann/work/cli/cmd/a.go", None),
        ("Read", "/home/ann/work/cli/cmd/b.go", None),
        ("Bash", None, 'grep -n "x" cmd/b.go'),
    ]
    assert held.exchanges[0].role.value == "compaction"


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


@pytest.mark.parametrize(
    ("evidence", "gold"),
    [
        (["D8:6; D9:17"], {"8", "9"}),
        (["D8:6 D9:17", "D:11:26"], {"8", "9", "11"}),
        (["D30:05"], {"30"}),
        ("D2:1", {"2"}),
        ([], None),
        (None, None),
        (["D"], None),
        ([None, 7], None),
    ],
)
def test_evidence_however_it_is_written(tmp_path, evidence, gold):
    conversation = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "A", "text": "x"}],
    }
    qa = [{"question": "Which?", "evidence": evidence}, {"evidence": ["D1:1"]}, "no question"]
    write(tmp_path / "l.json", [{"conversation": conversation, "qa": qa}])
    (found,) = read(tmp_path / "l.json")
    assert [set(ask.gold) for ask in found.corpora[0].asks] == ([gold] if gold else [])


def test_a_chat_with_gaps_is_read_all_the_same(tmp_path):
    conversation = {
        "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "later"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ann", "dia_id": "D2:1", "blip_caption": "a red boat"},
            {"text": "no speaker, no id"},
        ],
        "session_3": [],
        "session_4_date_time": "someday",
    }
    write(tmp_path / "l.json", [{"conversation": conversation, "qa": []}])
    (found,) = read(tmp_path / "l.json")
    second, tenth = found.corpora[0].sessions
    assert (second.session, tenth.session) == ("2", "10")
    assert [one.text for one in second.exchanges] == [
        "Ann:  [photo: a red boat]",
        "Somebody: no speaker, no id",
    ]
    assert second.exchanges[1].id == number("l/0", "D2:2")
    assert tenth.exchanges[0].at > second.exchanges[1].at
    assert found.corpora[0].now == tenth.exchanges[0].at


def test_realtalk(tmp_path):
    def chat(question):
        return {
            "name": {"speaker_1": "Ann", "speaker_2": "Bo"},
            "session_1_date_time": "29.12.2023, 11:23:21",
            "session_1": [
                {
                    "clean_text": "Hey",
                    "speaker": "Ann",
                    "date_time": "29.12.2023, 11:23:21",
                    "dia_id": "D1:1",
                },
                {
                    "clean_text": "See this",
                    "speaker": "Bo",
                    "date_time": "30.12.2023, 09:00:00",
                    "dia_id": "D1:2",
                    "blip_caption": "a dog on a beach",
                },
            ],
            "events_session_1": {"Ann": []},
            "qa": [{"question": question, "answer": "Bo", "evidence": ["D1:2"], "category": 1}],
        }

    for number_, question in enumerate(("Whose dog?", "Which beach?"), start=1):
        write(tmp_path / "data" / f"Chat_{number_}_Ann_Bo.json", chat(question))
    (found,) = read(tmp_path)
    assert [corpus.asks[0].query for corpus in found.corpora] == ["Whose dog?", "Which beach?"]
    first, second = found.corpora[0].sessions[0].exchanges
    assert (first.text, second.text) == ("Ann: Hey", "Bo: See this [photo: a dog on a beach]")
    assert second.at == datetime(2023, 12, 30, 9, tzinfo=UTC)
    assert found.corpora[0].asks[0].gold == {"1"}
    assert found.corpora[0].asks[0].turns == {second.id}
    (alone,) = read(tmp_path / "data" / "Chat_1_Ann_Bo.json")
    assert len(alone.corpora) == 1


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
    assert found.note.endswith("unreadable: 2 (KeyError)")


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
