"""requirements.lock is in step with pyproject.toml and pins everything with hashes."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from .conftest import ROOT

PIN = re.compile(r"(?m)^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


@pytest.fixture(scope="module")
def lock():
    return (ROOT / "requirements.lock").read_text("utf-8")


@pytest.fixture(scope="module")
def entries(lock):
    """Each pinned line with what follows it, up to the next."""
    starts = [found.start() for found in PIN.finditer(lock)]
    return [lock[start:end] for start, end in zip(starts, [*starts[1:], len(lock)], strict=True)]


@pytest.fixture(scope="module")
def versions(entries):
    """Every version that is locked for a name (more than one where platforms differ)."""
    found: dict[str, list[Version]] = {}
    for entry in entries:
        pin = PIN.match(entry)
        found.setdefault(canonicalize_name(pin["name"]), []).append(Version(pin["version"]))
    return found


@pytest.fixture(scope="module")
def declared(project):
    """What pyproject.toml asks for, by the comment that the lock has for it."""
    return {
        "limbeck (pyproject.toml)": [Requirement(line) for line in project["project"]["dependencies"]],
        "limbeck (pyproject.toml:dev)": [Requirement(line) for line in project["dependency-groups"]["dev"]],
    }


def test_every_dependency_is_locked_at_a_version_that_it_allows(declared, versions):
    for requirement in (one for wanted in declared.values() for one in wanted):
        locked = versions.get(canonicalize_name(requirement.name), [])
        assert locked, requirement
        assert all(requirement.specifier.contains(version, prereleases=True) for version in locked), (
            requirement
        )


def test_the_lock_asks_for_nothing_that_is_no_longer_declared(declared, entries):
    for comment, wanted in declared.items():
        told = re.compile(rf"(?m)^ +#(?: via)? +{re.escape(comment)}$")
        locked = {canonicalize_name(PIN.match(entry)["name"]) for entry in entries if told.search(entry)}
        assert locked == {canonicalize_name(requirement.name) for requirement in wanted}


def test_everything_is_pinned_and_hashed(lock, entries):
    assert all(HASH.search(entry) for entry in entries)
    plain = [line for line in lock.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(plain) == len(entries)


def test_what_builds_the_package_is_locked(project, versions):
    for line in project["build-system"]["requires"]:
        requirement = Requirement(line)
        assert all(
            requirement.specifier.contains(one) for one in versions[canonicalize_name(requirement.name)]
        )


def test_the_header_tells_how_to_make_it_and_nothing_of_a_machine(lock):
    header = [line for line in lock.splitlines()[:5] if line.startswith("#")]
    assert "uv pip compile pyproject.toml --group dev" in header[1]
    assert not re.search(r"(^|[\s=])/|://", "\n".join(header))
