"""Bundles held against an independent reader of the format; `make test-okf` runs this with its own environment."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from projection.okf import tree
from projection.okf.render import manifest, render
from projection.okf.state import State
from tests.unit.projection.build import NOON, fact, small, states

PARSER = os.environ["OKF_PARSER"]


def checked(folder, state):
    """What the other reader says of the bundle of ``state``."""
    files = render(state)
    tree.reconcile(folder, files, manifest(files, "shop", 1, NOON))
    done = subprocess.run([PARSER, "check", str(folder)], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_one_of_everything(tmp_path):
    code, told = checked(tmp_path / "b", small())
    assert (code, told["conformant"], told["diagnostics"]) == (0, True, [])
    assert (told["concept_count"], told["reserved_count"]) == (4, 8)


def test_nothing_and_much(tmp_path):
    assert checked(tmp_path / "empty", State("shop"))[0] == 0
    many = State("shop", facts=tuple(fact(n) for n in range(1_000)))
    code, told = checked(tmp_path / "many", many)
    assert (code, told["concept_count"], told["diagnostics"]) == (0, 1_000, [])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states())
def test_whatever_is_stored(tmp_path, state):
    code, told = checked(tmp_path / "b", replace(state, project="shop"))
    assert (code, told["diagnostics"]) == (0, [])


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("facts/index.md", "---\ntitle: x\n---\n# Facts\n", "OKF004"),
        ("log.md", "# Log\n\n## Yesterday\n", "OKF008"),
        ("facts/bare.md", "# no frontmatter\n", "OKF001"),
    ],
)
def test_the_reader_sees_what_is_broken(tmp_path, path, content, code):
    checked(tmp_path / "b", small())
    (tmp_path / "b" / path).write_text(content)
    done = subprocess.run([PARSER, "check", str(tmp_path / "b")], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert code in done.stdout
