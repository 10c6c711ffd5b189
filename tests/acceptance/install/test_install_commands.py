"""The commands as processes: exit codes, sentences, and files as they were."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from limbeck.install.plugin import skills
from limbeck.services.program import python_command

AGENTS = ["claude", "codex", "gemini", "cursor"]
BEFORE = {
    ".claude/settings.json": '{\n  "env": {"A": "1"},\n  "hooks": {"Stop": [\n    {"hooks": '
    '[{"type": "command", "command": "x"}]}]}\n}',
    ".codex/hooks.json": '{"description": "mine", "hooks": {}}\n',
    ".codex/config.toml": '# mine\nmodel = "m"  # why\n',
    ".gemini/settings.json": '{\r\n\t// theme\r\n\t"ui": {},\r\n}\r\n',
}


@pytest.fixture
def user():
    home = Path(os.environ["HOME"])
    for name, text in BEFORE.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return home


def contents(home):
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def test_in_twice_is_once_and_out_is_as_before(cli, user):
    before = contents(user)
    first = cli.ok("install", *AGENTS)
    once = contents(user)
    assert {name for name in once if b"limbeck-hook.py" in once[name]} == {
        ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json"
    }  # fmt: skip
    assert {name for name in once if b"limbeck.server.stdio" in once[name]} == {
        ".claude.json", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json"
    }  # fmt: skip
    assert "/hooks" in first
    assert {name for name in once if name.endswith("SKILL.md")} == {
        f".{agent}/skills/{name}/SKILL.md" for agent in AGENTS for name in skills()
    }
    assert cli.ok("install", *AGENTS).count("already in") == 8 + len(AGENTS) * len(skills())
    assert contents(user) == once
    cli.ok("uninstall", *AGENTS)
    assert contents(user) == before
    assert not (user / ".cursor").exists()


def test_the_command_runs_what_the_home_holds_and_stays_the_same(cli, user):
    cli.ok("install", "claude")
    once = (user / ".claude/settings.json").read_bytes()
    hooks = cli.home.path / "hooks"
    (hooks / "bundle").write_bytes(b"of an older version")
    (hooks / "limbeck-hook.py").write_text("an older stub")
    cli.ok("install", "claude")
    assert (user / ".claude/settings.json").read_bytes() == once
    assert (hooks / "bundle").read_bytes() != b"of an older version"
    assert "bundle" in (hooks / "limbeck-hook.py").read_text()


def test_a_project_has_its_own_file(cli, user, tmp_path):
    project = tmp_path / "a project"
    project.mkdir()
    before = contents(user)
    rows = json.loads(cli.ok("install", "claude", "codex", "--project", str(project), "--json"))["installed"]
    assert [row["path"] for row in rows] == [
        str(project / ".claude/settings.local.json"),
        str(user / ".claude.json"),
        *(str(project / f".claude/skills/{name}/SKILL.md") for name in sorted(skills())),
        str(project / ".codex/hooks.json"),
        str(project / ".codex/config.toml"),
        *(str(project / f".codex/skills/{name}/SKILL.md") for name in sorted(skills())),
    ]
    assert list(json.loads((user / ".claude.json").read_text())["projects"]) == [str(project)]
    cli.ok("uninstall", "claude", "codex", "--project", str(project))
    assert list(project.iterdir()) == []
    assert contents(user) == before


def test_hooks_alone_where_no_tools_are_wanted(cli, user):
    before = contents(user)
    cli.ok("install", *AGENTS, "--hooks-only")
    assert [name for name, text in contents(user).items() if b"limbeck.server.stdio" in text] == []
    assert [name for name in contents(user) if name.endswith("SKILL.md")] == []
    cli.ok("uninstall", *AGENTS)
    assert contents(user) == before


def test_a_skill_that_was_changed_is_kept_and_told(cli, user):
    cli.ok("install", "claude")
    path = user / ".claude/skills/recall/SKILL.md"
    path.write_text("mine now")
    assert json.loads(cli.ok("uninstall", "claude", "--json"))["kept"] == [str(path)]
    assert path.read_text() == "mine now"


def test_a_second_memory_is_told(cli, user):
    (user / ".claude.json").write_text('{"mcpServers": {"memory": {"command": "mcp-server-memory"}}}')
    said = cli.ok("install", "claude")
    assert "Another memory server, 'memory', is mounted" in said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["install"], 2, "claude, codex"),
        (["install", "emacs"], 2, "'emacs'"),
        (["install", "claude", "--user", "--project", "/x"], 2, "exclude"),
        (["install", "claude", "--project", "/does/not/exist"], 1, "/does/not/exist is not a folder"),
        (["install", "git", "--user"], 2, "--project"),
        (["install", "git", "--project", "/"], 1, "not inside a git work tree"),
        (["uninstall", "claude"], 0, ""),
    ],
)
def test_wrong_words_are_answered_with_a_sentence(cli, words, code, said):
    got, output, errors = cli(*words)
    assert (got, "Traceback" in errors) == (code, False)
    assert said in errors + output


def test_a_broken_file_is_refused_and_left(cli, user):
    path = user / ".claude/settings.json"
    path.write_text('{"hooks": {},}')
    code, _, errors = cli("install", "claude")
    assert code == 1
    assert errors.startswith("limbeck: ")
    assert f"{path} is not valid JSON" in errors
    assert path.read_text() == '{"hooks": {},}'


def test_the_plugin_folder(cli, tmp_path):
    folder = tmp_path / "plug in"
    cli.ok("install", "--plugin", str(folder))
    made = contents(folder)
    assert sorted(made) == [
        ".claude-plugin/marketplace.json",
        "plugins/limbeck/.claude-plugin/plugin.json",
        "plugins/limbeck/.mcp.json",
        "plugins/limbeck/README.md",
        "plugins/limbeck/hooks/hooks.json",
        *(f"plugins/limbeck/skills/{name}/SKILL.md" for name in sorted(skills())),
    ]
    assert {"recall", "remember"} <= set(skills())
    assert "limbeck" in json.loads(made["plugins/limbeck/.mcp.json"])["mcpServers"]
    shared = json.loads(made["plugins/limbeck/hooks/hooks.json"])
    assert set(shared) == {"description", "hooks"}
    for groups in shared["hooks"].values():
        handler = groups[0]["hooks"][0]
        assert set(handler) == {"type", "command", "timeout"}
        assert handler["command"].endswith(" plugin")
    assert shared["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 3
    cli.ok("install", "--plugin", str(folder))
    assert contents(folder) == made
    cli.ok("install", "--plugin", str(folder), "--hooks-only")
    assert len(contents(folder)) == 4
    (folder / "notes.txt").write_text("theirs")
    code, _, errors = cli("install", "--plugin", str(folder))
    assert code == 1
    assert "did not write" in errors
    cli.ok("uninstall", "--plugin", str(folder))
    assert sorted(contents(folder)) == ["notes.txt"]


def test_the_shipper_as_a_service(cli, user):
    row = json.loads(cli.ok("install", "ship", "--json"))["installed"][0]
    assert str(cli.home.path) in Path(row["path"]).read_text()
    cli.ok("uninstall", "ship")
    assert not Path(row["path"]).exists()


@pytest.mark.parametrize("words", [["install", "claude"], ["uninstall", "claude"]])
def test_nothing_heavy_is_imported(cli, words):
    python, *rest = python_command("limbeck.main", *words)
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]} | cli.variables
    done = subprocess.run(
        [python, "-X", "importtime", *rest], env=environment, capture_output=True, text=True, check=True
    )
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert "limbeck.install.agents" in imported
    assert not {"celery", "sqlalchemy", "anthropic"} & imported
