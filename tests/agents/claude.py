"""Claude Code as a program: in a home of its own, with a made-up key, reaching loopback alone."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from uuid import uuid4

from tests.agents.conftest import Machine
from tests.agents.messages import Messages
from tests.agents.script import Call, Script

TOOLS = Path(__file__).parent / "tools.py"
ALLOWED = "Bash,Edit,Write,Read,Agent,mcp__notes__echo,mcp__notes__fail,mcp__limbeck"


def bash(command: str) -> Call:
    return Call("Bash", {"command": command, "description": "a step"})


class Claude:
    """Claude Code on a machine, with our hooks and one MCP server; ``hooks`` False leaves ours out."""

    def __init__(self, machine: Machine, script: Script, *, hooks: bool = True) -> None:
        self.machine = machine
        self.server = machine.model(Messages, script)
        if hooks:
            machine.limbeck("install", "claude")
        servers = {"notes": {"command": sys.executable, "args": ["-I", str(TOOLS)]}}
        self.config = machine.user / "mcp.json"
        self.config.write_text(json.dumps({"mcpServers": servers}))
        self.environment = machine.environment(
            ANTHROPIC_BASE_URL=self.server.url,
            ANTHROPIC_API_KEY=f"sk-ant-{uuid4().hex}",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            DISABLE_ERROR_REPORTING="1",
            DISABLE_TELEMETRY="1",
            HTTPS_PROXY=self.server.url,
            HTTP_PROXY=self.server.url,
            NO_PROXY="127.0.0.1",
        )

    @property
    def program(self) -> str:
        return str(self.machine.programs / "claude")

    def command(self, prompt: str, *options: str, strict: bool = True, allowed: str = ALLOWED) -> list[str]:
        mcp = ["--mcp-config", str(self.config), *(["--strict-mcp-config"] if strict else [])]
        return [self.program, "-p", prompt, "--allowedTools", allowed, *mcp, *options]

    def run(self, prompt: str, *options: str, strict: bool = True, allowed: str = ALLOWED) -> str:
        command = self.command(prompt, *options, strict=strict, allowed=allowed)
        return self.machine.run(command, self.environment)

    def offered(self) -> set[str]:
        """The names of the tools in the last request: those whose schemas it has, and those it only lists.

        Claude Code lists the tools of MCP servers by name, and gives a schema when the model asks for it.
        """
        last = [one for one in self.server.asked if one.get("tools")][-1]
        listed = re.findall(r"\bmcp__\w+", json.dumps(last["messages"]).replace("\\n", " "))
        return {tool["name"] for tool in last["tools"]} | set(listed)
