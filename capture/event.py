"""The one normal form every agent's adapter gives: an event, and the tool call inside it."""

from __future__ import annotations

from capture.paths import bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OK, FAILED, UNKNOWN = "ok", "failed", "unknown"


class Call:
    """One tool call, as raw as the agent told it; ``capture.observation`` keeps the compact form alone.

    ``command`` is a shell command, ``path`` the file it is about, ``files`` further touched files,
    ``ms`` its duration in milliseconds, ``server`` the MCP server that offers the tool.
    """

    __slots__ = ("command", "exit", "files", "ms", "outcome", "path", "server", "tool")

    def __init__(
        self,
        tool: str,
        *,
        command: str | None = None,
        path: str | None = None,
        files: Sequence[str] = (),
        outcome: str = UNKNOWN,
        exit: int | None = None,
        ms: int | None = None,
        server: str | None = None,
    ) -> None:
        """Hold the parts; ``outcome`` is one of ``ok``, ``failed``, ``unknown``."""
        self.tool = tool
        self.command = command
        self.path = path
        self.files = files
        self.outcome = outcome
        self.exit = exit
        self.ms = ms
        self.server = server


class Event:
    """One thing an agent or git reported.

    ``name`` is the agent's own word for it and ``kind`` ours (docs/contracts.md section 1). ``text`` is the
    spoken part, ``extra`` the short fields of the body. ``call`` is the agent's id of the tool call that
    ``tool`` describes. ``needs`` and ``transcript`` name an errand for the shipper.
    """

    __slots__ = (
        "agent", "call", "cwd", "extra", "kind", "name", "needs", "session", "subagent", "text", "tool",
        "transcript", "turn",
    )  # fmt: skip

    def __init__(
        self,
        agent: str,
        name: str,
        kind: str,
        *,
        session: str | None = None,
        turn: str | None = None,
        call: str | None = None,
        subagent: dict[str, str] | None = None,
        cwd: str | None = None,
        text: str | None = None,
        tool: Call | None = None,
        extra: dict[str, object] | None = None,
        needs: str | None = None,
        transcript: str | None = None,
    ) -> None:
        """Hold the parts, all of them still unredacted."""
        self.agent = agent
        self.name = name
        self.kind = kind
        self.session = session
        self.turn = turn
        self.call = call
        self.subagent = subagent
        self.cwd = bounded(cwd)
        self.text = text
        self.tool = tool
        self.extra = extra or {}
        self.needs = needs
        self.transcript = transcript
