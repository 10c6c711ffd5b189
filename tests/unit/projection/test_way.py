"""No link on the way to a folder of ours takes it out of its project."""

from __future__ import annotations

from pathlib import Path

import pytest

from projection.errors import UnsafePath
from projection.okf import tree
from projection.okf.render import manifest
from projection.pages import folder as pages
from projection.way import require_plain
from tests.unit.projection.build import NOON

FILES = {"index.md": b"one"}


def repository(at: Path) -> Path:
    (at / ".git").mkdir(parents=True)
    (at / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return at


@pytest.fixture
def outside(tmp_path) -> Path:
    made = tmp_path / "outside"
    made.mkdir()
    return made


@pytest.fixture(params=["a repository", "a repository in one", "no repository"])
def root(request, tmp_path, monkeypatch) -> Path:
    """A project's root."""
    made = tmp_path / "own"
    if request.param == "no repository":
        made.mkdir()
    else:
        repository(made)
    if request.param == "a repository in one":
        made = repository(made / "inner")
    monkeypatch.chdir(made)
    return made


def written(place: Path) -> None:
    tree.reconcile(place, FILES, manifest(FILES, "shop", 1, NOON))


ACTS = {"written": written, "read": tree.read, "scanned": pages.scan, "looked at": require_plain}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("below", ["documents", "documents/use_cases", "documents/a/b/.okf"])
def test_a_linked_folder_on_the_way_is_refused(root, outside, act, below):
    (root / "documents").symlink_to(outside)
    with pytest.raises(UnsafePath, match="symbolic link"):
        ACTS[act](root / below)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("act", ACTS)
def test_a_link_to_another_repository_is_one_too(root, outside, act, tmp_path):
    if not (root / ".git").exists():
        repository(root)
    repository(outside)
    repository(outside / "deeper")
    (root / "documents").symlink_to(outside)
    for below in ("documents", "documents/.okf", "documents/deeper/.okf"):
        with pytest.raises(UnsafePath, match="symbolic link"):
            ACTS[act](root / below)


def test_a_relative_name_is_the_same(root, outside):
    Path("documents").symlink_to(outside)
    with pytest.raises(UnsafePath):
        written(Path("documents/.okf"))


def test_how_the_machine_is_laid_out_is_its_owners(root, tmp_path):
    (tmp_path / "short").symlink_to(root)
    written(tmp_path / "short" / "documents" / ".okf")
    assert (root / "documents" / ".okf" / "index.md").read_bytes() == b"one"
