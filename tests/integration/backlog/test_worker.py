"""The backlog's part of a worker: what is due, and what happens while the model is away."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from backlog.classify.offline import OfflineClassifier
from schema.model import ModelUnavailable
from workers import backlog as worker
from workers.stream import connect


class Away:
    """A classifier whose model does not answer."""

    name = "away"

    def classify(self, batch):
        raise ModelUnavailable(why="no answer in time")


@pytest.fixture
def runtime(board, redis_url):
    redis = connect(redis_url)
    yield SimpleNamespace(
        database=board.database,
        redis=redis,
        settings=SimpleNamespace(classify_tokens=5),
        classifier=OfflineClassifier(),
    )
    redis.close()


def test_a_project_is_classified_once_enough_waits_to_be_read(board, runtime):
    board.tell(["P: Bug: no mail"])
    assert worker.due(runtime, board.client) == []
    board.tell(["P: We need webhooks for payment events."])
    assert worker.due(runtime, board.client) == [("backlog.classify", board.project)]
    runtime.settings.classify_tokens = 0
    assert worker.due(runtime, board.client) == []
    assert worker.classify(runtime, board.client, board.project) is False
    assert board.rows("SELECT count(*) FROM drafts WHERE state = 'draft'") == [(2,)]


def test_what_a_distiller_proposed_is_settled(board, runtime):
    board.distil(board.tell(["P: Bug: the reset mail never arrives"]))
    assert worker.due(runtime, board.client)[0] == ("backlog.settle", board.project)
    for _ in range(2):
        worker.settle(runtime, board.client, board.project)
    assert board.rows("SELECT state FROM drafts") == [("draft",)]


def test_a_model_that_is_away_is_left_alone_for_a_while(board, runtime):
    board.tell(["P: We need webhooks for payment events."])
    runtime.classifier = Away()
    with pytest.raises(ModelUnavailable):
        worker.classify(runtime, board.client, board.project)
    assert worker.due(runtime, board.client) == []
    (key,) = runtime.redis.keys("limbeck:*unclassified*")
    assert 0 < runtime.redis.ttl(key) <= worker.PAUSE_S
    runtime.redis.delete(key)
    assert worker.due(runtime, board.client) == [("backlog.classify", board.project)]
