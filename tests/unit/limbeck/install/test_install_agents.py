from __future__ import annotations

import json
import os
import stat
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limbeck.install import agents, record
from limbeck.install.command import Command
from limbeck.install.errors import SettingsInvalid, SettingsShape, SettingsUnreadable
from limbeck.install.places import Scope, registration, registrations, settings_file
from limbeck.install.settings import Document

COMMAND = "/opt/python/bin/python3.11 -I -S /home/u/limbeck/hooks/limbeck-hook.py {}"
AGENTS = sorted(registrations())


class Machine:
    """A home folder, a limbeck home, and installing one agent there."""

    def __init__(self, folder, agent):
        self.entry = registration(agent)
        self.scope = Scope(folder / "user", {})
        self.home = folder / "limbeck"
        self.file = settings_file(self.entry, self.scope)

    def write(self, text):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(text.encode())

    def read(self):
        return self.file.read_bytes().decode()

    def install(self, python="/opt/python/bin/python3.11"):
        command = Command(python, "/home/u/limbeck/hooks/limbeck-hook.py", self.entry.agent)
        return agents.install(self.entry, self.scope, self.home, command, windows=False)

    def uninstall(self):
        return agents.uninstall(self.entry, self.scope, self.home)


@pytest.fixture(params=AGENTS)
def machine(request, tmp_path):
    return Machine(tmp_path, request.param)


@pytest.fixture
def claude(tmp_path):
    return Machine(tmp_path, "claude")


@pytest.fixture
def codex(tmp_path):
    return Machine(tmp_path, "codex")


def test_the_events_and_limits_of_each_agent(tmp_path):
    found = {}
    for agent in AGENTS:
        machine = Machine(tmp_path / agent, agent)
        machine.install()
        hooks = json.loads(machine.read())["hooks"]
        found[agent] = {
            event: (groups[0] if agent == "cursor" else groups[0]["hooks"][0])["timeout"]
            for event, groups in hooks.items()
        }
    assert found == {
        "claude": dict.fromkeys(
            [
                "SessionStart",
                "UserPromptSubmit",
                "PostToolUse",
                "PostToolUseFailure",
                "SubagentStop",
                "PostCompact",
                "Stop",
                "SessionEnd",
            ],
            5,
        ),
        "codex": dict.fromkeys(["SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop"], 5)
        | {"Interrupt": 3, "SessionEnd": 3},
        "gemini": dict.fromkeys(
            ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"], 5000
        ),
        "cursor": dict.fromkeys(
            [
                "sessionStart",
                "beforeSubmitPrompt",
                "postToolUse",
                "postToolUseFailure",
                "afterAgentResponse",
                "stop",
                "sessionEnd",
            ],
            5,
        ),
    }


def test_the_command_is_the_agents_own(machine):
    machine.install()
    document = json.loads(machine.read())
    first = next(iter(document["hooks"].values()))[0]
    handler = first if machine.entry.agent == "cursor" else first["hooks"][0]
    assert handler["type"] == "command"
    assert handler["command"] == COMMAND.format(machine.entry.agent)
    assert document.get("version") == (1 if machine.entry.agent == "cursor" else None)


def test_a_new_file_is_private_and_goes_with_the_folders_made_for_it(machine):
    machine.install()
    assert stat.S_IMODE(machine.file.stat().st_mode) == 0o600
    machine.uninstall()
    assert not machine.scope.home.exists()
    assert record.load(machine.home).places == ()


def test_a_folder_someone_else_filled_stays(machine):
    machine.install()
    (machine.file.parent / "theirs").write_text("x")
    machine.uninstall()
    assert [path.name for path in machine.file.parent.iterdir()] == ["theirs"]


