"""The Dockerfiles: pinned bases, a locked install, nobody's root, nothing else in the build."""

from __future__ import annotations

import re

import pytest

from tests.composed import ROOT

FILES = [ROOT / "Dockerfile", ROOT / "deploy" / "queue" / "Dockerfile"]


def instructions(path):
    """Pairs of instruction and argument, lines that go on joined."""
    text = re.sub(r"(?m)^\s*#.*\n", "", path.read_text())
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines if line.strip()]


@pytest.fixture(params=FILES, ids=lambda path: str(path.parent.name))
def file(request):
    return instructions(request.param)


@pytest.fixture
def stages():
    """The instructions of each stage of the limbeck image."""
    found: list[list[tuple[str, str]]] = []
    for name, argument in instructions(ROOT / "Dockerfile"):
        if name == "FROM":
            found.append([])
        found[-1].append((name, argument))
    return found


def test_bases_are_pinned_to_a_patch_version(file):
    bases = [argument.split()[0] for name, argument in file if name == "FROM"]
    assert bases
    assert all(re.search(r":\d+\.\d+\.\d+(-|$)", base) for base in bases)


def test_the_last_account_is_a_number_and_not_root(file):
    (user,) = [argument for name, argument in file if name == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    names = [name for name, _ in file]
    assert not {"RUN", "COPY", "ADD"} & set(names[names.index("USER") :])


def test_nothing_is_fetched_but_by_the_package_manager_or_given_as_a_secret(file):
    text = " ".join(argument for _, argument in file)
    assert not re.search(r"curl|wget|https?://|git clone|PASSWORD=|TOKEN=", text)
    assert "ADD" not in {name for name, _ in file}


def test_the_process_is_started_without_a_shell(file):
    (entry,) = [argument for name, argument in file if name == "ENTRYPOINT"]
    assert re.fullmatch(r'\["[^"]+"\]', entry)


def test_every_installation_is_locked(stages):
    runs = [argument for stage in stages for name, argument in stage if name == "RUN"]
    installs = re.findall(r"pip install ([^&]+)", " && ".join(runs))
    assert installs
    for words in installs:
        locked = "--require-hashes" in words and "--only-binary :all:" in words
        own_wheel = "--no-index" in words and "--no-deps" in words
        assert locked or own_wheel, words


def test_the_image_has_no_build_tool(stages):
    *_, last = stages
    assert all("pip" not in argument and "apt" not in argument for name, argument in last if name == "RUN")
    copied = [argument for name, argument in last if name == "COPY"]
    assert copied == ["--from=build /opt/limbeck /opt/limbeck"]


def test_only_what_is_named_reaches_the_builder():
    lines = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert lines[0] == "*"
    admitted = {line[1:] for line in lines if line.startswith("!")}
    assert all((ROOT / path).exists() for path in admitted)
    assert not any("secret" in path or path.startswith(".") for path in admitted)
