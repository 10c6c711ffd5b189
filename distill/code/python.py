"""Python: pyproject.toml, requirements files, uv and poetry locks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from distill.code.statement import Stated, choice, dependencies, roles, scope_of, version
from distill.slots import slot
from schema.records import Slot

TOOLS = {
    "ruff": "linter",
    "flake8": "linter",
    "pylint": "linter",
    "black": "formatter",
    "mypy": "type checker",
    "pyright": "type checker",
    "pytest": "test framework",
    "poetry": "package manager",
    "uv": "package manager",
    "pdm": "package manager",
}


def pyproject(path: str, text: str) -> list[Stated]:
    """State what pyproject.toml declares: Python version, dependencies, build backend, tools, licence."""
    data = tomllib.loads(text)
    project, tool = _table(data, "project"), _table(data, "tool")
    poetry = _table(tool, "poetry")
    stated: list[Stated] = []
    main = _names(project.get("dependencies", []))
    groups: list[str] = []
    for listed in _table(project, "optional-dependencies").values():
        groups += _names(listed)
    for listed in _table(data, "dependency-groups").values():
        groups += _names(entry for entry in listed if isinstance(entry, str))
    groups += _names(_table(tool, "uv").get("dev-dependencies", []))
    wanted = project.get("requires-python")
    if poetry:
        main += [name for name in _table(poetry, "dependencies") if name.lower() != "python"]
        wanted = wanted or _table(poetry, "dependencies").get("python")
        groups += list(_table(poetry, "dev-dependencies"))
        for group in _table(poetry, "group").values():
            groups += list(_table(group, "dependencies"))
    if isinstance(wanted, str):
        stated.append(version("Python", wanted, path))
    stated += dependencies(main, path) + dependencies(groups, path, development=True)
    backend = _table(data, "build-system").get("build-backend")
    if isinstance(backend, str):
        stated.append(choice("build backend", backend.partition(".")[0], path))
    return stated + _tools(tool, main + groups, path) + _licence(project, poetry, path)


def _tools(tool: dict[str, Any], names: list[str], path: str) -> list[Stated]:
    """Roles filled by a [tool] table or by a dependency; a role with two candidates is left unsaid."""
    named = [name for name in tool if name in TOOLS]
    managers = [name for name in named if TOOLS[name] == "package manager"]
    stated = [choice("package manager", managers[0], path)] if len(managers) == 1 else []
    return stated + roles([*names, *(n for n in named if n not in managers)], path)


def _licence(project: dict[str, Any], poetry: dict[str, Any], path: str) -> list[Stated]:
    found = project.get("license", poetry.get("license"))
    if isinstance(found, dict):
        found = found.get("text")
    if not isinstance(found, str) or "\n" in found.strip():
        return []
    return [Stated(slot("license"), found.strip(), f"The licence is {found.strip()} ({path}).")]


def requirements(path: str, text: str) -> list[Stated]:
    """State what a requirements file asks for; options, includes and comments are skipped."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    names = _names(
        re.split(r"\s+#|\s--hash", line)[0].strip() for line in lines if not line.startswith(("-", "#"))
    )
    development = bool(re.search(r"(?:dev|test|lint|docs?)[\w-]*\.(?:txt|in)$", path))
    return dependencies(names, path, development=development) + roles(names, path)


def uv_lock(path: str, text: str) -> list[Stated]:
    """State that uv manages packages, and at which versions the project's own dependencies are locked."""
    packages = tomllib.loads(text).get("package", [])
    versions = {p["name"]: p.get("version") for p in packages if isinstance(p, dict) and "name" in p}
    own = [p for p in packages if isinstance(p, dict) and {"virtual", "editable"} & set(p.get("source", {}))]
    direct = [
        d["name"] for p in own for d in p.get("dependencies", []) if isinstance(d, dict) and "name" in d
    ]
    return [choice("package manager", "uv", path), *locked(direct, versions, path)]


def poetry_lock(path: str, text: str) -> list[Stated]:
    """State that poetry manages packages; which of the locked ones are the project's own the file does
    not say.
    """
    return [choice("package manager", "poetry", path)] if text.strip() else []


def locked(names: Iterable[str], versions: dict[str, Any], path: str) -> list[Stated]:
    """State the locked version of each of ``names`` that has one."""
    return [
        Stated(
            Slot(name.lower(), "locked version", scope_of(path)),
            str(versions[name]),
            f"{name} is locked at {versions[name]} ({path}).",
        )
        for name in dict.fromkeys(names)
        if versions.get(name)
    ]


def _names(lines: Iterable[Any]) -> list[str]:
    found = []
    for line in lines:
        try:
            found.append(Requirement(str(line)).name)
        except InvalidRequirement:
            continue
    return found


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name, {})
    return found if isinstance(found, dict) else {}
