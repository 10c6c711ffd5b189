from __future__ import annotations

import json
from pathlib import Path

import pytest

from limbeck.doctor import registered
from limbeck.doctor.finding import Level
from limbeck.doctor.sightings import Sighting, look
from limbeck.install import agents
from limbeck.install.command import Command
from limbeck.install.places import Scope, registration
from limbeck.install.record import Record, load
from limbeck.install.settings import Installed


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


class Machine:
    """A user's home, a limbeck home and a project."""

    def __init__(self, folder):
        self.user, self.home, self.project = folder / "user", folder / "limbeck", folder / "project"
        self.project.mkdir()
        self.stub = self.home / "hooks" / "limbeck-hook.py"
        self.stub.parent.mkdir(parents=True)
        self.stub.touch()

    def scope(self, project=None):
        return Scope(self.user, {}, project)

    def install(self, agent, project=None):
        command = Command("/opt/python3", str(self.stub), agent)
        return agents.install(
            registration(agent), self.scope(project), self.home, command, windows=False
        ).path

    def look(self):
        return look(self.scope(self.project), load(self.home))

    def write(self, path, value):
        path = self.user / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))


def fits(_python, _bundle):
    return True


def said(findings, level=None):
    return [finding.what for finding in findings if level in (None, finding.level)]


def test_nothing_installed_is_broken(machine):
    findings = registered.found_at_all(machine.look())
    assert [finding.level for finding in findings] == [Level.BROKEN]
    assert "limbeck install" in findings[0].do


def test_a_file_that_cannot_be_read_is_named(machine):
    machine.install("claude")
    (machine.user / ".cursor").mkdir()
    (machine.user / ".cursor" / "hooks.json").write_text("{")
    findings = registered.found_at_all(machine.look())
    assert len(findings) == 1
    assert "hooks.json is not valid JSON" in findings[0].what


def test_every_place_is_seen_once(machine):
    paths = [machine.install("claude"), machine.install("codex"), machine.install("claude", machine.project)]
    assert sorted(place.path for place in machine.look().places) == sorted(paths)


def test_an_installation_in_another_project_is_seen_by_the_record(machine, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = machine.install("claude", elsewhere)
    assert [place.path for place in machine.look().places] == [path]


def test_a_missing_event_is_named_with_the_command_that_helps(machine):
    path = machine.install("claude")
    values = json.loads(path.read_text())
    del values["hooks"]["Stop"]
    path.write_text(json.dumps(values))
    findings = registered.complete(machine.look().places)
    assert "Stop" in findings[0].what
    assert findings[0].do == "Run: limbeck install claude"


@pytest.mark.parametrize(
    ("trouble", "usable", "word"),
    [("not there", False, "not there"), ("", False, "Python 3.11"), ("a shim", True, "a shim")],
)
def test_an_interpreter_that_will_not_do(machine, trouble, usable, word):
    machine.install("claude")
    findings = registered.pointing_at(
        machine.look().places, machine.home, lambda _: trouble, lambda _: usable, fits
    )
    assert len(findings) == 1
    assert word in findings[0].what


def test_a_stub_that_is_gone_or_of_another_home(machine, tmp_path):
    machine.install("claude")
    places = machine.look().places
    assert registered.pointing_at(places, machine.home, lambda _: "", lambda _: True, fits) == []
    other = registered.pointing_at(places, tmp_path / "other", lambda _: "", lambda _: True, fits)
    assert [finding.level for finding in other] == [Level.WARNING]
    machine.stub.unlink()
    gone = registered.pointing_at(places, machine.home, lambda _: "", lambda _: True, fits)
    assert [finding.level for finding in gone] == [Level.BROKEN]


@pytest.mark.parametrize(("built", "count"), [("0.2.0", 0), ("0.1.0", 1), ("", 1)])
def test_hooks_of_an_older_version_are_said(machine, built, count):
    machine.install("claude")
    places = machine.look().places
    assert len(registered.up_to_date(places, built, "0.2.0")) == count
    assert registered.up_to_date([], built, "0.2.0") == []


def test_user_and_project_together_send_twice(machine):
    machine.install("claude")
    machine.install("claude", machine.project)
    findings = registered.doubled(machine.look().places)
    assert len(findings) == 1
    assert f"limbeck uninstall claude --project '{machine.project}'" in findings[0].do


def test_one_place_is_not_double(machine):
    machine.install("claude")
    machine.install("codex")
    assert registered.doubled(machine.look().places) == []


def test_plugin_and_settings_together_send_twice(machine):
    machine.install("claude")
    path = machine.user / ".claude" / "settings.json"
    values = json.loads(path.read_text()) | {"enabledPlugins": {"limbeck@limbeck-local": True}}
    path.write_text(json.dumps(values))
    copy = machine.user / ".claude" / "plugins" / "cache" / "x"
    listed = {"plugins": {"limbeck@limbeck-local": [{"installPath": str(copy)}]}}
    machine.write(".claude/plugins/installed_plugins.json", listed)
    command = f"/opt/python3 -I -S {machine.stub} plugin"
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}
    machine.write(".claude/plugins/cache/x/hooks/hooks.json", hooks)
    findings = registered.doubled(machine.look().places)
    assert len(findings) == 1
    assert "limbeck@limbeck-local" in findings[0].what


