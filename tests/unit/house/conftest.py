"""What the house is made of: the tracked files, and the packages that pyproject.toml ships."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Every file that git tracks and the working tree still has."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in found if path.is_file()]


@pytest.fixture(scope="session")
def texts(tracked) -> dict[str, str]:
    """The tracked files' content by their path in the repository; what is no text is left out."""
    found = {}
    for path in tracked:
        content = path.read_bytes()
        if b"\0" not in content:
            found[path.relative_to(ROOT).as_posix()] = content.decode("utf-8")
    return found


@pytest.fixture(scope="session")
def project() -> dict:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def packages(project) -> list[str]:
    """Our top-level packages."""
    return project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
