from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.bundle import build
from limbeck.install.command import Command, handler, recognise
from limbeck.install.errors import InterpreterUnusable
from limbeck.install.interpreter import bundle_fits, checked, current, trouble, usable, version
from limbeck.install.places import registration

paths = st.text(st.characters(exclude_characters="\x00\r\n", exclude_categories=["Cs"]), min_size=1)
PLAIN = Command("/usr/bin/python3.11", "/home/u/.local/share/limbeck/hooks/limbeck-hook.py", "claude")
SPACED = Command("/Users/A B/python3", "/Users/A B/it's $HOME/hooks/limbeck-hook.py", "codex")
WINDOWS = Command(
    r"C:\Program Files\Python\python.exe", r"C:\Users\O'Hara\limbeck\hooks\limbeck-hook.py", "codex"
)


def test_a_plain_path_is_written_plainly():
    assert (
        PLAIN.posix() == "/usr/bin/python3.11 -I -S /home/u/.local/share/limbeck/hooks/limbeck-hook.py claude"
    )


def test_the_shell_reads_back_the_parts(tmp_path):
    program = tmp_path / "print args"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    command = Command(str(program), SPACED.stub, "codex")
    done = subprocess.run(["sh", "-c", command.posix()], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == command.parts[1:]


@given(paths, paths)
def test_what_is_written_is_recognised(folder, home):
    command = Command(f"/{folder}/python3", f"/{home}/limbeck-hook.py", "gemini")
    for text in (command.posix(), command.powershell()):
        assert recognise({"type": "command", "command": text}) == command


@pytest.mark.parametrize(
    "entry",
    [
        "text",
        {},
        {"command": 7},
        {"command": "python3 -I -S /x/other.py claude"},
        {"command": "/usr/bin/python3 /x/limbeck-hook.py claude"},
        {"command": "echo limbeck-hook.py"},
        {"command": "unbalanced ' -I -S limbeck-hook.py"},
    ],
)
def test_what_others_wrote_is_not_ours(entry):
    assert recognise(entry) is None


def test_on_windows_claude_gets_arguments_and_no_shell():
    entry = handler(registration("claude"), "Stop", WINDOWS, windows=True)
    assert entry == {
        "type": "command",
        "command": WINDOWS.interpreter,
        "args": WINDOWS.parts[1:],
        "timeout": 5,
    }
    assert recognise(entry) == WINDOWS


def test_on_windows_codex_gets_a_line_for_powershell():
    entry = handler(registration("codex"), "SessionEnd", WINDOWS, windows=True)
    assert entry["commandWindows"] == (
        r"& 'C:\Program Files\Python\python.exe' -I -S 'C:\Users\O''Hara\limbeck\hooks\limbeck-hook.py' codex"
    )
    assert recognise(entry) == WINDOWS
    assert "args" not in entry


def test_a_real_interpreter_is_found_and_asked():
    found = current()
    assert found.is_absolute()
    assert not found.is_symlink()
    assert usable(found)
    assert version(found) >= (3, 11)


def test_shims_and_scripts_are_refused(tmp_path):
    shim = tmp_path / ".pyenv" / "shims" / "python3"
    shim.parent.mkdir(parents=True)
    shim.write_bytes(b"\x7fELF")
    script = tmp_path / "python3"
    script.write_text("#!/bin/sh\nexec python3\n")
    for path in (shim, script):
        path.chmod(0o755)
    assert trouble(shim) == "a shim"
    assert "script" in trouble(script)
    assert trouble(tmp_path / "absent") == "not there"
    with pytest.raises(InterpreterUnusable):
        checked(script)


def test_a_bundle_is_for_the_interpreter_it_names(tmp_path):
    built = build(tmp_path, current())
    bundle = tmp_path / "hooks" / "bundle"
    assert built.bundled
    assert bundle_fits(current(), bundle) is True
    bundle.write_bytes(b"3.9.1 (another)cpython-39" + bundle.read_bytes())
    assert bundle_fits(current(), bundle) is False
    assert bundle_fits(current(), tmp_path / "absent") is False


def test_a_program_that_is_no_python_is_not_usable():
    assert version(checked_tool("true")) is None


def checked_tool(name):
    import shutil
    from pathlib import Path

    return Path(str(shutil.which(name)))
