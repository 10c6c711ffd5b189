"""The stand-ins of a bundle do what the modules they stand for do."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.redact.programs import all_programs
from hooks.bundle import build
from hooks.lean import json as lean_json
from hooks.lean import os as lean_os
from hooks.lean import pack
from hooks.lean import socket as lean_socket

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(values, st.sampled_from(["", " ", "\n\t", "\r\n"]))
def test_json_is_read_alike(value: object, around: str) -> None:
    text = around + json.dumps(value) + around
    assert lean_json.loads(text) == json.loads(text)


@given(values)
def test_json_is_written_alike(value: object) -> None:
    separators = (",", ":")
    assert lean_json.dumps(value, False, separators) == json.dumps(
        value, ensure_ascii=False, separators=separators
    )


@given(st.text(alphabet='{}[]":,0123456789.eE+-truefalsn \\u\n', max_size=30))
def test_json_is_refused_alike(text: str) -> None:
    try:
        wanted: object = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
            lean_json.loads(text)
    else:
        assert lean_json.loads(text) == wanted


def test_os_and_socket_are_the_same_functions() -> None:
    for name in lean_os.__all__:
        if name != "environ":
            assert getattr(lean_os, name) is getattr(os, name)
    for name in lean_socket.__all__:
        if name != "socket":
            assert getattr(lean_socket, name) == getattr(socket, name)
    assert issubclass(socket.socket, lean_socket.socket)


def test_one_variable_is_read() -> None:
    assert lean_os.environ.get("PATH") == os.environ["PATH"]
    assert lean_os.environ.get("LIMBECK_NO_SUCH_VARIABLE") is None


def test_every_pattern_is_stored_as_it_compiles() -> None:
    from _sre import compile as from_code

    for key, source, flags in all_programs():
        stored_flags, code, groups, names, indexes = pack._program(source, flags)
        numbers = memoryview(code).cast("I").tolist()
        made, wanted = (
            from_code(key, stored_flags, numbers, groups, names, indexes),
            re.compile(source, flags),
        )
        assert (made.flags, made.groups, made.groupindex) == (
            wanted.flags,
            wanted.groups,
            wanted.groupindex,
        ), key


def test_an_interpreter_that_is_not_there_leaves_the_stub(tmp_path: Path) -> None:
    built = build(tmp_path, tmp_path / "python")
    assert not built.bundled
    assert "No such file" in built.why
    assert built.command == (
        str(tmp_path / "python"),
        "-I",
        "-S",
        str(tmp_path / "hooks" / "limbeck-hook.py"),
    )
    compile(Path(built.command[3]).read_text("utf-8"), "stub", "exec")


def test_building_twice_is_once_and_for_the_owner_alone(tmp_path: Path) -> None:
    python = Path(os.path.realpath(sys.executable))
    build(tmp_path, python)
    first = {path.name: path.read_bytes() for path in (tmp_path / "hooks").iterdir()}
    build(tmp_path, python)
    assert {path.name: path.read_bytes() for path in (tmp_path / "hooks").iterdir()} == first
    assert set(first) == {"bundle", "limbeck-hook.py"}
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "hooks").iterdir()} == {0o600}
