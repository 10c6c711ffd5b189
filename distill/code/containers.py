"""Containers: Dockerfile and compose files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

import yaml

from distill.code.statement import Stated, choice, one_of, product, scope_of
from distill.slots import slot

_VARIABLE = re.compile(r"\$\{(?P<braced>\w+)(?::?-(?P<default>[^}]*))?\}|\$(?P<bare>\w+)")


def dockerfile(path: str, text: str) -> list[Stated]:
    """State the base image of the last stage and the ports it exposes; build arguments are filled in."""
    arguments: dict[str, str] = {}
    stages: dict[str, str] = {}
    base, ports = "", list[str]()
    for word, rest in _instructions(text):
        if word == "ARG":
            name, _, default = rest.partition("=")
            arguments[name.strip()] = default.strip().strip("\"'")
        elif word == "FROM":
            parts = [p for p in rest.split() if not p.startswith("--")]
            image = _filled(parts[0], arguments) if parts else ""
            base, ports = stages.get(image.lower(), image), []
            if len(parts) == 3 and parts[1].lower() == "as":
                stages[parts[2].lower()] = base
        elif word == "EXPOSE":
            ports += [_filled(port, arguments) for port in rest.split()]
    stated = [choice("base image", base, path)] if base else []
    return stated + [
        one_of("exposed port", port, path, f"The container exposes port {port}") for port in ports
    ]


def compose(path: str, text: str) -> list[Stated]:
    """State the services, their images, and the database, cache or queue a well-known image stands for."""
    data = yaml.safe_load(text)
    services = data.get("services", {}) if isinstance(data, dict) else {}
    stated: list[Stated] = []
    filled: dict[str, set[str]] = {}
    for name, service in services.items() if isinstance(services, dict) else ():
        stated.append(one_of("service", str(name), path, f"{name} is a service of the compose file"))
        image = service.get("image") if isinstance(service, dict) else None
        if not isinstance(image, str):
            continue
        image = _filled(image, {})
        where = slot(f"{name} service", "image", scope=scope_of(path))
        stated.append(Stated(where, image, f"The service {name} runs {image} ({path})."))
        if found := product(image):
            filled.setdefault(found[0], set()).add(found[1])
    return stated + [choice(role, min(values), path) for role, values in filled.items() if len(values) == 1]


def is_dockerfile(path: str) -> bool:
    """Say whether a path is a Dockerfile by its name."""
    name = PurePosixPath(path).name
    return (
        name in {"Dockerfile", "Containerfile"}
        or name.startswith("Dockerfile.")
        or name.endswith(".Dockerfile")
    )


def is_compose(path: str) -> bool:
    """Say whether a path is a compose file by its name; overrides and profiles are not."""
    return PurePosixPath(path).name in {
        "compose.yaml",
        "compose.yml",
        "docker-compose.yml",
        "docker-compose.yaml",
    }


def _instructions(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\[ \t]*\n", " ", "\n".join(lines))
    found = []
    for line in joined.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.isalpha() and rest:
            found.append((word.upper(), rest.strip()))
    return found


def _filled(text: str, arguments: dict[str, Any]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match["braced"] or match["bare"]
        return str(arguments.get(name) or match["default"] or match[0])

    return _VARIABLE.sub(value, text)
