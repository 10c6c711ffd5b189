"""Each published layout is told by what it holds, and read; anything else is refused with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from limbeck.bench.labelled import NO_EVIDENCE, NO_QUESTION, NOT_THERE, Ask, Corpus, LabelledSet
from limbeck.bench.layout_assistant import EMPTY
from limbeck.bench.layouts import read
from limbeck.bench.told_times import time_of
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
    assert ask.gold == {"1"}  # there is no ninth session
    assert ask.turns == {exchange.id}
    assert found.left_out() == {NO_EVIDENCE: 1}


def sessions(*numbers, turns=2):
    return {
        f"session_{one}": [
            {"speaker": "A", "dia_id": f"D{one}:{place}", "text": "x"} for place in range(1, turns + 1)
        ]
        for one in numbers
    }


@pytest.mark.parametrize(
    ("evidence", "gold", "turns", "reason"),
    [
        (["D8:1; D9:2"], {"8", "9"}, 2, None),
        (["D8:1 D9:2", "D:11:02"], {"8", "9", "11"}, 3, None),
        (["D9:02"], {"9"}, 1, None),
        ("D8:1", {"8"}, 1, None),
        ([["D8:1"], "D9:1"], {"8", "9"}, 2, None),
        (["D8:40"], {"8"}, 0, None),  # the session is there, the turn is not
        (["D8:1", "D3:1"], {"8"}, 1, None),
        (["D3:1"], None, 0, NOT_THERE),
        ([], None, 0, NO_EVIDENCE),
        (None, None, 0, NO_EVIDENCE),
        (["D"], None, 0, NO_EVIDENCE),
        ([None, 7], None, 0, NO_EVIDENCE),
    ],
)
def test_evidence_however_it_is_written(tmp_path, evidence, gold, turns, reason):
    qa = [{"question": "Which?", "evidence": evidence, "answer": 7}, {"evidence": ["D8:1"]}, "no question"]
    write(tmp_path / "l.json", [{"conversation": sessions(8, 9, 11), "qa": qa}])
    (found,) = read(tmp_path / "l.json")
    assert [(set(a.gold), len(a.turns)) for a in found.corpora[0].asks] == ([(gold, turns)] if gold else [])
    assert found.left_out() == {NO_QUESTION: 2} | ({reason: 1} if reason else {})


def test_turns_that_share_a_name_are_all_there(tmp_path):
    turns = [{"speaker": "A", "dia_id": "D1:1", "text": words} for words in ("one", "two")]
    conversation = {"session_1": turns, "session_2": [{"speaker": "B", "dia_id": "D1:1", "text": "three"}]}
    qa = [{"question": "Which?", "evidence": ["D1:1"]}]
    write(tmp_path / "l.json", [{"sample_id": "a", "conversation": conversation, "qa": qa}] * 2)
    (found,) = read(tmp_path / "l.json")
    assert [corpus.name for corpus in found.corpora] == ["l/a", "l/a#2"]
    exchanges = [one for c in found.corpora for held in c.sessions for one in held.exchanges]
    assert len({one.id for one in exchanges}) == 6
    assert found.corpora[0].asks[0].turns == {exchanges[0].id}


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


def test_which_questions_are_chosen():
    now = datetime(2024, 1, 1, tzinfo=UTC)

    def corpus(name, *queries):
        return Corpus(
            name, (), tuple(Ask(query, frozenset({"s"})) for query in queries), now, {NO_EVIDENCE: 1}
        )

    labelled = LabelledSet(
        "l", (corpus("a", "1", "2", "3"), corpus("b"), corpus("c", "4"), corpus("d", "5")), "", {EMPTY: 2}
    )

    def chosen(*how):
        return [(c.name, [ask.query for ask in asks]) for c, asks in labelled.chosen(*how)]

    assert chosen() == [("a", ["1", "2", "3"]), ("c", ["4"]), ("d", ["5"])]
    assert chosen(1) == [("a", ["2"]), ("c", ["4"])]
    assert chosen(None, 2) == [("a", ["1", "3"])]
    assert chosen(0, 2) == [("a", ["1", "3"])]
    assert chosen(None, 99) == chosen()
    assert labelled.left_out() == {NO_EVIDENCE: 4, EMPTY: 2}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09  am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("29.12.2023, 11:23:21", datetime(2023, 12, 29, 11, 23, 21, tzinfo=UTC)),
        ("March-15-2024", datetime(2024, 3, 15, tzinfo=UTC)),
        ("2024-03-15T10:00:00+02:00", datetime(2024, 3, 15, 8, tzinfo=UTC)),
        ("someday", None),
        ("", None),
        (None, None),
        (2023, None),
    ],
)
def test_times_as_they_are_written(written, told):
    assert time_of(written) == told


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.json", "{not json", "not readable JSON"),
        ("a.json", "[1, 2]", "no known layout"),
        ("a.json", '[{"conversation": {}, "qa": []}]', "ValueError"),
        ("a.json", '[{"haystack_sessions": []}]', "no question of it can be asked"),
    ],
)
def test_what_is_no_labelled_set_is_refused(tmp_path, name, content, why):
    (tmp_path / name).write_text(content)
    with pytest.raises(NotALabelledSet, match=why):
        read(tmp_path / name)


def test_an_absent_place_is_refused(tmp_path):
    with pytest.raises(NotALabelledSet, match="no such"):
        read(tmp_path / "absent")
