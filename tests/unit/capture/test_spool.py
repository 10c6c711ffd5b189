from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from capture import spool
from capture.config import HookConfig, Limits, Queue
from capture.deliver import QUEUE, SPOOL, deliver
from capture.errors import SpoolRefused


def test_a_record_stands_on_lines_of_its_own(tmp_path: Path) -> None:
    home = tmp_path / "home" / "spool"
    spool.append(str(home), b"{1}", 1000)
    spool.append(str(home), b"{2}", 1000)
    assert (home / "current.jsonl").read_bytes() == b"\n{1}\n\n{2}\n"
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "current.jsonl").stat().st_mode & 0o777 == 0o600


def test_the_cap_counts_what_it_refuses(tmp_path: Path) -> None:
    spool.append(str(tmp_path), b"x" * 50, 100)
    (tmp_path / "sealed-1.jsonl").write_bytes(b"y" * 40)
    for _ in range(3):
        with pytest.raises(SpoolRefused, match="holds its limit of 100 bytes"):
            spool.append(str(tmp_path), b"x" * 50, 100)
    assert spool.counted(str(tmp_path), spool.REFUSED) == 3


def test_a_full_disk_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def short(handle: int, data: bytes) -> int:
        return real(handle, data[:3]) if len(data) > 3 else real(handle, data)

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(SpoolRefused, match="a part of the event"):
        spool.append(str(tmp_path), b"{}", 1000)
    assert spool.counted(str(tmp_path), spool.REFUSED) == 1


def test_a_spool_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpoolRefused):
        spool.append(str(tmp_path / "file" / "spool"), b"{}", 1000)


def test_a_file_that_is_being_sealed_is_not_written_to(tmp_path: Path) -> None:
    spool.append(str(tmp_path), b"{1}", 1000)
    current = tmp_path / "current.jsonl"
    with current.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(SpoolRefused, match="locked"):
            spool.append(str(tmp_path), b"{2}", 1000)
        current.rename(tmp_path / "sealed-1.jsonl")
        spool.append(str(tmp_path), b"{3}", 1000)
    assert (tmp_path / "sealed-1.jsonl").read_bytes() == b"\n{1}\n"
    assert current.read_bytes() == b"\n{3}\n"


def test_a_file_renamed_after_it_was_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool.append(str(tmp_path), b"{1}", 1000)
    real, renamed = spool.share, []

    def share(handle: int) -> None:
        real(handle)
        if not renamed:
            renamed.append((tmp_path / "current.jsonl").rename(tmp_path / "sealed-1.jsonl"))
            (tmp_path / "current.jsonl").touch(0o600)

    monkeypatch.setattr(spool, "share", share)
    spool.append(str(tmp_path), b"{2}", 1000)
    assert (tmp_path / "sealed-1.jsonl").read_bytes() == b"\n{1}\n"
    assert (tmp_path / "current.jsonl").read_bytes() == b"\n{2}\n"


class Appended:
    """Stands in for the append to a queue."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[bytes] = []
        monkeypatch.setattr(
            "capture.deliver.append", lambda _queue, _client, line, _seconds: self.lines.append(line)
        )


@pytest.mark.parametrize(
    ("queue", "errand", "full", "where"),
    [
        (Queue(socket="/q"), False, False, QUEUE),
        (Queue(socket="/q"), True, False, SPOOL),
        (Queue(socket="/q"), False, True, SPOOL),
        (Queue(host="far.example.com"), False, False, SPOOL),
        (None, False, False, SPOOL),
    ],
)
def test_where_an_event_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, queue: Queue | None, errand: bool, full: bool, where: str
) -> None:
    appended = Appended(monkeypatch)
    if full:
        (tmp_path / "full").touch()
    config = HookConfig("c", str(tmp_path), queue, limits=Limits())
    assert deliver(b"{}", config, errand) == where
    assert bool(appended.lines) is (where == QUEUE)
    assert (tmp_path / "current.jsonl").exists() is (where == SPOOL)


def test_a_pipe_for_a_spool_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "current.jsonl")
    with pytest.raises(SpoolRefused):
        spool.append(str(tmp_path), b"{}", 1000)
    assert spool.counted(str(tmp_path), spool.REFUSED) == 1


def test_what_a_full_disk_refuses_is_counted_in_room_taken_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool.append(str(tmp_path), b"{}", 10_000)
    assert (tmp_path / "reserve").stat().st_size == 4096
    real = os.write

    def full(handle: int, data: bytes) -> int:
        size = os.fstat(handle).st_size
        appends = fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_APPEND
        if (size if appends else os.lseek(handle, 0, os.SEEK_CUR)) + len(data) > size:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data)

    monkeypatch.setattr(os, "write", full)
    for process in (7, 7, 300, 70_000):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        with pytest.raises(SpoolRefused, match="No space left"):
            spool.append(str(tmp_path), b"{}", 10_000)
        spool.count(str(tmp_path), spool.UNREADABLE)
    assert spool.counted(str(tmp_path), spool.REFUSED) == 4
    assert spool.counted(str(tmp_path), spool.UNREADABLE) == 4
    assert spool.counted(str(tmp_path), spool.TORN) == 0
    assert (tmp_path / "reserve").stat().st_size == 4096


def test_room_taken_in_part_is_taken_whole_and_no_number_in_it_lost(tmp_path: Path) -> None:
    (tmp_path / "reserve").write_bytes(b"\1\0")
    spool.reserve(str(tmp_path))
    spool.reserve(str(tmp_path))
    assert (tmp_path / "reserve").stat().st_size == 4096
    assert spool.counted(str(tmp_path), spool.REFUSED) == 1
