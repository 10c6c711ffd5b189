from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from limbeck.doctor.finding import Level
from limbeck.doctor.sightings import Sighting
from limbeck.doctor.trust import definition_hash, event_label, state_key, trusted
from limbeck.install.command import Command
from limbeck.install.settings import Installed

COMMAND = Command("/opt/python3", "/home/u/limbeck/hooks/limbeck-hook.py", "codex")
FOLDER = Path("/home/u/.codex")


def hook(event, command="/bin/true a", seconds=5):
    return Installed(event, 0, 0, COMMAND, {"type": "command", "command": command, "timeout": seconds})


@pytest.mark.parametrize(
    ("event", "label"),
    [
        ("Stop", "stop"),
        ("PostToolUse", "post_tool_use"),
        ("SessionEnd", "session_end"),
        ("UserPromptSubmit", "user_prompt_submit"),
    ],
)
def test_labels(event, label):
    assert event_label(event) == label


# As Codex 0.171.0 reports them (`currentHash` of hooks/list) for these two definitions.
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (hook("Stop"), "1a84358cb5927d9983c974c837ab54be02cad632c09c1dae9f29cb52d68f7fda"),
        (hook("SessionEnd", seconds=3), "9bce43b10dca686fd848db99a66349bc5ad6129f97f325dc0b2d25cda6cb1892"),
    ],
)
def test_the_hash_is_codexs_own(found, expected):
    assert definition_hash(found) == f"sha256:{expected}"


def place(*hooks, plugin=""):
    return Sighting("codex", FOLDER / "hooks.json", hooks, (), plugin)


def config(entries):
    lines = [f'[hooks.state."{key}"]\n{value}\n' for key, value in entries.items()]
    return tomllib.loads("".join(lines))


def test_trusted_hooks_are_fine():
    entry = f'trusted_hash = "{definition_hash(hook("Stop"))}"'
    findings = trusted([place(hook("Stop"))], config({"/home/u/.codex/hooks.json:stop:0:0": entry}))
    assert [finding.level for finding in findings] == [Level.OK]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({}, "not trusted yet"),
        ({"/home/u/.codex/hooks.json:stop:1:0": 'trusted_hash = "sha256:00"'}, "not trusted yet"),
        ({"/home/u/.codex/hooks.json:stop:0:0": 'trusted_hash = "sha256:00"'}, "changed since"),
        ({"/home/u/.codex/hooks.json:stop:0:0": "enabled = false"}, "switched off"),
    ],
)
def test_hooks_codex_skips(entries, words):
    findings = trusted([place(hook("Stop"))], config(entries))
    assert [finding.level for finding in findings] == [Level.BROKEN]
    assert words in findings[0].what
    assert "/hooks" in findings[0].do


def test_a_plugins_hooks_have_their_own_keys():
    found = place(hook("Stop"), plugin="limbeck@limbeck-local")
    assert state_key(found, found.hooks[0]) == "limbeck@limbeck-local:hooks/hooks.json:stop:0:0"


@pytest.mark.parametrize("level", ["trusted", "untrusted", None])
def test_a_projects_hooks_need_a_trusted_project(level):
    found = Sighting("codex", Path("/w/p/.codex/hooks.json"), (hook("Stop"),), project=Path("/w/p"))
    entry = f'trusted_hash = "{definition_hash(hook("Stop"))}"'
    values = config({"/w/p/.codex/hooks.json:stop:0:0": entry})
    if level:
        values["projects"] = {"/w/p": {"trust_level": level}}
    levels = [finding.level for finding in trusted([found], values)]
    assert levels == [Level.OK] + ([] if level == "trusted" else [Level.BROKEN])


def test_other_agents_are_not_judged():
    assert trusted([Sighting("claude", Path("/x"), (hook("Stop"),))], {}) == []
