"""Terraform: providers, versions and the state's backend, from HCL blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from distill.code.statement import Stated, choice, one_of, version

_TOKEN = re.compile(
    r"(?P<skip>\s+|#[^\n]*|//[^\n]*|/\*.*?\*/)|<<-?(?P<here>\w+)\n.*?\n\s*(?P=here)\b"
    r"|\"(?P<string>(?:[^\"\\]|\\.)*)\"|(?P<word>[\w.-]+)|(?P<mark>[{}=])|(?P<other>.)",
    re.DOTALL,
)


def terraform(path: str, text: str) -> list[Stated]:
    """State what the blocks ``terraform`` and ``provider`` declare."""
    blocks = _body(_tokens(text))
    stated: list[Stated] = []
    providers: list[str] = []
    for name, labels, content in blocks:
        if name == "provider" and labels:
            providers.append(labels[0])
        if name != "terraform" or not isinstance(content, list):
            continue
        for inner, inner_labels, value in content:
            if inner == "required_version" and isinstance(value, str):
                stated.append(version("Terraform", value, path))
            elif inner == "backend" and inner_labels:
                stated.append(choice("terraform backend", inner_labels[0], path))
            elif inner == "required_providers" and isinstance(value, list):
                providers += [provider for provider, _, _ in value]
    return stated + [
        one_of("provider", name, path, f"Terraform uses the provider {name}", subject="terraform")
        for name in dict.fromkeys(providers)
    ]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skip":
            yield kind, match[kind]


def _body(tokens: Iterator[tuple[str, str]]) -> list[tuple[str, list[str], Any]]:
    """Read blocks and attributes up to the closing brace: (name, labels, string or inner body or None)."""
    found: list[tuple[str, list[str], Any]] = []
    name, labels, assigned = "", list[str](), False
    for kind, value in tokens:
        if (kind, value) == ("mark", "}"):
            return found
        if (kind, value) == ("mark", "{"):
            inner = _body(tokens)
            if name:
                found.append((name, labels, inner))
            name, labels, assigned = "", [], False
        elif (kind, value) == ("mark", "="):
            assigned = True
        elif kind == "string" and assigned:
            found.append((name, labels, value))
            name, labels, assigned = "", [], False
        elif kind == "string":
            labels = [*labels, value]
        elif kind == "word":
            if assigned:
                found.append((name, labels, None))
                name, labels, assigned = "", [], False
            else:
                name, labels = value, []
    return found
