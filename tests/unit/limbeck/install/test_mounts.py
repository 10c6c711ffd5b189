from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbeck.install import agents, mounts
from limbeck.install.command import Command
from limbeck.install.errors import SettingsInvalid, SettingsShape
from limbeck.install.jsonservers import JsonServers
from limbeck.install.places import Scope, registration
from limbeck.install.tomlservers import TomlServers

SERVER = {
    "command": "/opt/python/bin/python3.11",
    "args": ["-I", "-S", "/home/u/limbeck/hooks/limbeck-mcp.py"],
}
AGENTS = ["claude", "codex", "gemini", "cursor"]
USER_FILES = {
    "claude": ".claude.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/mcp.json",
}


class Machine:
    """A user's home and a limbeck home, and mounting for one agent there."""

    def __init__(self, folder: Path, agent: str, project: bool = False) -> None:
        self.entry = registration(agent)
        work = folder / "work"
        work.mkdir()
        self.scope = Scope(folder / "user", {}, work if project else None)
        self.home = folder / "limbeck"
        self.file = folder / "user" / USER_FILES[agent]

    def write(self, text: str) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(text.encode())

    def read(self) -> str:
        return self.file.read_bytes().decode()

    def servers(self) -> dict[str, Any]:
        if self.file.suffix == ".toml":
            return tomllib.loads(self.read())["mcp_servers"]
        return json.loads(self.read())["mcpServers"]

    def mount(self, server: dict[str, Any] = SERVER) -> bool:
        done = mounts.mount(self.entry, self.scope, self.home, server)
        assert done is not None
        return done.changed

    def unmount(self) -> bool:
        return mounts.unmount(self.entry, self.scope, self.home) is not None


@pytest.fixture(params=AGENTS)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    return Machine(tmp_path, request.param)


def test_a_file_that_was_not_there_holds_our_server_and_goes_again(machine: Machine) -> None:
    assert machine.mount()
    assert machine.servers() == {"limbeck": SERVER}
    assert machine.unmount()
    assert not machine.file.exists()


def test_twice_is_once(machine: Machine) -> None:
    machine.mount()
    before = machine.read()
    assert not machine.mount()
    assert machine.read() == before


def test_a_stale_entry_of_our_name_is_replaced(machine: Machine) -> None:
    machine.mount({"command": "/gone/python", "args": []})
    assert machine.mount()
    assert machine.servers() == {"limbeck": SERVER}
    machine.unmount()
    assert not machine.file.exists()


def test_unmounting_where_nothing_is_mounted_changes_nothing(machine: Machine) -> None:
    assert not machine.unmount()


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        '{"mcpServers": {}}',
        '{\n  "mcpServers": {\n  }\n}\n',
        '{\n  "numStartups": 4,\n  "mcpServers": {\n    "other": {"command": "x"}\n  },\n  "z": [1]\n}\n',
        '{"a": 1}',
        '{\r\n\t"a": {"b": "\\u00e9 ü"}\r\n}\r\n',
        "  \n",
    ],
)
@pytest.mark.parametrize("agent", ["claude", "gemini", "cursor"])
def test_a_json_file_comes_back_byte_for_byte(tmp_path: Path, agent: str, text: str) -> None:
    machine = Machine(tmp_path, agent)
    machine.write(text)
    machine.mount()
    assert machine.servers()["limbeck"] == SERVER
    machine.unmount()
    assert machine.read() == text


@pytest.mark.parametrize(
    "text",
    [
        'model = "o9"\n',
        'model = "o9" # no newline at the end',
        '# mine\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "dark"\n',
        'a = 1\r\n[b]\r\nc = "d"\r\n',
    ],
)
def test_a_toml_file_comes_back_byte_for_byte(tmp_path: Path, text: str) -> None:
    machine = Machine(tmp_path, "codex")
    machine.write(text)
    machine.mount()
    assert machine.servers()["limbeck"] == SERVER
    machine.unmount()
    assert machine.read() == text


def test_a_table_of_our_name_that_somebody_wrote_is_replaced(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "codex")
    machine.write(
        '[mcp_servers.limbeck]\ncommand = "old"\n[mcp_servers.limbeck.env]\nK = "V"\n[tui]\nx = 1\n'
    )
    machine.mount()
    assert tomllib.loads(machine.read()) == {"mcp_servers": {"limbeck": SERVER}, "tui": {"x": 1}}


def test_servers_in_an_inline_table_are_left_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "codex")
    machine.write('mcp_servers = {other = {command = "x"}}\n')
    with pytest.raises(SettingsShape):
        machine.mount()
    assert machine.read() == 'mcp_servers = {other = {command = "x"}}\n'


def test_a_broken_file_is_left_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "claude")
    machine.write('{"mcpServers": [}')
    with pytest.raises(SettingsInvalid):
        machine.mount()
    assert machine.read() == '{"mcpServers": [}'


def test_claude_lists_a_projects_server_under_its_path(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "claude", project=True)
    machine.write('{"projects": {"/other": {"x": 1}}}\n')
    machine.mount()
    assert json.loads(machine.read())["projects"] == {
        "/other": {"x": 1},
        str(tmp_path / "work"): {"mcpServers": {"limbeck": SERVER}},
    }
    machine.unmount()
    assert machine.read() == '{"projects": {"/other": {"x": 1}}}\n'


def test_claudes_moved_folder_holds_its_list_too(tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    scope = Scope(tmp_path / "user", {"CLAUDE_CONFIG_DIR": str(moved)})
    mounts.mount(registration("claude"), scope, tmp_path / "limbeck", SERVER)
    assert json.loads((moved / ".claude.json").read_text())["mcpServers"] == {"limbeck": SERVER}


@pytest.mark.parametrize("order", [("hooks", "tools"), ("tools", "hooks")])
def test_hooks_and_tools_in_one_file_do_not_mind_each_other(tmp_path: Path, order: tuple[str, str]) -> None:
    machine = Machine(tmp_path, "gemini")
    machine.write('{\n  "theme": "x"\n}\n')
    command = Command("/opt/python", "/home/u/limbeck/hooks/limbeck-hook.py", "gemini")
    agents.install(machine.entry, machine.scope, machine.home, command, windows=False)
    machine.mount()
    for part in order:
        if part == "hooks":
            agents.uninstall(machine.entry, machine.scope, machine.home)
        else:
            machine.unmount()
    assert machine.read() == '{\n  "theme": "x"\n}\n'


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), st.sampled_from([None, 2, "\t"]))
def test_any_json_object_comes_back(values: dict[str, Any], indent: int | str | None) -> None:
    values.pop("mcpServers", None)
    text = json.dumps(values, indent=indent)
    editor = JsonServers("x", text, ("mcpServers",), "limbeck")
    trace = editor.add(SERVER)
    assert json.loads(editor.text) == values | {"mcpServers": {"limbeck": SERVER}}
    editor.remove(trace)
    assert editor.text == text


@given(st.dictionaries(st.from_regex(r"[a-z]{1,6}", fullmatch=True), st.integers(0, 9), max_size=4))
def test_any_toml_table_comes_back(values: dict[str, int]) -> None:
    text = "".join(f"{key} = {value}\n" for key, value in values.items() if key != "mcp_servers")
    editor = TomlServers("x", text, "mcp_servers", "limbeck")
    trace = editor.add(SERVER)
    assert tomllib.loads(editor.text)["mcp_servers"] == {"limbeck": SERVER}
    editor.remove(trace)
    assert editor.text == text