TEXTS = [
    "",
    "  \n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    '{"hooks":{}}',
    '{"hooks": {\n  }\n}',
    '{"hooks": {"Stop": [ ], "SessionEnd": [], "stop": []}}\r\n',
    '{\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n',
    '{"hooks":{"Stop":[{"hooks":[]}],"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]}]}}',
    '{\n    "description": "mine \\u00e9 é",\n\n    "hooks": {"PostToolUse": [\n'
    '      {"hooks": [ {"type":"command","command":"x"} ]},\n'
    '      {"hooks": [ {"type":"command","command":"x"} ]}\n    ]}\n}',
    '{"hooks": {}, "description": "later"}',
    '{"hooks": {"Stop": [{"odd": true}, 7]}}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_out_again_is_byte_for_byte_what_it_was(machine, text):
    machine.write(text)
    machine.install()
    once = machine.read()
    assert not machine.install().changed
    assert machine.read() == once
    assert len(agents.document(machine.entry, machine.file, once).installed()) == len(machine.entry.timeouts)
    machine.uninstall()
    assert machine.read() == text


@pytest.mark.parametrize("text", TEXTS[2:])
def test_everything_else_reads_the_same_while_installed(machine, text):
    machine.write(text)
    machine.install()
    before, after = json.loads(text), json.loads(machine.read())
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
    assert {k: v for k, v in after.items() if k not in ("hooks", "version")} == {
        k: v for k, v in before.items() if k != "hooks"
    }


keys = st.sampled_from(["hooks", "Stop", "SessionEnd", "permissions", "env", "description"])
handlers = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=8)})
lists = st.dictionaries(
    st.sampled_from(["Stop", "SessionEnd", "PreToolUse"]),
    st.lists(st.fixed_dictionaries({"hooks": st.lists(handlers, max_size=2)}), max_size=2),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {}, optional={"permissions": st.dictionaries(keys, st.integers()), "hooks": lists, "z": st.text()}
    ),
    st.sampled_from([None, 0, 2, "\t"]),
    st.data(),
)
def test_any_document_comes_back_even_after_someone_else_wrote_to_it(document, indent, data):
    text = json.dumps(document, indent=indent)
    entry = registration("claude")
    editor = Document("settings.json", text, entry)
    wanted = {event: {"type": "command", "command": COMMAND.format("claude")} for event in entry.timeouts}
    trace = editor.add(wanted)
    added = {"type": "command", "command": "theirs"}
    event = data.draw(st.sampled_from(["Stop", "Notification"]))
    later = json.loads(editor.text)
    later["hooks"].setdefault(event, []).append({"hooks": [added]})
    editor.text = json.dumps(later, indent=indent)
    editor.remove(trace)
    expected = json.loads(text)
    expected.setdefault("hooks", {}).setdefault(event, []).append({"hooks": [added]})
    assert json.loads(editor.text) == expected


