"""In and out again over files that a person wrote: all or nothing, and afterwards every byte as it was."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limbeck.main import main

JSON_AGENTS = ["claude", "gemini", "cursor"]
AGENTS = ["claude", "codex", "gemini", "cursor"]
HOOKS = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
}
TOOLS = {
    "claude": ".claude.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/mcp.json",
}
GROUPS = """{
  "description": "mine \\u00e9 é",
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}
    ],
    "PostToolUse": [ {"matcher":"Bash","hooks":[{"type":"command","command":"log"}]} ]
  }
}"""
SERVERS = """{"numStartups": 12,
\t"mcpServers": {"other": {"command": "x", "env": {"TOKEN": "${T}"}}, "third": {"url": "http://127.0.0.1:1"}},
\t"projects": {"/w": {"mcpServers": {}}}}
"""
HAND_WRITTEN = {
    ".claude/settings.json": GROUPS.replace(
        '"description": "mine \\u00e9 é"', '"permissions": {"deny": ["Read(.env)"]}'
    ),
    ".claude.json": SERVERS,
    ".codex/hooks.json": GROUPS,
    ".codex/config.toml": '# mine\nmodel = "m" # why\n\n[mcp_servers.other]\ncommand = "x"\n\n[features]\nz = true',
    ".gemini/settings.json": '{\n  // theme\n  "ui": {"theme": "x"}, /* why */\n  "mcpServers":'
    ' {"other": {"command": "x"}},\n'
    '  "hooks": {"AfterTool": [{"hooks": [{"name": "mine", "type": "command", "command": "log"}]}]}\n}\n',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "say done"}]}}\n',
    ".cursor/mcp.json": SERVERS,
}


@pytest.fixture
def user():
    """The home of somebody who uses every agent and wrote their settings by hand."""
    home = Path(os.environ["HOME"])
    write(home, HAND_WRITTEN)
    return home


class Cli:
    """``limbeck`` in this process, for the person whose HOME this is."""

    def __init__(self, capsys):
        self.capsys = capsys

    def __call__(self, *words):
        """Run a command; returns its exit code and both outputs."""
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        said = self.capsys.readouterr()
        return left.value.code or 0, said.out, said.err

    def ok(self, *words):
        """Run a command that must succeed."""
        code, output, errors = self(*words)
        assert code == 0, (words, output, errors)
        return output


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "limbeck"))
    # What the commands point at is another test's; building it takes a second.
    stub = str(tmp_path / "limbeck/hooks/limbeck-hook.py")
    monkeypatch.setattr("limbeck.commands.install.refresh", lambda _home: ("/opt/python3.11", stub))
    return Cli(capsys)


def write(home, texts):
    for name, text in texts.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def contents(home):
    """Every file below ``home`` with its bytes and mode; a link with what it names."""
    found = {}
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = (path.read_bytes(), path.stat().st_mode & 0o777)
    return found


@pytest.mark.parametrize(
    "form",
    [
        str,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("  ", "\t"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
    ],
    ids=["as written", "CRLF", "tabs", "no newline at the end", "two at the end"],
)
def test_hand_written_settings_come_back_byte_for_byte(cli, user, form):
    write(user, {name: form(text) for name, text in HAND_WRITTEN.items()})
    before = contents(user)
    cli.ok("install", *AGENTS)
    installed = contents(user)
    assert {name for name in before if installed[name] != before[name]} == set(HAND_WRITTEN)
    for name in HAND_WRITTEN:
        for words in ("say done", "log", '"other"', "why", "theme"):
            assert (words in before[name][0].decode()) == (words in installed[name][0].decode())
    cli.ok("uninstall", *reversed(AGENTS))
    assert contents(user) == before


def test_a_mark_of_the_byte_order_stays(cli, user):
    texts = {name: "\ufeff" + text for name, text in HAND_WRITTEN.items() if name.endswith(".json")}
    write(user, texts)
    before = contents(user)
    cli.ok("install", *AGENTS)
    assert all(contents(user)[name][0].startswith(b"\xef\xbb\xbf") for name in texts)
    cli.ok("uninstall", *AGENTS)
    assert contents(user) == before


def test_settings_that_are_links_into_another_folder_stay_links(cli, user, tmp_path):
    """As people keep them under version control: the folder of one agent, the file of another."""
    kept = tmp_path / "dotfiles"
    (user / ".claude").rename(kept)
    (user / ".claude").symlink_to(kept)
    (user / ".gemini/settings.json").rename(kept / "gemini.json")
    (user / ".gemini/settings.json").symlink_to(kept / "gemini.json")
    (kept / "settings.json").chmod(0o664)
    before, kept_before = contents(user), contents(kept)
    cli.ok("install", *AGENTS)
    assert (user / ".claude").is_symlink()
    assert (user / ".gemini/settings.json").is_symlink()
    assert b"limbeck" in (kept / "gemini.json").read_bytes()
    assert b"limbeck" in (kept / "settings.json").read_bytes()
    cli.ok("uninstall", *AGENTS)
    assert (contents(user), contents(kept)) == (before, kept_before)


def test_a_project_whose_folder_of_settings_is_a_link(cli, user, tmp_path):
    """Inside the project it is followed; out of it nothing is written, since others use what is there."""
    project, shared = tmp_path / "shop", tmp_path / "shared"
    for folder in (project / "tools", shared):
        folder.mkdir(parents=True)
    (project / ".claude").symlink_to("tools")
    cli.ok("install", "claude", "--project", str(project))
    assert b"limbeck" in (project / "tools" / "settings.local.json").read_bytes()
    cli.ok("uninstall", "claude", "--project", str(project))
    (project / ".claude").unlink()
    (project / ".claude").symlink_to(shared)
    before = contents(project), contents(shared), contents(user)
    code, _, errors = cli("install", "cursor", "claude", "--project", str(project))
    assert code == 1
    assert f"leads {project / '.claude' / 'settings.local.json'} out of the project, to {shared}" in errors
    assert errors.count("\n") == 1
    assert (contents(project), contents(shared), contents(user)) == before


BROKEN = {
    "a comma too many": ('{"hooks": {},}', "is not valid JSON"),
    "half a file": ('{"mcpServers": {"other": {"comm', "is not valid JSON"),
    "a list": ("[1]", "the whole file is a list"),
    "another encoding": ('{"a": "é"}'.encode("utf-16"), "is not UTF-8 text"),
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize(
    "name", [".claude/settings.json", ".claude.json", ".codex/hooks.json", ".cursor/mcp.json"]
)
def test_one_broken_file_and_nothing_is_changed_anywhere(cli, user, name, kind):
    text, said = BROKEN[kind]
    write(user, {name: text})
    before = contents(user)
    code, _, errors = cli("install", *AGENTS)
    assert code == 1
    assert errors.count("\n") == 1
    assert str(user / name) in errors
    assert said in errors
    assert contents(user) == before


def test_toml_that_is_broken_is_told_the_same_way(cli, user):
    write(user, {".codex/config.toml": "[mcp_servers\n"})
    before = contents(user)
    code, _, errors = cli("install", *AGENTS)
    assert (code, "config.toml is not valid TOML" in errors) == (1, True)
    assert contents(user) == before


def test_a_file_that_broke_meanwhile_keeps_what_is_ours_and_says_so(cli, user):
    cli.ok("install", *AGENTS)
    path = user / ".cursor/mcp.json"
    path.write_bytes(path.read_bytes()[:-3])
    before = contents(user)
    code, _, errors = cli("uninstall", *AGENTS)
    assert (code, f"{path} is not valid JSON" in errors) == (1, True)
    assert contents(user) == before


@pytest.mark.parametrize("name", sorted({*HOOKS.values(), *TOOLS.values()} - {".codex/config.toml"}))
def test_a_file_that_is_read_only_is_left(cli, user, name):
    (user / name).chmod(0o444)
    before = contents(user)
    code, _, errors = cli("install", *AGENTS)
    assert code == 1
    assert f"{user / name} cannot be written: it is read-only" in errors
    assert contents(user) == before


def test_a_file_made_read_only_meanwhile_is_left_too(cli, user):
    cli.ok("install", *AGENTS)
    (user / ".claude/settings.json").chmod(0o444)
    before = contents(user)
    code, _, errors = cli("uninstall", *AGENTS)
    assert (code, "it is read-only" in errors) == (1, True)
    assert contents(user) == before
    (user / ".claude/settings.json").chmod(0o600)
    cli.ok("uninstall", *AGENTS)


@pytest.mark.parametrize("kind", ["a pipe", "a folder"])
def test_what_is_no_file_is_never_waited_for(cli, user, kind):
    path = user / ".claude/settings.json"
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    code, _, errors = cli("install", "claude")
    assert code == 1
    assert str(path) in errors
    assert "Nothing was changed" in errors


MINE = {"type": "http", "url": "https://memory.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_a_server_of_our_name_that_a_person_wrote_comes_back(cli, user, agent):
    text = f'{{"mcpServers": {{"limbeck":  {json.dumps(MINE)} , "other": {{"command": "x"}}}}}}\n'
    write(user, {TOOLS[agent]: text})
    said = cli.ok("install", agent)
    assert json.loads((user / TOOLS[agent]).read_text())["mcpServers"]["limbeck"] != MINE
    assert "stood there" in said
    cli.ok("install", agent)
    cli.ok("uninstall", agent)
    assert (user / TOOLS[agent]).read_text() == text


def test_a_table_of_our_name_that_a_person_wrote_comes_back(cli, user):
    text = '# mine\n[mcp_servers.limbeck]\nurl = "https://memory.example/mcp" # team\n\n[tui]\nx = 1\n'
    write(user, {".codex/config.toml": text})
    cli.ok("install", "codex")
    assert "memory.example" not in (user / ".codex/config.toml").read_text()
    cli.ok("uninstall", "codex")
    left = (user / ".codex/config.toml").read_text()
    assert 'url = "https://memory.example/mcp" # team' in left
    assert sorted(left.split()) == sorted(text.split())


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_what_a_person_added_to_our_server_stays(cli, user, agent):
    cli.ok("install", agent)
    path = user / TOOLS[agent]
    text = path.read_text()
    path.write_text(text.replace('"limbeck": {', '"limbeck": {"timeout": 60000,'))
    once = path.read_bytes()
    assert f"{agent} tools: already in" in cli.ok("install", agent)
    assert path.read_bytes() == once
    cli.ok("uninstall", agent)
    assert path.read_text() == HAND_WRITTEN[TOOLS[agent]]


def test_what_git_refuses_leaves_the_agents_as_they_were(cli, user, tmp_path):
    before = contents(user)
    code, _, errors = cli("install", "claude", "git", "--project", str(tmp_path))
    assert (code, "is not inside a git work tree" in errors) == (1, True)
    assert contents(user) == before
