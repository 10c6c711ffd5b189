"""Which reader reads which file. A file that cannot be parsed states nothing, and disproves nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from xml.parsers.expat import ExpatError

import yaml

from distill.code import compiled, containers, javascript, jvm, pipelines, plain, python, terraform
from distill.code.statement import Stated

Reader = Callable[[str, str], list[Stated]]

BY_NAME: dict[str, Reader] = {
    "pyproject.toml": python.pyproject,
    "uv.lock": python.uv_lock,
    "poetry.lock": python.poetry_lock,
    "package.json": javascript.package_json,
    "package-lock.json": javascript.npm_lock,
    "npm-shrinkwrap.json": javascript.npm_lock,
    "pnpm-lock.yaml": javascript.pnpm_lock,
    "yarn.lock": javascript.yarn_lock,
    "bun.lock": javascript.bun_lock,
    "Cargo.toml": compiled.cargo,
    "Cargo.lock": compiled.cargo_lock,
    "go.mod": compiled.go_mod,
    "composer.json": compiled.composer,
    "Gemfile": compiled.gemfile,
    "pom.xml": jvm.pom,
    "build.gradle": jvm.gradle,
    "build.gradle.kts": jvm.gradle,
    ".gitlab-ci.yml": pipelines.gitlab,
    ".gitlab-ci.yaml": pipelines.gitlab,
    ".tool-versions": plain.tool_versions,
    "mise.toml": plain.mise,
    ".mise.toml": plain.mise,
    "rust-toolchain.toml": plain.rust_toolchain,
    "Makefile": plain.makefile,
    "makefile": plain.makefile,
    "GNUmakefile": plain.makefile,
    **dict.fromkeys(plain.VERSION_FILES, plain.version_file),
}
BY_SHAPE: tuple[tuple[Callable[[str], bool], Reader], ...] = (
    (containers.is_dockerfile, containers.dockerfile),
    (containers.is_compose, containers.compose),
    (pipelines.is_workflow, pipelines.github),
    (
        lambda path: bool(re.search(r"(?:^|/)requirements(?:[-_./][\w./-]*)?\.(?:txt|in)$", path)),
        python.requirements,
    ),
    (lambda path: path.endswith(".tf"), terraform.terraform),
    (
        lambda path: bool(re.fullmatch(r"(?:LICEN[CS]E|COPYING)(?:[.-]\w+)?", PurePosixPath(path).name)),
        plain.licence,
    ),
)
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, yaml.YAMLError, ExpatError, RecursionError)


def reader_for(path: str) -> Reader | None:
    """Return the reader for a path, or None where the file states nothing we read."""
    named = BY_NAME.get(PurePosixPath(path).name)
    if named is not None:
        return named
    return next((reader for fits, reader in BY_SHAPE if fits(path)), None)


def stated(path: str, text: str) -> list[Stated] | None:
    """Return what a file states, or None where nothing reads it or it cannot be parsed."""
    reader = reader_for(path)
    if reader is None:
        return None
    try:
        return [statement for statement in reader(path, text) if statement.value.strip()]
    except UNREADABLE:
        return None
