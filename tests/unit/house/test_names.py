"""Our packages' names are ours: nothing installed shares one, and nobody's folder can stand in for one."""

from __future__ import annotations

import json
import os
import subprocess
from importlib.metadata import distributions, packages_distributions
from importlib.util import find_spec
from pathlib import Path

from limbeck.services.program import python_command

from .conftest import ROOT

FORBIDDEN = {"utils", "helpers", "util", "helper", "misc", "common"}


def test_every_package_resolves_inside_our_tree(packages):
    for name in packages:
        spec = find_spec(name)
        assert spec is not None, name
        assert spec.origin is not None, name
        assert Path(spec.origin) == ROOT / name / "__init__.py"
        assert (ROOT / name / "py.typed").is_file(), name


def test_nothing_but_limbeck_ships_one_of_our_names(packages):
    installed = packages_distributions()
    assert {name: installed[name] for name in packages if set(installed.get(name, [])) - {"limbeck"}} == {}


def test_no_installed_file_lies_in_a_folder_of_our_name(packages):
    """Also what no metadata calls a package: a folder without code would still be found first."""
    ours = set(packages)
    clashes = {
        (distribution.name, path.parts[0])
        for distribution in distributions()
        for path in distribution.files or []
        if path.parts[0].removesuffix(".py") in ours and distribution.name != "limbeck"
    }
    assert clashes == set()


def test_a_folder_of_the_same_name_does_not_stand_in_for_ours(packages, tmp_path):
    for name in packages:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    show = tmp_path / "show_places.py"
    show.write_text("")
    command = python_command("limbeck.main", "status", "--json")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tmp_path),
        "LIMBECK_HOME": str(tmp_path / "h"),
    }
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "the wrong package" not in done.stderr
    assert json.loads(done.stdout)["running"] is False


def test_the_lists_of_packages_agree(packages, project):
    tools = project["tool"]
    assert tools["mypy"]["packages"] == packages
    assert tools["importlinter"]["root_packages"] == packages
    sdist = {
        path
        for path in tools["hatch"]["build"]["targets"]["sdist"]["include"]
        if path.endswith(tuple(packages))
    }
    assert sdist == {f"/{name}" for name in packages}
    assert {path.parent.name for path in ROOT.glob("*/py.typed")} == set(packages)


def test_no_module_has_a_name_that_says_nothing(texts):
    parts = {
        (name, part) for name in texts if name.endswith(".py") for part in Path(name).with_suffix("").parts
    }
    assert {name for name, part in parts if part in FORBIDDEN} == set()
