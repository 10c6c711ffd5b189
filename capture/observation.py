"""From an event in its normal form to the envelope: the fields that are kept, redacted, within their limits."""

from __future__ import annotations

from capture.envelope import LONGEST_ID, VERSION
from capture.event import Call, Event
from capture.paths import join, within
from capture.project import Project
from capture.text import spoken, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.config import Limits
    from capture.policy import Policy

HOOK_VERSION = "0.1.0"
LONGEST_PATH = 2048
MOST_FILES = 100
SMALL = 1 << 31
SPOKEN = ("prompt", "reply", "subagent", "compaction")


def ours(tool: str, server: str | None) -> bool:
    """Whether a tool is Limbeck's own, whose answers must not be captured again."""
    name = tool.lower()
    return (name.startswith(("mcp", "limbeck")) or server is not None) and (
        "limbeck" in name or "limbeck" in (server or "").lower()
    )


def envelope(
    event: Event,
    project: Project,
    policy: Policy,
    limits: Limits,
    *,
    ident: str,
    at: int,
    from_start: bool = False,
) -> dict[str, object] | None:
    """Return the envelope of ``event``, or None where the policy or its own nature leaves it out.

    ``ident`` is its id and ``at`` the time in Unix milliseconds; ``from_start`` as in ``capture.text.spoken``.
    Every string in it is redacted; a private project, path, tool or subagent gives None.
    """
    subagent = event.subagent
    if policy.project(project.root, project.remote):
        return None
    if subagent is not None and policy.subagent(subagent.get("type", "")):
        return None
    counts: dict[str, int] = {}
    body = _body(event, project, policy)
    if body is None:
        return None
    body = _known(body)
    told: dict[str, object] = {
        "event": event.name,
        "session": event.session,
        "turn": event.turn,
        "call": event.call,
        "subagent": subagent,
        "cwd": event.cwd,
        "project": _known(
            {"common": project.common, "root": project.root, "remote": project.remote, "id": project.id}
        ),
        "body": body,
        "needs": event.needs,
        "transcript": event.transcript,
    }
    made: dict[str, object] = {"v": VERSION, "id": ident, "at": at, "agent": event.agent, "origin": "hook"}
    made["hv"] = HOOK_VERSION
    made["kind"] = event.kind
    made.update(tidy(_known(told), counts))
    made.setdefault("body", {})
    for key in ("session", "turn", "call"):
        if key in made:
            made[key] = str(made[key])[:LONGEST_ID]
    if event.transcript != made.get("transcript"):
        made.pop("needs", None)  # its path had to be redacted: the errand cannot be run
        made.pop("transcript", None)
    if event.kind in SPOKEN:
        made["body"] = {**spoken(event.text or "", limits.text, counts, from_start), **_table(made["body"])}
    if counts:
        made["redactions"] = dict(sorted(counts.items()))
    return made


def _known(table: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in table.items() if value not in (None, {}, "")}


def _table(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _body(event: Event, project: Project, policy: Policy) -> dict[str, object] | None:
    if event.tool is not None:
        return _tool(event.tool, event.cwd, project, policy)
    return dict(event.extra)


def small(number: int | None) -> int | None:
    """Return ``number`` where a row can hold it (32 bits), else None."""
    return number if number is not None and -SMALL <= number < SMALL else None


def _tool(call: Call, cwd: str | None, project: Project, policy: Policy) -> dict[str, object] | None:
    if ours(call.tool, call.server) or policy.tool(call.tool):
        return None
    base = cwd or project.root or "/"

    def relative(path: str) -> str:
        whole = join(base, path)
        return (within(whole, project.root) if project.root else None) or whole

    def admitted(path: str) -> bool:
        return not policy.path(relative(path))

    files = list(call.files)
    shown = target = None
    if call.path:
        target = relative(call.path[:LONGEST_PATH])
        if policy.path(target):
            return None
    if call.command:
        from capture.patch import patched_files
        from capture.shape import shape

        files += patched_files(call.command)
        shown = None if call.path else shape(call.command, admitted)
    touched = [relative(path[:LONGEST_PATH]) for path in dict.fromkeys(files)]
    open_files = [path for path in touched[:MOST_FILES] if not policy.path(path)]
    if touched and not open_files:
        return None
    return {
        "tool": call.tool,
        "target": target,
        "shape": shown,
        "files": open_files or None,
        "outcome": call.outcome,
        "exit": small(call.exit),
        "ms": small(call.ms),
        "server": call.server,
    }
