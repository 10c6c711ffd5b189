"""Emptying the spool: in order, at least once, whatever is torn, late or down."""

from __future__ import annotations

import fcntl
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from capture import spool as writer
from capture.config import HookConfig, write
from limbeck.ship import errands, files, loop
from limbeck.ship.errors import AnotherShipper, HookConfigUnusable, NoQueue, QueueUnavailable
from limbeck.ship.sender import MemorySender, url_of
from limbeck.ship.shipping import BATCH, ship

MUCH = 10_000_000


def event(number: int, **more: Any) -> dict[str, Any]:
    return {
        "v": 1,
        "id": f"01a22c70-1f99-7567-93c4-{number:012d}",
        "at": 1_796_000_000_000 + number,
        "agent": "claude",
        "origin": "hook",
        "kind": "reply",
        "body": {},
        **more,
    }


def put(spool: Path, *numbers: int, **more: Any) -> None:
    for number in numbers:
        writer.append(str(spool), json.dumps(event(number, **more)).encode(), MUCH)


def ids(sender: MemorySender) -> list[int]:
    return [int(json.loads(line)["id"][-12:]) for line in sender.sent]


def test_events_go_in_order_and_their_file_goes_after(tmp_path: Path) -> None:
    sender = MemorySender()
    put(tmp_path, *range(BATCH * 2 + 3))
    assert ship(tmp_path, sender).sent == BATCH * 2 + 3
    assert ids(sender) == list(range(BATCH * 2 + 3))
    assert files.sealed(tmp_path) == []
    assert ship(tmp_path, sender).sent == 0


def test_a_queue_that_fails_keeps_the_file_and_gets_it_again(tmp_path: Path) -> None:
    sender = MemorySender()
    put(tmp_path, 1, 2)
    sender.failing = True
    with pytest.raises(QueueUnavailable):
        ship(tmp_path, sender)
    put(tmp_path, 3)
    sender.failing = False
    ship(tmp_path, sender)
    ship(tmp_path, sender)
    assert ids(sender) == [1, 2, 3]


def test_a_shipper_that_died_between_two_batches_sends_all_again(tmp_path: Path) -> None:
    class Dies(MemorySender):
        def send(self, lines: Any) -> None:
            if self.sent:
                raise KeyboardInterrupt
            super().send(lines)

    put(tmp_path, *range(BATCH + 1))
    first, second = Dies(), MemorySender()
    with pytest.raises(KeyboardInterrupt):
        ship(tmp_path, first)
    ship(tmp_path, second)
    assert ids(second) == list(range(BATCH + 1))


@pytest.mark.parametrize("length", [1, 30, 120])
def test_a_torn_line_harms_no_other(tmp_path: Path, length: int) -> None:
    sender = MemorySender()
    put(tmp_path, 1)
    with (tmp_path / "current.jsonl").open("ab") as file:
        file.write(b"\n" + json.dumps(event(2)).encode()[:length])
    put(tmp_path, 3)
    assert ship(tmp_path, sender).torn == 1
    assert ids(sender) == [1, 3]
    assert (tmp_path / "torn.jsonl").read_bytes() == json.dumps(event(2)).encode()[:length].strip() + b"\n"


def test_a_file_somebody_still_writes_to_waits(tmp_path: Path) -> None:
    sender = MemorySender()
    put(tmp_path, 1)
    with (tmp_path / "current.jsonl").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert ship(tmp_path, sender).sent == 0
        put(tmp_path, 2)
        assert ship(tmp_path, sender).sent == 0
    assert ship(tmp_path, sender).sent == 1
    assert ship(tmp_path, sender).sent == 1
    assert ids(sender) == [1, 2]


