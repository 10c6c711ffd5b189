"""One folder that Claude Code and Codex both take as a plugin marketplace, built for this machine's
interpreter.

Codex drops the argument form of a handler and rejects the file for an unknown key, so the shared
``hooks.json`` holds shell commands alone; the stub tells the two agents apart by the payload.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hooks.registration import Registration
from limbeck.install import files
from limbeck.install.command import Command, handler
from limbeck.install.errors import PluginFolderTaken
from limbeck.install.places import registration

AGENT = "plugin"
MARKET = "limbeck-local"
BELOW = "plugins/limbeck"
README = f"{BELOW}/README.md"
SKILLS = Path(__file__).parent / "skills"
_SUMMARY = "Memory: notes what the agent does, without secrets, and answers with what is true now."
_README = """\
# Limbeck as a plugin

Made by `limbeck install --plugin` for the interpreter of this machine: do not commit it, build it where it is used.
An upgrade of Limbeck renews what the commands point at; build again only when `limbeck doctor` says so.

Claude Code:

    claude plugin marketplace add {folder}
    claude plugin install limbeck@{market}

Codex (then `/hooks` in Codex, and `t` to trust them):

    codex plugin marketplace add {folder}
    codex plugin add limbeck@{market}

Use the plugin or `limbeck install`, not both: each event would be sent twice.
"""


def contents(
    folder: Path, command: Command, version: str, tools: dict[str, Any] | None, *, windows: bool
) -> dict[str, str]:
    """Return the plugin's files by their path below ``folder``: hooks, and with ``tools`` server and skills."""
    manifest = {
        "name": "limbeck",
        "version": version,
        "description": _SUMMARY,
        "author": {"name": "Limbeck"},
        "license": "Apache-2.0",
    }
    market = {
        "name": MARKET,
        "owner": {"name": "Limbeck"},
        "description": "Limbeck on this machine.",
        "plugins": [{"name": "limbeck", "source": "./plugins/limbeck", "description": _SUMMARY}],
    }
    hooks = {"description": _SUMMARY, "hooks": shared_hooks(command, windows=windows)}
    readme = _README.format(folder=folder, market=MARKET)
    made = {
        ".claude-plugin/marketplace.json": _json(market),
        f"{BELOW}/.claude-plugin/plugin.json": _json(manifest),
        f"{BELOW}/hooks/hooks.json": _json(hooks),
        README: readme,
    }
    if tools is not None:
        made[f"{BELOW}/.mcp.json"] = _json({"mcpServers": {"limbeck": tools}})
        made |= {f"{BELOW}/skills/{name}/SKILL.md": text for name, text in skills().items()}
    return made


def skills() -> dict[str, str]:
    """Return the text of each skill by its name."""
    return {path.parent.name: path.read_text("utf-8") for path in sorted(SKILLS.glob("*/SKILL.md"))}


def shared_hooks(command: Command, *, windows: bool) -> dict[str, Any]:
    """Return the ``hooks`` of both agents in one: every event of either, with the shorter time limit."""
    both: list[Registration] = [registration("claude"), registration("codex")]
    events = dict.fromkeys(event for entry in both for event in entry.timeouts)
    shared = {}
    for event in events:
        limit = min(entry.timeouts[event] for entry in both if event in entry.timeouts)
        entry = next(entry for entry in reversed(both) if event in entry.timeouts)
        made = handler(entry, event, command, windows=windows and entry is both[1])
        shared[event] = [{"hooks": [made | {"timeout": limit}]}]
    return shared


def build(
    folder: Path, command: Command, version: str, tools: dict[str, Any] | None, *, windows: bool
) -> bool:
    """Write the plugin into ``folder``; returns whether anything changed. Raises ``PluginFolderTaken``."""
    wanted = contents(folder, command, version, tools, windows=windows)
    ours = {*wanted, *contents(folder, command, version, {}, windows=windows)}
    present = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    if {str(path.relative_to(folder).as_posix()) for path in present} - ours:
        raise PluginFolderTaken(path=folder)
    if folder.exists() and not folder.is_dir():
        raise PluginFolderTaken(path=folder)
    changed = False
    for name, text in wanted.items():
        path = folder / name
        before = files.read(path)
        if before != text:
            files.make_folder(path.parent)
            files.replace(path, before, text)
            changed = True
    for name in sorted(ours - set(wanted)):
        changed |= _removed(folder / name)
    return changed


def remove(folder: Path, command: Command, version: str, *, windows: bool) -> bool:
    """Delete the files ``build`` wrote and the folders left empty; returns whether there were any."""
    names = list(contents(folder, command, version, {}, windows=windows))
    found = [_removed(folder / name) for name in names]
    above = {parent for name in names for parent in Path(name).parents}
    files.remove_empty(folder / one for one in sorted(above, key=lambda one: -len(one.parts)))
    return any(found)


def _removed(path: Path) -> bool:
    if not path.is_file():
        return False
    path.unlink()
    return True


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
