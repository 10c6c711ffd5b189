"""The skills that `limbeck install` adds, as each agent offers them to its model: a user's, and a project's."""

from __future__ import annotations

import json
import re

import pytest

from limbeck.install.plugin import skills
from tests.agents.claude import Claude
from tests.agents.real_codex import Codex
from tests.agents.real_gemini import Gemini

AGENTS = {"claude": Claude, "codex": Codex, "gemini": Gemini}


def beginnings():
    """How the description of each skill begins, as far as no agent shortens it."""
    for name, text in skills().items():
        yield name, re.search(r"^description: (.{40})", text, re.MULTILINE)[1]


def offered(agent):
    said = json.dumps(agent.server.asked)
    return {name for name, beginning in beginnings() if json.dumps(beginning)[1:-1] in said}


@pytest.mark.parametrize("name", AGENTS)
def test_what_install_adds_is_offered(machine, name):
    agent = AGENTS[name](machine, {"Say it": []})
    agent.run("Say it")
    assert offered(agent) == set(skills())


@pytest.mark.parametrize("name", AGENTS)
def test_a_project_has_its_own(machine, name):
    agent = AGENTS[name](machine, {"Say it": []})
    machine.limbeck("uninstall", name)
    machine.limbeck("install", name, "--project", str(machine.project))
    agent.run("Say it")
    assert offered(agent) == set(skills())


@pytest.mark.parametrize("name", AGENTS)
def test_out_is_out(machine, name):
    agent = AGENTS[name](machine, {"Say it": []})
    machine.limbeck("uninstall", name)
    agent.run("Say it")
    assert offered(agent) == set()
