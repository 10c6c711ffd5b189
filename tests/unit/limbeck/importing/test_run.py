"""An import sends once, resumes, and says what it skipped."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from capture.config import HookConfig
from capture.envelope import decode
from limbeck.commands.import_ import passed_over
from limbeck.errors import NotATranscript, NothingToImport
from limbeck.importing.files import found
from limbeck.importing.run import Done, run
from limbeck.ship.errors import QueueUnavailable
from limbeck.ship.sender import MemorySender

from .test_claude import T0, Transcript


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "projects" / "-home-u-proj"
    inside.mkdir(parents=True)
    made = Transcript().prompt("one", promptId="p1").says("done").prompt("two", promptId="p2")
    lines = [*made.lines[:2], b'{"broken\n', *made.lines[2:]]
    (inside / "s1.jsonl").write_bytes(b"".join(lines))
    (inside / "notes.jsonl").write_text("[1]\n")
    os.utime(inside / "s1.jsonl", (1_700_000_000, 1_700_000_000))
    return tmp_path


def sent(sender: MemorySender) -> list[tuple[str, str | None]]:
    envelopes = [decode(line) for line in sender.sent]
    assert {one["origin"] for one in envelopes} == {"import"}
    return [(str(one["kind"]), one["body"].get("text")) for one in envelopes]


def test_a_folder_is_imported_once_and_the_broken_line_is_named(folder: Path):
    transcripts = found([folder / "projects"])
    config = HookConfig("local", str(folder / "spool"))
    sender, record = MemorySender(), folder / "done.json"
    came_to = run(transcripts, config, sender, Done.load(record))
    assert sent(sender) == [("prompt", "one"), ("reply", "done"), ("prompt", "two"), ("session.end", None)]
    assert came_to.broken == [(str(folder / "projects" / "-home-u-proj" / "s1.jsonl"), 3)]
    again = run(transcripts, config, sender, Done.load(record))
    assert (again.files, again.unchanged, again.events, len(sender.sent)) == (0, 1, 0, 4)


def test_the_same_ids_are_sent_when_it_is_read_again(folder: Path):
    transcripts = found([folder / "projects"])
    config = HookConfig("local", str(folder / "spool"))
    first, second = MemorySender(), MemorySender()
    for sender in (first, second):
        run(transcripts, config, sender, Done(folder / "done.json"))
    assert first.sent == second.sent


def test_a_session_still_at_work_is_not_ended(folder: Path):
    path = folder / "projects" / "-home-u-proj" / "s1.jsonl"
    sender = MemorySender()
    soon = T0 / 1000 + 60
    run(found([path]), HookConfig("local", ""), sender, Done(folder / "d.json"), clock=lambda: soon)
    assert "session.end" not in {kind for kind, _ in sent(sender)}


def test_a_queue_that_is_away_leaves_the_file_for_the_next_time(folder: Path):
    transcripts = found([folder / "projects"])
    config = HookConfig("local", "")
    sender, done = MemorySender(), Done(folder / "done.json")
    sender.failing = True
    with pytest.raises(QueueUnavailable):
        run(transcripts, config, sender, done)
    sender.failing = False
    assert run(transcripts, config, sender, Done.load(folder / "done.json")).files == 1


def test_what_is_passed_over_is_said_with_the_reason(folder: Path):
    inside = folder / "projects" / "-home-u-proj"
    (inside / "empty.jsonl").touch()
    (inside / "more.jsonl").write_text('{"hello": "world"}\n')
    for number in range(4):
        (inside / f"{number}.txt").write_text("hello")
    (inside / "away.jsonl").symlink_to("/etc/passwd")
    skipped = []
    assert [one.path.name for one in found([folder / "projects"], skipped.append)] == ["s1.jsonl"]
    assert {one.path.name: one.why for one in skipped} == {
        "empty.jsonl": "empty",
        "notes.jsonl": "no record of Claude Code or Codex in its first lines",
        "more.jsonl": "no record of Claude Code or Codex in its first lines",
        **{f"{number}.txt": "not a .jsonl file" for number in range(4)},
        "away.jsonl": f"a symbolic link leads out of {folder / 'projects'}; name its target itself to read it",
    }
    told = list(passed_over(skipped))
    assert f"skipped 1 file, empty: {inside / 'empty.jsonl'}" in told
    assert f"skipped 4 files, not a .jsonl file: {inside}/0.txt, {inside}/1.txt, {inside}/2.txt, ..." in told
    assert len(told) == 4


def test_what_is_no_transcript_is_refused_with_a_sentence(folder: Path):
    other = folder / "other.jsonl"
    other.write_text(json.dumps({"hello": "world"}) + "\n")
    with pytest.raises(NotATranscript, match="is not a transcript"):
        found([other])
    with pytest.raises(NothingToImport, match="not there"):
        found([folder / "missing"])
    (folder / "empty").mkdir()
    with pytest.raises(NothingToImport, match="no transcript"):
        found([folder / "empty"])


def test_a_secret_in_an_old_transcript_does_not_leave(folder: Path):
    token = "gh" + "p_" + os.urandom(27).hex()[:36]
    path = folder / "projects" / "-home-u-proj" / "s2.jsonl"
    path.write_bytes(b"".join(Transcript().prompt(f"use {token} to push").says(f"used {token}").lines))
    sender = MemorySender()
    run(found([path]), HookConfig("local", ""), sender, Done(folder / "d.json"))
    assert len(sender.sent) == 3
    assert not any(token.encode() in line for line in sender.sent)


def test_a_pipe_is_never_waited_for(folder: Path) -> None:
    pipe = folder / "x.jsonl"
    os.mkfifo(pipe)
    os.mkfifo(folder / "projects" / "-home-u-proj" / "s1.meta.json")
    assert [one.path.name for one in found([folder])] == ["s1.jsonl"]
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(NothingToImport, match="a pipe or a device"):
            found([path])