def test_codex_plugins_are_seen(machine):
    config = machine.user / ".codex" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[plugins."limbeck@limbeck-local"]\nenabled = true\n')
    command = f"/opt/python3 -I -S {machine.stub} plugin"
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}
    machine.write(".codex/plugins/cache/limbeck-local/limbeck/0.1.0/hooks/hooks.json", hooks)
    assert [(place.agent, place.plugin) for place in machine.look().places] == [
        ("codex", "limbeck@limbeck-local")
    ]


def test_the_same_hook_twice_in_one_file(machine):
    hook = Installed("Stop", 0, 0, Command("/p", "/h/limbeck-hook.py", "claude"), {})
    place = Sighting("claude", Path("/u/.claude/settings.json"), (hook, hook))
    assert "more than once on Stop" in said(registered.doubled([place]))[0]


def test_cursor_beside_claude(machine):
    machine.install("claude")
    machine.install("cursor")
    assert "Cursor" in said(registered.doubled(machine.look().places))[0]


@pytest.mark.parametrize(
    ("agent", "file", "switch"),
    [
        ("claude", ".claude/settings.json", {"disableAllHooks": True}),
        ("gemini", ".gemini/settings.json", {"hooksConfig": {"enabled": False}}),
    ],
)
def test_hooks_that_are_switched_off(machine, agent, file, switch):
    machine.write(file, switch)
    machine.install(agent)
    findings = registered.switched_off(machine.look().files, [agent])
    assert [finding.level for finding in findings] == [Level.BROKEN]
    machine.write(file, {})
    machine.install(agent)
    assert registered.switched_off(machine.look().files, [agent]) == []


def test_a_switch_in_another_file_counts_for_agents_that_have_hooks(machine):
    machine.install("codex")
    (machine.user / ".codex" / "config.toml").write_text("[features]\nhooks = false\n")
    files = machine.look().files
    assert "features.hooks" in said(registered.switched_off(files, ["codex"]))[0]
    assert registered.switched_off(files, ["claude"]) == []


def test_a_bundle_for_another_interpreter_is_said(machine):
    machine.install("claude")
    found = registered.pointing_at(
        machine.look().places, machine.home, lambda _: "", lambda _: True, lambda _python, _bundle: False
    )
    assert [finding.level for finding in found] == [Level.WARNING]


def test_each_command_is_run_once(machine):
    machine.install("claude")
    machine.install("claude", machine.project)
    machine.install("codex")
    calls = registered.calls(machine.look().places, machine.project, lambda _hooks: None)
    assert [call.command.agent for call in calls] == ["claude", "codex"]


def test_gits_hooks_run_where_they_are_installed_and_agents_where_one_stands(tmp_path):
    command = Command("/opt/python3", "/home/hooks/limbeck-hook.py", "git")
    place = Sighting("git", tmp_path / "b" / ".git" / "hooks", (Installed("post-commit", 0, 0, command, {}),))
    calls = registered.calls([place], tmp_path / "a", lambda hooks: hooks.parent.parent)
    assert [(call.command, call.folder) for call in calls] == [(command, tmp_path / "b")]
    assert registered.calls([place], tmp_path / "a", lambda _hooks: None) == []


def test_an_empty_record_and_home_are_no_trouble(machine):
    assert look(machine.scope(), Record()).troubles == []
