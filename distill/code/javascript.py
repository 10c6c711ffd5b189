"""JavaScript and TypeScript: package.json and the locks of npm, pnpm, yarn and bun."""

from __future__ import annotations

import json
from typing import Any

import yaml

from distill.code.python import locked
from distill.code.statement import Stated, choice, dependencies, one_of, roles, version
from distill.slots import slot


def package_json(path: str, text: str) -> list[Stated]:
    """State what package.json declares: dependencies, engines, package manager, scripts, workspaces,
    licence.
    """
    data = json.loads(text)
    if not isinstance(data, dict):
        raise TypeError(path)
    main, development = list(_table(data, "dependencies")), list(_table(data, "devDependencies"))
    stated = dependencies(main, path) + dependencies(development, path, development=True)
    stated += roles(main + development, path)
    for engine in ("node", "bun"):
        if wanted := _table(data, "engines").get(engine):
            stated.append(version(engine, str(wanted), path))
    if manager := str(data.get("packageManager", "")).partition("@")[0]:
        stated.append(choice("package manager", manager, path))
    stated += [
        one_of("script", name, path, f"`{name}` is a package script") for name in _table(data, "scripts")
    ]
    spaces = data.get("workspaces", [])
    spaces = spaces.get("packages", []) if isinstance(spaces, dict) else spaces
    stated += [one_of("component", str(s), path, f"{s} is a workspace of the project") for s in spaces]
    if isinstance(licence := data.get("license"), str):
        stated.append(Stated(slot("license"), licence, f"The licence is {licence} ({path})."))
    return stated


def npm_lock(path: str, text: str) -> list[Stated]:
    """State that npm manages packages, and the locked versions of the project's own dependencies."""
    packages = _table(json.loads(text), "packages")
    root = _table(packages, "")
    direct = [*_table(root, "dependencies"), *_table(root, "devDependencies")]
    versions = {name: _table(packages, f"node_modules/{name}").get("version") for name in direct}
    return [choice("package manager", "npm", path), *locked(direct, versions, path)]


def pnpm_lock(path: str, text: str) -> list[Stated]:
    """State that pnpm manages packages, and the locked versions of the top package's dependencies."""
    data = yaml.safe_load(text)
    top = _table(_table(data, "importers"), ".")
    versions: dict[str, Any] = {}
    for group in ("dependencies", "devDependencies"):
        for name, entry in _table(top, group).items():
            exact = entry.get("version") if isinstance(entry, dict) else entry
            versions[name] = str(exact).partition("(")[0]
    return [choice("package manager", "pnpm", path), *locked(versions, versions, path)]


def yarn_lock(path: str, text: str) -> list[Stated]:
    """State that yarn manages packages; the file does not tell the project's own dependencies from the
    rest.
    """
    return [choice("package manager", "yarn", path)] if text.strip() else []


def bun_lock(path: str, text: str) -> list[Stated]:
    """State that bun manages packages."""
    return [choice("package manager", "bun", path)] if text.strip() else []


def _table(data: Any, name: str) -> dict[str, Any]:
    found = data.get(name, {}) if isinstance(data, dict) else {}
    return found if isinstance(found, dict) else {}
