"""The queue without a client library: single commands, batches, and errors."""

from __future__ import annotations

import pytest
import redis

from limbeck.services.resp import call, pipeline
from limbeck.ship.errors import QueueUnavailable
from limbeck.ship.sender import SocketSender


def test_replies_are_texts_numbers_or_nothing(redis_socket):
    assert call(redis_socket, "PING") == b"PONG"
    assert call(redis_socket, "SET", "k", "v\r\nw") == b"OK"
    assert call(redis_socket, "GET", "k") == b"v\r\nw"
    assert call(redis_socket, "GET", "none") is None
    assert call(redis_socket, "XLEN", "none") == 0


def test_a_batch_is_answered_in_order(redis_socket):
    assert pipeline(redis_socket, [("INCR", "n")] * 3) == [1, 2, 3]


def test_an_error_reply_and_silence_are_oserrors(redis_socket, tmp_path):
    with pytest.raises(OSError, match="ERR"):
        call(redis_socket, "NONSENSE")
    with pytest.raises(OSError, match="No such file"):
        call(tmp_path / "nowhere", "PING")


def test_the_shipper_appends_whole_batches_in_order(redis_socket):
    sender = SocketSender(redis_socket, "c")
    lines = [f'{{"n":{number},"t":"ü"}}'.encode() for number in range(1200)]
    sender.send(lines)
    with redis.Redis(unix_socket_path=str(redis_socket)) as connection:
        kept = [fields[b"e"] for _, fields in connection.xrange("limbeck:{c}:events")]
        assert kept == lines
        assert connection.smembers("limbeck:clients") == {b"c"}


def test_a_queue_that_is_down_keeps_the_batch_with_the_shipper(tmp_path):
    with pytest.raises(QueueUnavailable):
        SocketSender(tmp_path / "nowhere", "c").send([b"{}"])
