"""The short list of tools: names that exist, and the whole way from a question to its evidence."""

from __future__ import annotations

from server.mcp.core import CORE
from server.operations import ALL
from server.operations.search import OPERATIONS as SEARCH


def test_every_name_is_a_tool():
    assert {one.name for one in ALL if one.tool} > CORE


def test_what_one_tool_tells_an_agent_to_use_next_is_listed_too():
    assert {one.name for one in SEARCH} <= CORE
    others = {one.name for one in ALL if one.tool and len(one.name.split("_")) > 1}
    for operation in ALL:
        if operation.name in CORE:
            assert {name for name in others if name in operation.purpose} <= CORE, operation.name
