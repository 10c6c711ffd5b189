from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from capture.config import HookConfig, Limits, Queue, read, write
from capture.errors import BadHookConfig
from capture.policy import Policy


def test_what_is_written_is_read(tmp_path: Path) -> None:
    config = HookConfig(
        "team",
        str(tmp_path / "spool"),
        Queue(host="127.0.0.1", port=6400, user="u", password="p"),
        Policy(["*.key"], ["Read"], ["/x"], ["Explore"]),
        Limits(text=100, spool_bytes=5, queue_seconds=0.5, fsync=True),
    )
    write(tmp_path, config)
    found = read(str(tmp_path))
    assert (tmp_path / "hook.json").stat().st_mode & 0o777 == 0o600
    assert (found.client, found.spool) == ("team", str(tmp_path / "spool"))
    for one, other in (
        (found.queue, config.queue),
        (found.policy, config.policy),
        (found.limits, config.limits),
    ):
        assert {key: getattr(one, key) for key in type(one).__slots__} == {
            key: getattr(other, key) for key in type(other).__slots__
        }


def test_without_a_file_everything_goes_to_the_spool(tmp_path: Path) -> None:
    config = read(str(tmp_path))
    assert (config.client, config.queue, config.spool) == ("local", None, f"{tmp_path}/spool")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ('{"client": 5}', "client is not a string"),
        ('{"queue": "x"}', "queue is not an object"),
        ('{"queue": {"host": "h", "port": "x"}}', "queue.port is not a number"),
        ('{"policy": {"paths": "x"}}', "policy.paths is not a list of strings"),
        ('{"limits": {"text": 1e400}}', "limits.text is not a number"),
        ('{"limits": {"text": NaN}}', "limits.text is not a number"),
        ('{"limits": {"queue_seconds": Infinity}}', "limits.queue_seconds is not a number"),
        ('{"limits": {"spool_bytes": 1' + "0" * 400 + "}}", "limits.spool_bytes is not a number"),
        ('{"queue": {"host": "h", "port": 65536}}', "queue.port is not a number"),
        ('{"client": "a\\u0000b"}', "client is not a string of characters"),
        ('{"queue": {"socket": "/a\\udc80"}}', "queue.socket is not a string of characters"),
        ('{"queue": {"socket": "q"}}', "queue.socket is not an absolute path"),
        ('{"spool": "a/b"}', "spool is not an absolute path"),
        ('{"policy": {"paths": ["a\\ud800"]}}', "policy.paths is not a list of strings"),
        ('{"limits": {"text": -1}}', "limits.text is not a number of 0 or more"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "hook.json").write_text(text)
    with pytest.raises(BadHookConfig, match=why):
        read(str(tmp_path))


def test_unknown_keys_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "hook.json").write_text(json.dumps({"client": "c", "later": {}, "limits": {"later": 1}}))
    assert read(str(tmp_path)).client == "c"


@pytest.mark.parametrize(
    ("queue", "local"),
    [
        (Queue(socket="/run/q"), True),
        (Queue(host="127.0.0.1"), True),
        (Queue(host="localhost"), True),
        (Queue(host="::1"), True),
        (Queue(host="127.0.0.1", tls=True), False),
        (Queue(host="queue.example.com"), False),
    ],
)
def test_only_this_machine_is_local(queue: Queue, local: bool) -> None:
    assert queue.local is local


def test_a_pipe_for_a_configuration_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "hook.json")
    with pytest.raises(BadHookConfig, match="not a regular file"):
        read(str(tmp_path))
