"""Small files that state one thing: tool versions, make targets, the licence."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePosixPath

from distill.code.statement import Stated, one_of, scope_of, version
from distill.slots import slot

VERSION_FILES = {
    ".python-version": "Python",
    ".nvmrc": "node",
    ".node-version": "node",
    ".ruby-version": "Ruby",
    ".go-version": "Go",
    ".java-version": "Java",
    ".terraform-version": "Terraform",
    "rust-toolchain": "Rust",
}
ASDF_NAMES = {"nodejs": "node", "golang": "Go"}

_TARGET = re.compile(r"^(?P<names>[A-Za-z0-9][\w./ -]*?)\s*::?(?![:=])(?P<rest>[^=]*)$")
_LICENCES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, pattern in (
        ("Apache-2.0", r"apache license\s+version 2\.0"),
        ("AGPL-3.0", r"gnu affero general public license\s+version 3"),
        ("LGPL-3.0", r"gnu lesser general public license\s+version 3"),
        ("LGPL-2.1", r"gnu lesser general public license\s+version 2\.1"),
        ("GPL-3.0", r"gnu general public license\s+version 3"),
        ("GPL-2.0", r"gnu general public license\s+version 2"),
        ("MPL-2.0", r"mozilla public license,? version 2\.0"),
        ("MIT", r"permission is hereby granted, free of charge.*without restriction"),
        ("ISC", r"permission to use, copy, modify, and(?:/or)? distribute this software for any purpose"),
        ("BSD-3-Clause", r"redistribution and use in source and binary forms.*neither the name"),
        ("BSD-2-Clause", r"redistribution and use in source and binary forms"),
        ("Unlicense", r"this is free and unencumbered software released into the public domain"),
        ("EUPL-1.2", r"european union public licen[cs]e\s+v\. ?1\.2"),
    )
)


def version_file(path: str, text: str) -> list[Stated]:
    """State the version a one-line file pins."""
    tool = VERSION_FILES[PurePosixPath(path).name]
    line = next((raw.strip() for raw in text.splitlines() if raw.strip() and not raw.startswith("#")), "")
    return [version(tool, line.removeprefix("v").removeprefix("ruby-"), path)] if line else []


def tool_versions(path: str, text: str) -> list[Stated]:
    """State the versions an asdf .tool-versions file pins."""
    stated = []
    for line in text.splitlines():
        parts = line.partition("#")[0].split()
        if len(parts) >= 2:
            stated.append(version(ASDF_NAMES.get(parts[0], parts[0]), parts[1], path))
    return stated


def mise(path: str, text: str) -> list[Stated]:
    """State the versions mise.toml pins."""
    stated = []
    for tool, pinned in tomllib.loads(text).get("tools", {}).items():
        wanted = pinned.get("version") if isinstance(pinned, dict) else pinned
        wanted = wanted[0] if isinstance(wanted, list) and wanted else wanted
        if isinstance(wanted, str):
            stated.append(version(ASDF_NAMES.get(tool, tool), wanted, path))
    return stated


def rust_toolchain(path: str, text: str) -> list[Stated]:
    """State the channel rust-toolchain.toml pins."""
    channel = tomllib.loads(text).get("toolchain", {}).get("channel")
    return [version("Rust", channel, path)] if isinstance(channel, str) else []


def makefile(path: str, text: str) -> list[Stated]:
    """State the targets of a Makefile; pattern rules, special targets and assignments are none."""
    joined = re.sub(r"\\\n", " ", text)
    names: list[str] = []
    for line in joined.splitlines():
        match = _TARGET.match(line.partition("#")[0].rstrip())
        if match and "%" not in match["names"] and "$" not in match["names"]:
            names += match["names"].split()
    return [
        one_of("target", n, path, f"`make {n}` is a target", subject="make") for n in dict.fromkeys(names)
    ]


def licence(path: str, text: str) -> list[Stated]:
    """State the licence a licence file holds, where its words are known."""
    words = " ".join(text.split())
    for name, pattern in _LICENCES:
        if pattern.search(words):
            return [Stated(slot("license", scope=scope_of(path)), name, f"The licence is {name} ({path}).")]
    return []
