"""What a person wants left out: paths, tools, projects and subagents, from hook.json and .limbeckignore."""

from __future__ import annotations

from capture.glob import covers, matches
from capture.paths import absolute, within
from capture.regular import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

IGNORE_FILE = ".limbeckignore"
IGNORE_BYTES = 65536
MOST_PATTERNS = 1000
GENERATED = "/.okf/"


class Policy:
    """Patterns of what is not captured. Empty, it captures everything.

    ``paths`` are written as in a .gitignore, relative to the project; ``tools``, ``subagents`` (types) and
    ``projects`` (a root path or a normalised remote) are globs over whole names.
    """

    __slots__ = ("paths", "projects", "subagents", "tools")

    def __init__(
        self,
        paths: Iterable[str] = (),
        tools: Iterable[str] = (),
        projects: Iterable[str] = (),
        subagents: Iterable[str] = (),
    ) -> None:
        """Hold the patterns."""
        self.paths = list(paths)
        self.tools = list(tools)
        self.projects = list(projects)
        self.subagents = list(subagents)

    def tool(self, name: str) -> bool:
        """Whether the tool ``name`` is left out."""
        return any(matches(pattern, name) for pattern in self.tools)

    def subagent(self, kind: str) -> bool:
        """Whether a subagent of this type is left out; ``*`` leaves out all."""
        return any(matches(pattern, kind) for pattern in self.subagents)

    def project(self, root: str | None, remote: str | None) -> bool:
        """Whether the whole project is left out: by a pattern, or by a ``.limbeckignore`` that ignores ``*``."""
        if "*" in self.paths or "/" in self.paths or "**" in self.paths:
            return True
        names = [name for name in (root, remote) if name]
        return any(matches(pattern.rstrip("/"), name) for pattern in self.projects for name in names)

    def path(self, path: str, root: str | None = None) -> bool:
        """Whether a file is left out. The last pattern that covers it decides; a leading ``!`` lets it in.

        What was generated from the memory (``.okf``) never becomes evidence for it.
        """
        if GENERATED in f"/{path}/":
            return True
        inside = within(path, root) if root and absolute(path) else path
        left_out = False
        for pattern in self.paths:
            admits = pattern.startswith("!")
            if covers(pattern[1:] if admits else pattern, inside or path.lstrip("/")):
                left_out = not admits
        return left_out

    def joined(self, root: str | None) -> Policy:
        """Return this policy with what the project's ``.limbeckignore`` adds, at most MOST_PATTERNS of each kind."""
        lines = ignore_lines(root)[0] if root else []
        if not lines:
            return self
        more = kinds(lines)
        return Policy(
            self.paths + more["path"][:MOST_PATTERNS],
            self.tools + more["tool"][:MOST_PATTERNS],
            self.projects,
            self.subagents + more["subagent"][:MOST_PATTERNS],
        )


def kinds(lines: list[str]) -> dict[str, list[str]]:
    """Return the patterns of a ``.limbeckignore`` by what they leave out: tool, subagent or path."""
    more: dict[str, list[str]] = {"tool": [], "subagent": [], "path": []}
    for line in lines:
        kind, colon, rest = line.partition(":")
        if colon and kind in more:
            more[kind].append(rest.strip())
        else:
            more["path"].append(line)
    return more


def ignore_lines(root: str) -> tuple[list[str], bool]:
    """Return the lines of the ``.limbeckignore`` below ``root``, and whether it goes on after ``IGNORE_BYTES``.

    A line that was cut off there is none: it would say something else than was meant.
    """
    try:
        held = read_regular(f"{root}/{IGNORE_FILE}", IGNORE_BYTES + 1)
    except OSError:
        return [], False
    longer = len(held) > IGNORE_BYTES
    if longer:
        held = held[: held.rfind(b"\n") + 1]
    text = held.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return lines, longer
