"""Chats of two people in LoCoMo's layout: who, what and when are found, whatever a question's time says."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from limbeck.bench.labelled import Ask, Corpus
from limbeck.bench.layouts import read
from limbeck.bench.ranking import mean
from limbeck.bench.recall import Timed, Way
from recall.embedding.embedder import Embedder
from recall.embedding.minilm import bundled
from schema.database import Database
from tests.data.recall.chats import chats
from tests.data.recall.indexed import ask, load

FUSED = {"any@1": 70.0, "any@5": 97.0, "any@10": 99.0}
KEYWORD_ONLY = {"any@1": 40.0, "any@5": 95.0, "any@10": 99.0}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Timed(bundled())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Corpus:
    path = tmp_path_factory.mktemp("chats") / "made.json"
    path.write_text(json.dumps(chats(1)), "utf-8")
    (labelled,) = read(path)
    return labelled.corpora[0]


@pytest.fixture(scope="module")
def database(module_database, corpus, embedder) -> Iterator[Database]:
    opened = Database(module_database.app_url)
    load(opened, corpus, embedder)
    yield opened
    opened.close()


def ranked(database, corpus, question: Ask, embedder) -> list[str]:
    way = Way("fused") if embedder else Way("keyword only", embed=False)
    answer = ask(database, corpus, question, way, embedder)
    sessions = (hit.session.removeprefix(f"{corpus.name}/") for hit in (answer.hits if answer else ()))
    return list(dict.fromkeys(sessions))


@pytest.mark.parametrize(("embed", "floors"), [(True, FUSED), (False, KEYWORD_ONLY)])
def test_the_right_session_is_found(database, corpus, embedder, embed, floors):
    using = embedder if embed else None
    found = mean([(ranked(database, corpus, one, using), one.gold) for one in corpus.asks])
    assert all(found[name] >= floor for name, floor in floors.items()), found


def test_a_time_in_a_question_hides_no_answer(database, corpus, embedder):
    timed = [one for one in corpus.asks if " in " in one.query or " on " in one.query]
    assert len(timed) >= 10
    lost = [one.query for one in timed if not one.gold & set(ranked(database, corpus, one, embedder))]
    assert lost == []


def test_a_caption_alone_is_found(database, corpus, embedder):
    shown = [one for one in corpus.asks if "picture" in one.query]
    assert shown
    for one in shown:
        assert one.gold & set(ranked(database, corpus, one, embedder)[:5]), one.query
