"""The skills are texts that agents follow: they name tools that exist, and nothing is kept without a yes."""

from __future__ import annotations

import re

import pytest
import yaml

from limbeck.install.plugin import skills
from server.mcp.core import CORE
from server.operations import ALL

TOOLS = {operation.name for operation in ALL if operation.tool and operation.name in CORE}


@pytest.mark.parametrize("name", sorted(skills()))
def test_a_skill_says_what_it_is_for(name: str) -> None:
    head, body = skills()[name].removeprefix("---\n").split("\n---\n", 1)
    said = yaml.safe_load(head)
    assert said["name"] == name
    assert 80 < len(said["description"]) < 1024
    assert body.strip().startswith("# ")


def test_recall_goes_from_index_to_detail_to_evidence() -> None:
    text = skills()["recall"]
    places = [text.index(f"`{name}`") for name in ("search_memory", "open_memory", "open_evidence")]
    assert places == sorted(places)


def test_remember_shows_the_draft_looks_for_secrets_and_waits_for_a_yes() -> None:
    text = skills()["remember"]
    steps = re.findall(r"^\d\. \*\*([^*]+?)\.?\*\*", text, re.MULTILINE)
    assert steps == ["Draft", "Look for secrets", "Show it", "Wait for a yes", "Save"]
    assert "Anything else is a no." in text
    assert "Never save on your own initiative." in text


def test_deleting_is_asked_for() -> None:
    text = skills()["remember"].split("## Delete")[1]
    assert (
        text.index("Show it" if "Show it" in text else "show it")
        < text.index("Ask:")
        < text.index("deleteMemoryById")
    )


def test_solving_works_through_tools_that_exist():
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", skills()["solve"]))
    assert named == {
        *("list_work_items", "get_item_by_number", "get_work_item_history", "search_memory"),
        *("update_work_item", "create_entity", "add_work_log"),
    }
    assert named <= TOOLS


def test_solving_goes_from_the_item_to_a_recorded_delivery():
    text = skills()["solve"]
    tools = ["get_item_by_number", "update_work_item", "create_entity", "add_work_log"]
    places = [text.index(f"`{tool}`") for tool in tools]
    assert places == sorted(places)
    fields = set(re.findall(r"^   - `(\w+)`:", text, re.MULTILINE))
    log = next(operation for operation in ALL if operation.name == "add_work_log")
    assert fields == {"outcome", "tests", "review", "score", "seconds", "commit"}
    assert fields <= set(log.input.model_fields)


def test_solving_leaves_done_to_a_person():
    finish = skills()["solve"].split("## 6. Finish")[1]
    assert "only when the person said so" in finish
