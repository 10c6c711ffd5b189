"""What agents, machines and people do to a hook: it exits with 0, prints nothing, and keeps what can be kept."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import socket
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from capture.config import HookConfig, Limits, Queue, write
from tests.acceptance.hooks.conftest import PYTHON, Hook

SESSION = "3c1d2f40-7a51-4f0e-9d6b-0a1b2c3d4e5f"


def prompt(text: str = "fix it", **more: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "cwd": "/home/u/proj",
        "hook_event_name": "UserPromptSubmit",
        "prompt": text,
        **more,
    }


def tool(response: object = "x", **more: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "cwd": "/home/u/proj",
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": "/home/u/proj/a.py", "content": "x"},
        "tool_response": response,
        "tool_use_id": "toolu_1",
        **more,
    }


def secret() -> str:
    rng = random.Random(17)
    return "gh" + "p_" + "".join(rng.choice(string.ascii_letters + string.digits) for _ in range(36))


def test_twelve_megabytes_are_read_to_the_end(hook: Hook) -> None:
    hook.run("claude", tool({"content": "x" * 12_000_000, "originalFile": "y" * 100}))
    assert hook.events()[0]["body"] == {"tool": "Write", "target": "a.py", "outcome": "ok"}
    assert len(hook.lines()[0]) < 1000


def test_a_writer_that_takes_its_time(hook: Hook) -> None:
    process = hook.start("claude")
    raw = json.dumps(prompt("x" * 100_000)).encode()
    assert process.stdin is not None
    for at in range(0, len(raw), 7000):
        process.stdin.write(raw[at : at + 7000])
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, b"", b"")
    assert hook.events()[0]["body"]["chars"] == 100_000


def test_a_pipe_that_is_never_closed(hook: Hook) -> None:
    process = hook.start("claude")
    assert process.stdin is not None
    process.stdin.write(json.dumps(prompt()).encode())
    assert process.wait(timeout=60) == 0
    assert hook.events()[0]["body"]["text"] == "fix it"
    process.communicate()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"{",
        b'{"hook_event_name":"Stop"',
        b"[1]",
        b'"x"',
        b"\x00\xff\xfe",
        b"{}{}",
        b"[" * 300_000,
    ],
)
def test_garbage_is_counted_and_not_kept(hook: Hook, raw: bytes) -> None:
    for agent in ("claude", "codex", "gemini", "cursor"):
        hook.run(agent, raw)
    assert hook.lines() == []
    assert (hook.spool / "unreadable").stat().st_size == 4


@pytest.mark.parametrize(
    "raw", [b"{}", b'{"hook_event_name":5}', b'{"hook_event_name":"PostToolUse","tool_name":[]}']
)
def test_an_object_that_says_nothing_is_nothing(hook: Hook, raw: bytes) -> None:
    for agent in ("claude", "codex", "gemini", "cursor"):
        hook.run(agent, raw)
    assert hook.lines() == []
    assert not (hook.spool / "unreadable").exists()


@pytest.mark.parametrize("response", ["text", ["a", {"b": 1}], {"a": {"b": []}}, None, 5, True])
def test_an_answer_of_any_type(hook: Hook, response: object) -> None:
    hook.run("claude", tool(response))
    assert hook.events()[0]["body"]["outcome"] == "ok"


def test_signs_that_are_no_characters(hook: Hook) -> None:
    hook.run(
        "claude",
        b'{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"a\\ud800b \xff \\u0000c"}',
    )
    assert hook.events()[0]["body"]["text"] == "a?b \ufffd \x00c"


def test_numbers_that_no_row_can_hold(hook: Hook) -> None:
    hook.run("claude", b'{"hook_event_name":"PostToolUse","tool_name":"Read","duration_ms":1e999}')
    hook.run("claude", b'{"hook_event_name":"PostToolUse","tool_name":"Read","duration_ms":NaN}')
    hook.run(
        "claude", b'{"hook_event_name":"PostToolUse","tool_name":"Read","duration_ms":' + b"9" * 4000 + b"}"
    )
    assert [event["body"] for event in hook.events()] == [{"tool": "Read", "outcome": "ok"}] * 3


def test_a_queue_that_is_down(hook: Hook, tmp_path: Path) -> None:
    for queue in (Queue(socket=str(tmp_path / "nobody")), Queue(host="127.0.0.1", port=1)):
        hook.use(queue)
        hook.run("claude", prompt())
    assert len(hook.lines()) == 2


def test_a_queue_that_never_answers(hook: Hook, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "q"))
        listener.listen(1)
        hook.use(Queue(socket=str(tmp_path / "q")))
        for _ in range(4):
            hook.run("claude", prompt("x" * 30_000))
    assert len(hook.lines()) == 4


def test_a_spool_at_its_limit_refuses_and_counts(hook: Hook) -> None:
    write(hook.home, HookConfig("local", str(hook.spool), limits=Limits(spool_bytes=600)))
    for _ in range(5):
        hook.run("claude", prompt())
    assert len(hook.lines()) == 1
    assert (hook.spool / "refused").stat().st_size == 4


def test_a_full_disk(hook: Hook) -> None:
    hook.spool.mkdir(mode=0o700)
    (hook.spool / "current.jsonl").symlink_to("/dev/full")
    hook.run("claude", prompt())
    assert (hook.spool / "refused").stat().st_size == 1


def test_a_disk_that_takes_a_part(hook: Hook) -> None:
    def few_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    hook.run("claude", prompt())
    hook.run("claude", prompt(), preexec_fn=few_bytes)
    hook.run("claude", prompt())
    assert [event["body"]["text"] for event in hook.events()] == ["fix it"] * 2
    assert (hook.spool / "refused").stat().st_size == 1


def test_a_spool_that_is_a_file(hook: Hook) -> None:
    hook.spool.write_text("")
    hook.run("claude", prompt())


def test_a_working_directory_that_is_gone(hook: Hook, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    starter = [
        sys.executable,
        "-c",
        "import os,sys; os.rmdir(os.getcwd()); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    payload = {key: value for key, value in prompt().items() if key != "cwd"}
    done = subprocess.run(
        [*starter, *hook.command, "claude"],
        input=json.dumps(payload).encode(),
        cwd=gone,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "cwd" not in hook.events()[0]


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (1, 2), (0, 1, 2)])
def test_closed_descriptors(hook: Hook, closed: tuple[int, ...]) -> None:
    script = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    payload = json.dumps(prompt()).encode()
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {script}', "sh", *hook.command, "claude"], input=payload, check=False
    )
    assert done.returncode == 0
    assert len(hook.lines()) == (0 if 0 in closed else 1)


def test_without_a_home_and_with_an_empty_environment(hook: Hook) -> None:
    hook.run("claude", prompt(), env={})
    assert len(hook.lines()) == 1


def test_another_agents_child(hook: Hook) -> None:
    payload = prompt(turn_id="t1", model="gpt-6.2-sol")
    hook.run(
        "codex",
        payload,
        env={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "other", "AI_AGENT": "claude-code"},
    )
    event = hook.events()[0]
    assert (event["agent"], event["session"], event["turn"]) == ("codex", SESSION, "t1")


def test_a_persons_python_variables_and_folders_change_nothing(hook: Hook, tmp_path: Path) -> None:
    for name in ("capture", "hooks", "json", "os"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)")
    hook.run(
        "claude",
        prompt(),
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONHOME": "/x", "PYTHONVERBOSE": "1"},
    )
    assert len(hook.lines()) == 1


def test_the_guard_against_recursion_still_reads_everything(hook: Hook) -> None:
    hook.run("claude", prompt("x" * 1_000_000), env={"LIMBECK_SKIP": "1"})
    assert hook.lines() == []
    hook.run("claude", prompt(), env={"LIMBECK_SKIP": ""})
    assert len(hook.lines()) == 1


@pytest.mark.parametrize(
    "arguments", [(), ("nobody",), ("../claude",), ("lean",), ("git", "unknown"), ("git",)]
)
def test_wrong_arguments_are_silent(hook: Hook, arguments: tuple[str, ...]) -> None:
    process = hook.start(*arguments)
    assert process.communicate(b"{}") == (b"", b"")
    assert process.returncode == 0
    assert hook.lines() == []


def test_a_broken_configuration_keeps_nothing_and_counts(hook: Hook) -> None:
    (hook.home / "hook.json").write_text('{"policy": 5}')
    hook.run("claude", prompt())
    assert hook.lines() == []
    assert (hook.spool / "refused").stat().st_size == 1


def test_no_secret_reaches_the_disk(hook: Hook) -> None:
    for payload in (
        prompt(f"use {secret()} <Private>between us</private>"),
        tool({"stdout": secret()}, tool_name="Bash", tool_input={"command": f"export T={secret()}"}),
        tool(
            secret(),
            session_id=secret(),
            cwd=f"/home/{secret()}",
            tool_use_id=secret(),
            tool_name=f"mcp__{secret()}",
        ),
        prompt(secret(), prompt_id=secret(), agent_id=secret(), agent_type=secret()),
    ):
        hook.run("claude", payload)
    hook.run("claude", json.dumps(prompt(secret()))[:-2].encode())
    written = b"".join(
        path.read_bytes() for path in hook.home.rglob("*") if path.is_file() and path.parent.name != "hooks"
    )
    assert secret()[4:16].encode() not in written
    assert b"between us" not in written
    assert len(hook.lines()) == 4


@pytest.mark.parametrize("name", ["hook.json", "spool/current.jsonl", "hooks/bundle"])
def test_a_pipe_where_a_file_should_be(hook: Hook, name: str) -> None:
    path = hook.home / name
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    hook.run("claude", prompt(), timeout=60)
    if name == "hooks/bundle":
        assert len(hook.lines()) == 1
    else:
        assert (hook.spool / "refused").stat().st_size == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"limits": {"text": 1e400}}',
        '{"limits": {"spool_bytes": NaN}}',
        '{"queue": {"host": "127.0.0.1", "port": 70000}}',
        '{"client": "a\\udc80", "queue": {"socket": "/q"}}',
        '{"spool": "here"}',
    ],
)
def test_a_configuration_that_cannot_be_meant(hook: Hook, tmp_path: Path, text: str) -> None:
    (hook.home / "hook.json").write_text(text)
    hook.run("claude", prompt(), cwd=tmp_path)
    assert (hook.spool / "refused").stat().st_size == 1
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("sign", ["x", "x/", "../"])
def test_a_working_directory_of_twelve_megabytes(hook: Hook, sign: str) -> None:
    hook.run("claude", tool(cwd="/" + sign * (12_000_000 // len(sign))))
    assert len(hook.lines()) == 1
    assert len(hook.lines()[0]) < 5000


def test_files_are_for_their_owner_alone(hook: Hook) -> None:
    hook.run("claude", prompt(), umask=0)
    hook.run("claude", b"{", umask=0)
    assert hook.spool.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in hook.spool.iterdir()} == {0o600}


def test_a_project_that_asks_to_be_left_alone(hook: Hook, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / ".limbeckignore").write_text("# keep out\n*.key\nsubagent:Plan\ntool:WebFetch\n")
    here = {"cwd": str(project)}
    hook.run("claude", tool(**here, tool_input={"file_path": str(project / "x.key")}))
    hook.run("claude", tool(**here, agent_id="a", agent_type="Plan"))
    hook.run("claude", tool(**here, tool_name="WebFetch", tool_input={}))
    assert hook.lines() == []
    hook.run("claude", tool(**here, tool_input={"file_path": str(project / "x.py")}))
    assert hook.events()[0]["body"]["target"] == "x.py"
    (project / ".limbeckignore").write_text("*\n")
    hook.run("claude", prompt(**here))
    assert len(hook.lines()) == 1


def test_eight_at_once_lose_and_tear_nothing(hook: Hook) -> None:
    for turn in range(10):
        running = [hook.start("claude") for _ in range(8)]
        for number, process in enumerate(running):
            assert process.stdin is not None
            process.stdin.write(json.dumps(prompt(f"{turn}-{number} " + "x " * 4000)).encode())
            process.stdin.close()
            process.stdin = None
        for process in running:
            process.communicate()
            assert process.returncode == 0
    events = hook.events()
    assert len({event["id"] for event in events}) == 80
    assert {event["body"]["text"].split()[0] for event in events} == {
        f"{turn}-{n}" for turn in range(10) for n in range(8)
    }


def test_hooks_that_are_killed_anywhere_harm_no_other(hook: Hook) -> None:
    finished = set()
    for number in range(60):
        process = hook.start("claude")
        payload = json.dumps(prompt(f"n{number} " + "word " * 500)).encode()
        assert process.stdin is not None
        process.stdin.write(payload)
        if number % 3 == 0:
            process.send_signal(signal.SIGKILL)
        process.communicate()
        if process.returncode == 0:
            finished.add(f"n{number}")
    texts = {event["body"]["text"].split()[0] for event in hook.events()}
    assert finished <= texts
    assert len(finished) >= 40


def test_an_interpreter_with_its_library_elsewhere_is_still_silent(hook: Hook, tmp_path: Path) -> None:
    moved = tmp_path / "python"
    shutil.copy(PYTHON, moved)
    process = subprocess.run(
        [str(moved), *hook.command[1:], "claude"],
        input=json.dumps(prompt()).encode(),
        capture_output=True,
        check=False,
    )
    assert process.returncode in (0, 1)
    assert process.stdout == b""
    assert os.listdir(tmp_path)