def test_many_writers_and_a_shipper_lose_nothing(tmp_path: Path) -> None:
    sender = MemorySender()
    threads = [
        threading.Thread(target=put, args=(tmp_path, *range(start, start + 100)))
        for start in range(0, 800, 100)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ship(tmp_path, sender)
    ship(tmp_path, sender)
    ship(tmp_path, sender)
    assert sorted(ids(sender)) == list(range(800))


def test_an_errand_is_put_by_and_the_rest_of_it_goes_on(tmp_path: Path) -> None:
    sender = MemorySender()
    put(tmp_path, 1, needs="rollout", transcript="/nowhere.jsonl")
    put(tmp_path, 2, needs="commit", kind="commit")
    put(tmp_path, 3)
    assert ship(tmp_path, sender).put_by == 2
    assert ids(sender) == [1, 3]
    assert "transcript" not in json.loads(sender.sent[0])
    assert len(errands.waiting(tmp_path)) == 2


def test_errands_of_what_is_gone_are_done_all_the_same(tmp_path: Path) -> None:
    sender = MemorySender()
    config = HookConfig("local", str(tmp_path))
    errands.put_by(
        tmp_path, event(1, needs="commit", kind="commit", project={"common": str(tmp_path / "no")})
    )
    errands.put_by(tmp_path, event(2, needs="rollout", transcript=str(tmp_path / "no.jsonl")))
    early = 1_796_000_000.1
    first, second = errands.waiting(tmp_path)
    assert errands.run(first, config, sender, lambda: early)
    assert not errands.run(second, config, sender, lambda: early)
    assert errands.run(second, config, sender, lambda: early + 10)
    assert [json.loads(line)["kind"] for line in sender.sent] == ["commit"]
    assert "needs" not in json.loads(sender.sent[0])
    assert errands.waiting(tmp_path) == []


def test_an_errand_waits_for_a_queue_that_is_down(tmp_path: Path) -> None:
    sender = MemorySender()
    sender.failing = True
    errands.put_by(tmp_path, event(1, needs="commit", kind="commit"))
    with pytest.raises(QueueUnavailable):
        errands.run(errands.waiting(tmp_path)[0], HookConfig("local", str(tmp_path)), sender)
    assert len(errands.waiting(tmp_path)) == 1


def test_derived_ids_are_ids_and_the_same_each_time() -> None:
    one = errands.derived("01a22c70-1f99-7567-93c4-7a5761d3dbe3", "outcomes0")
    assert one == errands.derived("01a22c70-1f99-7567-93c4-7a5761d3dbe3", "outcomes0")
    assert one.startswith("01a22c70-1f99-7")
    assert len(one) == 36
    assert one != errands.derived("01a22c70-1f99-7567-93c4-7a5761d3dbe3", "outcomes1")


def test_the_backlog_is_told(tmp_path: Path) -> None:
    assert files.backlog(tmp_path, 1.0).oldest_seconds is None
    put(tmp_path, 0)
    writer.count(str(tmp_path), writer.REFUSED)
    errands.put_by(tmp_path, event(5))
    told = files.backlog(tmp_path, 1_796_000_010.0)
    assert (told.files, told.errands, told.refused, told.oldest_seconds) == (1, 1, 1, 10.0)
    assert told.bytes > 100


def test_one_shipper_at_a_time(tmp_path: Path) -> None:
    with loop.lock(tmp_path), pytest.raises(AnotherShipper, match="already empties"):
        loop.lock(tmp_path)
    with loop.lock(tmp_path):
        pass


def test_without_a_queue_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoQueue, match="limbeck up"):
        loop.drain(tmp_path)
    (tmp_path / "hook.json").write_text("{")
    with pytest.raises(HookConfigUnusable, match="not JSON"):
        loop.drain(tmp_path)


def test_the_loop_waits_for_a_queue_and_stops_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, HookConfig("local", str(tmp_path / "spool")))
    sender = MemorySender()
    sender.failing = True
    monkeypatch.setattr(loop, "sender_for", lambda _config, _url, _token: sender)
    put(tmp_path / "spool", 1)
    waits: list[float] = []

    class Stop:
        def is_set(self) -> bool:
            return len(waits) == 4

        def wait(self, timeout: float) -> bool:
            waits.append(timeout)
            sender.failing = len(waits) < 2
            return False

    loop.run(tmp_path, Stop())
    assert waits == [0.4, 0.8, 0.2, 0.2]
    assert ids(sender) == [1]


