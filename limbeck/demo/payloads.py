"""What Claude Code and Codex write on a hook's standard input (their own field names)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

Payload = dict[str, Any]


@dataclass(slots=True)
class Claude:
    """One Claude Code session in ``cwd``."""

    cwd: Path
    agent: str = "claude"
    session: str = field(default_factory=lambda: str(uuid4()))
    prompt_id: str | None = None
    calls: Any = field(default_factory=lambda: count(1))

    def _common(self, event: str) -> Payload:
        transcript = Path.home() / ".claude" / "projects" / "demo" / f"{self.session}.jsonl"
        common = {"session_id": self.session, "transcript_path": str(transcript), "cwd": str(self.cwd)}
        if self.prompt_id:
            common["prompt_id"] = self.prompt_id
        return common | {"hook_event_name": event}

    def start(self) -> Payload:
        """The session begins."""
        return self._common("SessionStart") | {"source": "startup", "model": "claude-sonnet-5"}

    def prompt(self, text: str) -> Payload:
        """A person writes."""
        self.prompt_id = str(uuid4())
        return self._common("UserPromptSubmit") | {"permission_mode": "default", "prompt": text}

    def bash(self, command: str, *, fails: str | None = None) -> Payload:
        """A shell command, successful or failed with ``fails`` as its error."""
        called = {
            "permission_mode": "default",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "run"},
            "tool_use_id": f"toolu_{self.session[:8]}{next(self.calls):04d}",
            "duration_ms": 184,
        }
        if fails is not None:
            return self._common("PostToolUseFailure") | called | {"error": fails, "is_interrupt": False}
        response = {"stdout": "ok", "stderr": "", "interrupted": False, "isImage": False}
        return self._common("PostToolUse") | called | {"tool_response": response}

    def edit(self, path: str, old: str, new: str) -> Payload:
        """An edit of a file in the project."""
        file = str(self.cwd / path)
        return self._common("PostToolUse") | {
            "permission_mode": "default",
            "tool_name": "Edit",
            "tool_input": {"file_path": file, "old_string": old, "new_string": new, "replace_all": False},
            "tool_response": {"filePath": file, "oldString": old, "newString": new, "originalFile": old},
            "tool_use_id": f"toolu_{self.session[:8]}{next(self.calls):04d}",
            "duration_ms": 12,
        }

    def reply(self, text: str) -> Payload:
        """The turn ends."""
        said = {"stop_hook_active": False, "last_assistant_message": text, "background_tasks": []}
        return self._common("Stop") | {"permission_mode": "default"} | said

    def end(self) -> Payload:
        """The session ends."""
        return self._common("SessionEnd") | {"reason": "prompt_input_exit"}


@dataclass(slots=True)
class Codex:
    """One Codex session in ``cwd``; its hooks tell no exit codes."""

    cwd: Path
    agent: str = "codex"
    session: str = field(default_factory=lambda: str(uuid4()))
    turn: str = ""
    calls: Any = field(default_factory=lambda: count(1))

    def _common(self, event: str) -> Payload:
        common: Payload = {
            "session_id": self.session,
            "transcript_path": None,
            "cwd": str(self.cwd),
            "hook_event_name": event,
            "model": "gpt-6.2-sol",
            "permission_mode": "default",
        }
        return common | ({"turn_id": self.turn} if self.turn else {})

    def start(self) -> Payload:
        """The session begins."""
        return self._common("SessionStart") | {"source": "startup"}

    def prompt(self, text: str) -> Payload:
        """A person writes."""
        self.turn = str(uuid4())
        return self._common("UserPromptSubmit") | {"prompt": text}

    def bash(self, command: str) -> Payload:
        """A shell command."""
        return self._common("PostToolUse") | {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_response": "ok\n",
            "tool_use_id": f"call_{self.session[:8]}{next(self.calls):04d}",
        }

    def patch(self, path: str, old: str, new: str) -> Payload:
        """A patch of one file."""
        text = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
        return self._common("PostToolUse") | {
            "tool_name": "apply_patch",
            "tool_input": {"command": text},
            "tool_response": f"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\nM {path}\n",
            "tool_use_id": f"call_{self.session[:8]}{next(self.calls):04d}",
        }

    def reply(self, text: str) -> Payload:
        """The turn ends."""
        return self._common("Stop") | {"stop_hook_active": False, "last_assistant_message": text}

    def end(self) -> Payload:
        """The session ends."""
        payload = self._common("SessionEnd")
        return {key: payload[key] for key in ("session_id", "transcript_path", "cwd", "hook_event_name")} | {
            "reason": "other"
        }
