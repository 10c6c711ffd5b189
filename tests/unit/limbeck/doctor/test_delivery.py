from __future__ import annotations

import socket
import threading

import pytest

from capture.config import HookConfig, Queue
from capture.policy import Policy
from limbeck.doctor import delivery
from limbeck.doctor.finding import Level
from limbeck.ship.files import Backlog

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("waiting", "level"),
    [
        (Backlog(), Level.OK),
        (Backlog(bytes=10, oldest_seconds=1.0), Level.OK),
        (Backlog(bytes=10, oldest_seconds=301.0), Level.BROKEN),
        (Backlog(bytes=6 * MIB, oldest_seconds=1.0), Level.WARNING),
        (Backlog(refused=1), Level.WARNING),
        (Backlog(torn=1, torn_bytes=40), Level.WARNING),
        (Backlog(torn_bytes=40), Level.WARNING),
        (Backlog(aside=2), Level.WARNING),
        (Backlog(full=True), Level.WARNING),
    ],
)
def test_a_spool_is_judged(waiting, level):
    findings = delivery.spooled(waiting, 10 * MIB)
    assert [finding.level for finding in findings] == [level]
    assert bool(findings[0].do) == (level is not Level.OK)


def serve(listener, answer):
    connection, _ = listener.accept()
    connection.recv(64)
    connection.sendall(answer)
    connection.close()


@pytest.mark.parametrize(
    ("answer", "level"),
    [
        (b"+PONG\r\n", Level.OK),
        (b"-NOAUTH no\r\n", Level.OK),
        (b"HTTP/1.1 400\r\n", Level.BROKEN),
        (b"", Level.BROKEN),
    ],
)
def test_a_queue_that_answers(answer, level):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener, answer))
        thread.start()
        findings = delivery.queue_answers(Queue(host="127.0.0.1", port=listener.getsockname()[1]), told=True)
        thread.join()
    assert [finding.level for finding in findings] == [level]


def test_a_queue_that_is_not_there(tmp_path):
    findings = delivery.queue_answers(Queue(socket=str(tmp_path / "no")), told=True)
    assert [finding.level for finding in findings] == [Level.BROKEN]
    assert "limbeck up" in findings[0].do


@pytest.mark.parametrize(("told", "level"), [(False, Level.BROKEN), (True, Level.WARNING)])
def test_hooks_that_know_no_queue(told, level):
    assert [finding.level for finding in delivery.queue_answers(None, told=told)] == [level]


def test_a_project_left_out_is_said(tmp_path):
    config = HookConfig("local", "/s", policy=Policy(projects=[str(tmp_path)]))
    assert len(delivery.policy_leaves_out(config, tmp_path)) == 1
    assert delivery.policy_leaves_out(HookConfig("local", "/s"), tmp_path) == []


def test_root_is_told_who_owns_the_servers(tmp_path):
    assert "nobody" in delivery.account("nobody", tmp_path)[0].what
    assert delivery.account(None, tmp_path) == []
