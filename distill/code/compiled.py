"""Rust, Go, PHP and Ruby: Cargo.toml, go.mod, composer.json, Gemfile, and Cargo's lock."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from distill.code.python import locked
from distill.code.statement import Stated, choice, dependencies, one_of, roles, version
from distill.slots import slot

_GO_REQUIRE = re.compile(r"^(?:require\s+)?(?P<module>[^\s()]+\.[^\s()]+)\s+v[^\s]+\s*(?P<comment>//.*)?$")
_GEM = re.compile(r"^\s*gem\s+[\"'](?P<name>[^\"']+)[\"'](?P<rest>.*)$")
_RUBY = re.compile(r"^\s*ruby\s+[\"'](?P<version>[^\"']+)[\"']")
_GROUP = re.compile(r"^\s*group\s+(?P<names>.+?)\s+do\b")


def cargo(path: str, text: str) -> list[Stated]:
    """State what Cargo.toml declares: edition, minimal Rust, dependencies, workspace members, licence."""
    data = tomllib.loads(text)
    package, workspace = _table(data, "package"), _table(data, "workspace")
    shared = _table(workspace, "package")
    stated: list[Stated] = []
    if isinstance(edition := package.get("edition", shared.get("edition")), str):
        stated.append(choice("Rust edition", edition, path))
    if isinstance(wanted := package.get("rust-version", shared.get("rust-version")), str):
        stated.append(version("Rust", wanted, path))
    main = [*_table(data, "dependencies"), *_table(workspace, "dependencies")]
    development = list(_table(data, "dev-dependencies"))
    stated += dependencies(main, path) + dependencies(development, path, development=True)
    stated += roles(main + development, path)
    members = workspace.get("members", [])
    stated += [one_of("component", str(m), path, f"{m} is a crate of the workspace") for m in members]
    if isinstance(licence := package.get("license", shared.get("license")), str):
        stated.append(Stated(slot("license"), licence, f"The licence is {licence} ({path})."))
    return stated


def cargo_lock(path: str, text: str) -> list[Stated]:
    """State the locked versions of what the workspace's own crates depend on."""
    packages = [p for p in tomllib.loads(text).get("package", []) if isinstance(p, dict)]
    versions = {p["name"]: p.get("version") for p in packages if "source" in p}
    own = [p for p in packages if "source" not in p]
    direct = [str(d).partition(" ")[0] for p in own for d in p.get("dependencies", [])]
    return [choice("package manager", "cargo", path), *locked(direct, versions, path)]


def go_mod(path: str, text: str) -> list[Stated]:
    """State what go.mod declares: module path, Go version, direct requirements."""
    stated: list[Stated] = []
    modules = []
    for line in (raw.strip() for raw in text.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "module" and rest:
            stated.append(choice("module path", rest.strip().strip('"'), path))
        elif word == "go" and rest:
            stated.append(version("Go", rest.strip(), path))
        elif (match := _GO_REQUIRE.match(line)) and "indirect" not in (match["comment"] or ""):
            modules.append(match["module"])
    bare = [re.sub(r"/v\d+$", "", module).rpartition("/")[2] for module in modules]
    return stated + dependencies(modules, path) + roles(bare, path)


def composer(path: str, text: str) -> list[Stated]:
    """State what composer.json declares: PHP version, requirements, licence; extensions are no packages."""
    data = json.loads(text)
    required, development = _table(data, "require"), _table(data, "require-dev")
    stated: list[Stated] = []
    if isinstance(wanted := required.get("php"), str):
        stated.append(version("PHP", wanted, path))
    main = [name for name in required if "/" in name]
    later = [name for name in development if "/" in name]
    stated += dependencies(main, path) + dependencies(later, path, development=True)
    stated += roles([_php_name(name) for name in main + later], path)
    stated.append(choice("package manager", "composer", path))
    if isinstance(licence := data.get("license"), str):
        stated.append(Stated(slot("license"), licence, f"The licence is {licence} ({path})."))
    return stated


def gemfile(path: str, text: str) -> list[Stated]:
    """State what a Gemfile declares: Ruby version and gems, those of development and test groups apart."""
    stated: list[Stated] = []
    main, development = list[str](), list[str]()
    inside = ""
    for line in text.splitlines():
        if match := _GROUP.match(line):
            inside = match["names"]
        elif line.strip() == "end":
            inside = ""
        elif match := _RUBY.match(line):
            stated.append(version("Ruby", match["version"], path))
        elif match := _GEM.match(line):
            groups = inside + (match["rest"] if "group" in match["rest"] else "")
            target = (
                development if re.search(r":(?:development|test)\b|\b(?:development|test):", groups) else main
            )
            target.append(match["name"])
    stated += dependencies(main, path) + dependencies(development, path, development=True)
    return [*stated, *roles(main + development, path), choice("package manager", "bundler", path)]


def _php_name(package: str) -> str:
    vendor, _, name = package.partition("/")
    return vendor if name in {"framework", "framework-bundle"} else name


def _table(data: Any, name: str) -> dict[str, Any]:
    found = data.get(name, {}) if isinstance(data, dict) else {}
    return found if isinstance(found, dict) else {}
