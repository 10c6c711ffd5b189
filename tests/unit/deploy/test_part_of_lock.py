"""The part of the lock that goes into the image: all that limbeck needs and nothing that only tests it."""

from __future__ import annotations

import re
import runpy
import tomllib
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.composed import ROOT

# A script of the image's first step, not a module of ours.
SCRIPT = runpy.run_path(str(ROOT / "deploy" / "part_of_lock.py"))
packages, part = SCRIPT["packages"], SCRIPT["part"]

LOCK = """\
# made by a tool
a==1 \\
    --hash=sha256:aa
    # via limbeck (pyproject.toml)
b[x]==2 ; sys_platform == 'linux' \\
    --hash=sha256:bb
    # via
    #   a
    #   t
c==3 ; python_full_version < '3.12' \\
    --hash=sha256:c3
    # via b
c==4 ; python_full_version >= '3.12' \\
    --hash=sha256:c4
    # via b
t==4 \\
    --hash=sha256:dd
    # via limbeck (pyproject.toml:dev)
u==5 \\
    --hash=sha256:ee
    # via t
"""


def names(text: str) -> set[str]:
    return set(re.findall(r"(?m)^([a-z0-9._-]+)(?:\[.*\])?==", text))


def test_what_the_project_needs_comes_with_all_that_needs():
    assert names(part(LOCK, "limbeck")) == {"a", "b", "c"}


def test_one_package_comes_with_all_that_it_needs():
    assert names(part(LOCK, "t")) == {"b", "c", "t", "u"}
    assert names(part(LOCK, "c")) == {"c"}


def test_lines_are_kept_as_they_are():
    assert "b[x]==2 ; sys_platform == 'linux' \\\n    --hash=sha256:bb\n" in part(LOCK, "limbeck")


def test_every_version_of_a_package_is_kept():
    assert {"c3", "c4"} <= set(re.findall(r"sha256:(\w+)", part(LOCK, "limbeck")))


def test_an_unknown_name_is_an_error():
    with pytest.raises(KeyError, match="nothing"):
        part(LOCK, "nothing")


@pytest.mark.parametrize("root", ["limbeck", "hatchling"])
def test_the_part_of_our_lock_is_complete(root):
    """Every requirement that an installed package of the part declares is in the part."""
    kept = packages(part((ROOT / "requirements.lock").read_text(), root))
    if root == "limbeck":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        wanted = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
        assert wanted <= kept.keys()
        assert not kept.keys() & {"pytest", "mypy", "ruff", "hatchling", "hypothesis"}
    for name in kept:
        try:
            lines = requires(name) or []
        except ModuleNotFoundError:  # locked for another platform
            continue
        needed = [Requirement(line) for line in lines]
        here = {
            canonicalize_name(r.name) for r in needed if r.marker is None or r.marker.evaluate({"extra": ""})
        }
        assert here <= kept.keys(), name
