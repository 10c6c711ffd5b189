"""Another memory server beside ours: two memories answer the same question, and neither knows of the
other."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from limbeck.doctor.finding import Finding, ok, warning

CHECK = "other memory"
_KNOWN = re.compile(
    r"memor(y|ies)|mem0|claude-mem|supermemory|openmemory|letta|memgpt|graphiti|\bzep\b|hindsight|memento|"
    r"byterover|cipher-mcp|mnemo|engram",
    re.IGNORECASE,
)


def server_tables(values: object, project: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the tables of MCP servers in one settings file: at its top, and for ``project`` in Claude's
    own file."""
    if not isinstance(values, dict):
        return
    for key in ("mcpServers", "mcp_servers"):
        if isinstance(values.get(key), dict):
            yield values[key]
    projects = values.get("projects")
    if project is not None and isinstance(projects, dict):
        yield from server_tables(projects.get(project))


def others(tables: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of servers that look like a memory and are not ours."""
    return [name for table in tables for name, server in table.items() if _is_memory(name, server)]


def beside_ours(files: Iterable[Path], project: Path | None) -> list[Finding]:
    """Look into the settings files that exist among ``files``; one that cannot be read is passed over."""
    findings = []
    for path in files:
        values = _values(path)
        for name in others(server_tables(values, str(project) if project else None)):
            what = f"Another memory server, {name!r}, is mounted in {path}."
            do = "Keep one memory: remove it there, or leave Limbeck's server unmounted."
            findings.append(warning(CHECK, what, do))
        enabled = values.get("enabledPlugins") if isinstance(values, dict) else None
        for name, on in enabled.items() if isinstance(enabled, dict) else ():
            if on is True and not name.startswith("limbeck@") and _KNOWN.search(name):
                what = f"Another memory, the plugin {name!r}, is enabled in {path}."
                findings.append(warning(CHECK, what, "Keep one memory: disable that plugin, or Limbeck."))
    return findings or [ok(CHECK, "no other memory server is mounted")]


def places(home: Path, claude: Path, codex: Path, gemini: Path, project: Path | None) -> list[Path]:
    """The files in which the agents list MCP servers; the folders are each agent's own."""
    found = [home / ".claude.json", claude / ".claude.json", claude / "settings.json", codex / "config.toml"]
    found += [gemini / "settings.json", home / ".cursor" / "mcp.json"]
    if project is not None:
        below = [".mcp.json", ".claude/settings.json", ".claude/settings.local.json"]
        below += [".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json"]
        found += [project / name for name in below]
    return list(dict.fromkeys(found))


def _values(path: Path) -> object:
    try:
        text = path.read_text("utf-8")
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return None


def _is_memory(name: str, server: object) -> bool:
    """Judge by the server's name and by what starts it; values of its environment are not looked at."""
    table = server if isinstance(server, dict) else {}
    if table.get("enabled") is False or table.get("disabled") is True:
        return False
    args = table.get("args")
    said = [name, table.get("command"), table.get("url"), *(args if isinstance(args, list) else ())]
    words = " ".join(word for word in said if isinstance(word, str))
    return "limbeck" not in words and _KNOWN.search(words) is not None
