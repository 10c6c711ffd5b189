from __future__ import annotations

import json

import pytest

from limbeck.doctor.finding import Level
from limbeck.doctor.memories import beside_ours, others, places


@pytest.mark.parametrize(
    ("name", "server", "expected"),
    [
        ("memory", {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}, True),
        ("kb", {"command": "uvx", "args": ["mem0-mcp"]}, True),
        ("notes", {"url": "https://mcp.supermemory.ai/mcp"}, True),
        ("limbeck", {"command": "/opt/limbeck/bin/limbeck", "args": ["mcp"]}, False),
        ("memory", {"command": "/opt/limbeck/bin/limbeck-mcp"}, False),
        ("github", {"command": "gh-mcp"}, False),
        ("memory", {"command": "x", "enabled": False}, False),
        ("odd", "text", False),
        ("db", {"command": "pg-mcp", "env": {"NOTE": "memory"}}, False),
    ],
)
def test_what_counts_as_another_memory(name, server, expected):
    assert others([{name: server}]) == ([name] if expected else [])


def test_every_agents_files_are_looked_into(tmp_path):
    home, project = tmp_path / "u", tmp_path / "p"
    files = {
        home / ".claude.json": {
            "mcpServers": {"mem0": {"command": "x"}},
            "projects": {str(project): {"mcpServers": {"zep": {}}}, "/other": {"mcpServers": {"letta": {}}}},
        },
        project / ".mcp.json": {"mcpServers": {"memory": {"command": "x"}}},
        home / ".gemini" / "settings.json": {"mcpServers": {"openmemory": {}}},
        home / ".claude" / "settings.json": {
            "enabledPlugins": {"claude-mem@thedotmack": True, "limbeck@x": True}
        },
    }
    for path, value in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    codex = home / ".codex" / "config.toml"
    codex.parent.mkdir()
    codex.write_text('[mcp_servers.memories]\ncommand = "x"\n')
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("not json")
    listed = places(home, home / ".claude", home / ".codex", home / ".gemini", project)
    findings = beside_ours(listed, project)
    assert {finding.level for finding in findings} == {Level.WARNING}
    names = sorted(finding.what.split("'")[1] for finding in findings)
    assert names == ["claude-mem@thedotmack", "mem0", "memories", "memory", "openmemory", "zep"]


def test_none_is_said_too(tmp_path):
    assert [finding.level for finding in beside_ours([tmp_path / "no"], None)] == [Level.OK]