def test_addresses_become_urls() -> None:
    from capture.config import Queue

    assert url_of(Queue(socket="/run/a b/q")) == "unix:///run/a%20b/q"
    assert url_of(Queue(host="::1", port=5, user="u", password="p@w")) == "redis://u:p%40w@[::1]:5"
    assert url_of(Queue(host="h", tls=True)) == "rediss://h:6379"


def hostile(tmp_path: Path) -> list[str]:
    os.mkfifo(tmp_path / "pipe")
    return ["/dev/zero", str(tmp_path / "pipe"), "/tmp/a\0b", str(tmp_path), "/tmp/\udc80", "/proc/kmsg"]


def test_no_transcript_holds_up_the_shipper(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    write(tmp_path, HookConfig("local", str(spool)))
    for number, path in enumerate(hostile(tmp_path)):
        put(spool, number, needs="rollout", transcript=path)
    sender = MemorySender()
    loop.look(spool, tmp_path, sender)
    assert ids(sender) == list(range(6))
    assert errands.waiting(spool) == []


def test_an_errand_that_fails_in_any_way_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = tmp_path / "spool"
    write(tmp_path, HookConfig("local", str(spool)))
    put(spool, 1, 2, needs="rollout", transcript="/nowhere")
    put(spool, 3, needs="commit", kind="commit", project={"common": str(tmp_path)})
    sender = MemorySender()

    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("limbeck.ship.rollouts.read", broken)
    monkeypatch.setattr("limbeck.ship.commits.complete", broken)
    assert loop.look(spool, tmp_path, sender) == 3
    assert ids(sender) == [1, 2, 3]
    assert errands.waiting(spool) == []
    assert files.backlog(spool, 0.0).aside == 2


def test_an_errand_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    write(tmp_path, HookConfig("local", str(tmp_path)))
    (tmp_path / "errands").mkdir()
    os.mkfifo(tmp_path / "errands" / "1.json")
    (tmp_path / "errands" / "2.json").write_bytes(b"\xff")
    loop.look(tmp_path, tmp_path, MemorySender())
    assert files.backlog(tmp_path, 0.0).aside == 2


@pytest.mark.parametrize(
    "change", [{"needs": "x" * 300_000}, {"id": ""}, {"id": "é" * 90}, {"needs": 5}, {"needs": []}]
)
def test_a_line_that_is_no_errand_harms_no_other(tmp_path: Path, change: dict[str, Any]) -> None:
    sender = MemorySender()
    put(tmp_path, 1)
    put(tmp_path, 2, **{"needs": "rollout", **change})
    put(tmp_path, 3)
    assert ship(tmp_path, sender).torn == 1
    assert ids(sender) == [1, 3]
    assert files.backlog(tmp_path, 0.0).torn == 1


def test_a_pipe_in_the_spool_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sealed-0.jsonl")
    os.mkfifo(tmp_path / "other")
    sender = MemorySender()
    put(tmp_path, 1)
    ship(tmp_path, sender)
    assert ids(sender) == [1]


def test_the_shipper_outlives_whatever_it_meets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, HookConfig("local", str(tmp_path / "spool")))
    monkeypatch.setattr(loop, "sender_for", lambda _config, _url, _token: MemorySender())
    met = iter([ZeroDivisionError(), RecursionError(), UnicodeDecodeError("utf-8", b"", 0, 1, "x")])

    def look(*_arguments: object) -> int:
        raise next(met)

    monkeypatch.setattr(loop, "look", look)
    waits: list[float] = []

    class Stop:
        def is_set(self) -> bool:
            return len(waits) == 3

        def wait(self, timeout: float) -> bool:
            waits.append(timeout)
            return False

    loop.run(tmp_path, Stop())
    assert waits == [0.4, 0.8, 1.6]