def test_a_symbolic_link_stays_one_and_the_mode_stays(claude, tmp_path):
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}\n')
    real.chmod(0o640)
    claude.file.parent.mkdir(parents=True)
    claude.file.symlink_to(real)
    claude.install()
    assert claude.file.is_symlink()
    assert "limbeck" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    claude.uninstall()
    assert claude.file.is_symlink()
    assert real.read_text() == '{"a": 1}\n'
    assert sorted(os.listdir(real.parent)) == ["claude.json"]


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ('{"a": 1,}', SettingsInvalid, "line 1, column 9"),
        ("[]", SettingsShape, "the whole file is a list"),
        ('{"hooks": []}', SettingsShape, "hooks is a list"),
        ('{"hooks": {"Stop": {}}}', SettingsShape, "hooks.Stop is an object"),
        ('{"hooks": {"Stop": "no"}}', SettingsShape, "hooks.Stop is a string"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_and_left(claude, text, error, words):
    claude.write(text)
    with pytest.raises(error) as caught:
        claude.install()
    assert words in str(caught.value)
    assert str(claude.file) in str(caught.value)
    assert claude.read() == text
    assert record.load(claude.home).places == ()


def test_bytes_that_are_not_utf8_are_refused(claude):
    claude.write("{}")
    claude.file.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(SettingsUnreadable):
        claude.install()


def test_codex_refuses_a_file_codex_itself_would_reject(codex):
    codex.write('{"hooks": {}, "theme": "dark"}')
    with pytest.raises(SettingsShape) as caught:
        codex.install()
    assert "'theme'" in str(caught.value)


def test_codex_is_told_to_trust(codex):
    assert "/hooks" in codex.install().notes[0]


def test_a_new_interpreter_replaces_the_old_command(machine):
    machine.write('{"hooks": {"Stop": []}}')
    machine.install("/old/python3.11")
    assert machine.install("/new/python3.12").changed
    assert "/old/python3.11" not in machine.read()
    machine.uninstall()
    assert machine.read() == '{"hooks": {"Stop": []}}'


def test_without_a_record_ours_still_go(machine):
    machine.write('{"hooks": {"Stop": [{"hooks": []}]}, "description": 1}')
    machine.install()
    (machine.home / "installed.json").unlink()
    machine.uninstall()
    left = json.loads(machine.read())
    assert left.pop("version", 1) == 1
    assert left == {"hooks": {"Stop": [{"hooks": []}]}, "description": 1}


def test_without_a_record_a_file_of_only_ours_goes(claude):
    claude.install()
    (claude.home / "installed.json").unlink()
    claude.uninstall()
    assert not claude.file.exists()


def test_uninstalling_what_is_not_there_changes_nothing(machine):
    machine.write('{"a": 1}')
    assert machine.uninstall() == []
    assert machine.read() == '{"a": 1}'


def test_gemini_comments_stay(tmp_path):
    machine = Machine(tmp_path, "gemini")
    text = '{\n  // theme\n  "ui": {"theme": "x"}, // why\n}\n'
    machine.write(text)
    machine.install()
    assert "// why" in machine.read()
    machine.uninstall()
    assert machine.read() == text


def test_a_project_of_claude_gets_the_file_that_is_not_committed(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    scope = Scope(tmp_path / "user", {}, project)
    assert settings_file(registration("claude"), scope) == project / ".claude" / "settings.local.json"


def test_agents_that_moved_their_folder_are_followed(tmp_path):
    moved = {"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x"}
    found = {
        agent: str(settings_file(registration(agent), Scope(tmp_path, moved)))
        for agent in ("claude", "codex")
    }
    assert found == {"claude": "/c/settings.json", "codex": "/x/hooks.json"}


TOML = '# mine\nmodel = "m"  # why\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "theirs"\n'


@pytest.mark.parametrize(
    "text", [TOML, TOML.rstrip("\n"), TOML.replace("\n", "\r\n"), TOML + "\n[features]\nx = true"]
)
def test_codex_hooks_declared_in_toml_get_ours_beside_them(codex, text):
    config = codex.file.with_name("config.toml")
    config.parent.mkdir(parents=True)
    config.write_bytes(text.encode())
    assert codex.install().path == config
    assert not codex.install().changed
    written = config.read_bytes().decode()
    assert written.startswith(text)
    hooks = tomllib.loads(written)["hooks"]
    assert [group["hooks"][0]["command"] for group in hooks["Stop"]] == ["theirs", COMMAND.format("codex")]
    assert hooks["SessionEnd"] == [
        {"hooks": [{"type": "command", "command": COMMAND.format("codex"), "timeout": 3}]}
    ]
    assert not codex.file.exists()
    codex.uninstall()
    assert config.read_bytes().decode() == text


def test_codex_state_written_between_ours_survives_uninstalling(codex):
    config = codex.file.with_name("config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(TOML)
    codex.install()
    state = '[hooks.state."x:stop:0:0"]\ntrusted_hash = "sha256:00"\n'
    config.write_text(config.read_text().replace("[[hooks.Interrupt]]", state + "\n[[hooks.Interrupt]]"))
    codex.uninstall()
    left = tomllib.loads(config.read_text())
    assert left["hooks"].pop("state") == {"x:stop:0:0": {"trusted_hash": "sha256:00"}}
    assert left == tomllib.loads(TOML)
    assert "# why" in config.read_text()


def test_a_toml_file_that_is_broken_is_refused(codex):
    config = codex.file.with_name("config.toml")
    config.parent.mkdir(parents=True)
    config.write_text("[hooks\n")
    with pytest.raises(SettingsInvalid):
        codex.install()


def test_toml_hooks_written_as_one_value_are_refused(codex):
    config = codex.file.with_name("config.toml")
    config.parent.mkdir(parents=True)
    config.write_text("hooks = { Stop = [] }\n")
    with pytest.raises(SettingsShape):
        codex.install()
    assert config.read_text() == "hooks = { Stop = [] }\n"
