"""The plugin in Claude Code, installed as a person installs it, and a model that follows each of its skills."""

from __future__ import annotations

import json

import pytest

from limbeck.install.plugin import skills
from server.mcp.core import CORE
from tests.agents.claude import Claude, bash
from tests.agents.messages import answered
from tests.agents.script import Call, Found, done

PREFIX = "mcp__plugin_limbeck_limbeck__"
WORK = f"Bash,Edit,Write,Read,Skill,{PREFIX.removesuffix('__')}"
# What a person allows who is asked before anything is saved.
READ = f"Read,Skill,{PREFIX}search_memory,{PREFIX}getMemorySearch,{PREFIX}getMemory"
TEST = """\
from app import count

assert count([1, 2]) == 2, count([1, 2])
print("1 passed")
"""


def tool(name, /, **arguments):
    return Call(PREFIX + name, arguments)


def skill(name):
    return Call("Skill", {"skill": f"limbeck:{name}"})


@pytest.fixture
def plugged(machine, tmp_path):
    """Start Claude Code with the plugin, in a project with a commit that the memory knows."""

    def start(script):
        claude = Claude(machine, script, hooks=False)
        folder = tmp_path / "plugin"
        machine.limbeck("install", "--plugin", str(folder))
        for words in (["marketplace", "add", str(folder)], ["install", "limbeck@limbeck-local"]):
            machine.run([claude.program, "plugin", *words], claude.environment)
        machine.limbeck("install", "git", "--project", str(machine.project))
        (machine.project / "app.py").write_text("def count(items):\n    return len(items) - 1\n")
        machine.git("add", "-A")
        machine.git("commit", "-q", "-m", "Begin the app")
        machine.until("SELECT sha FROM commits", len)
        return claude

    return start


def loaded(claude, name):
    """Whether the text of a skill reached the model."""
    step = skills()[name].strip().splitlines()[-1]
    return any(json.dumps(step)[1:-1] in json.dumps(one) for one in claude.server.asked)


def refusals(request):
    """What tools refused or failed at in a conversation."""
    return [
        json.dumps(block["content"])
        for message in request["messages"]
        for block in (message["content"] if isinstance(message["content"], list) else ())
        if block.get("type") == "tool_result" and block.get("is_error")
    ]


def test_every_tool_that_is_listed_reaches_the_model(plugged):
    claude = plugged({"Say it": []})
    claude.run("Say it", strict=False, allowed=WORK)
    assert {PREFIX + name for name in CORE} <= claude.offered()
    assert claude.server.refused == []


def approved(machine):
    """A bug below a use case, proposed by an agent and approved by a person; its number."""
    parent = {"type": "US", "title": "Count what is in the basket"}
    above = json.loads(machine.limbeck("call", "create_entity", "--body", json.dumps(parent)))
    bug = {"type": "BU", "title": "The count is one too low", "parent": above["draft"]["id"]}
    draft = json.loads(machine.limbeck("call", "create_entity", "--body", json.dumps(bug)))["draft"]["id"]
    machine.limbeck("drafts", "approve", draft, "--project", "project")
    (item,) = json.loads(machine.limbeck("call", "list_work_items", "type=BU"))["items"]
    return item["number"]


def test_an_item_is_solved_to_a_recorded_delivery(machine, plugged):
    number = "BU3001"
    app, check = str(machine.project / "app.py"), str(machine.project / "test_app.py")
    version, commit = Found(r'"version":\s*(\d+)', number=True), Found(r"\b([0-9a-f]{40})\b")
    delivery = f"git add -A && git commit -q -m 'Count every item, fixes {number}' && git rev-parse HEAD"
    log = {
        "outcome": "The count of a basket is the number of its items.",
        "tests": "test_app.py failed before the change and passes after it: 1 passed.",
        "review": "Read the diff once more: one line, no other caller.",
        "score": 95,
        "seconds": 40,
        "commit": commit,
    }
    script = {
        "Take the next bug": [
            [skill("solve")],
            # As Claude Code wants it for a tool that it has only named.
            [Call("ToolSearch", {"query": f"select:{PREFIX}list_work_items", "max_results": 1})],
            [tool("list_work_items", state=["open", "pending"])],
            [tool("get_item_by_number", number=number)],
            [
                tool("get_work_item_history", number=number),
                tool("search_memory", query="The count is one too low", files=["app.py"]),
            ],
            [tool("update_work_item", number=number, state="pending", version=1)],
            [tool("update_work_item", number=number, state="in-progress", version=version)],
            [Call("Write", {"file_path": check, "content": TEST})],
            [bash("python3 -I -c 'import sys; sys.path.insert(0, \".\"); import test_app'")],
            [Call("Read", {"file_path": app})],
            [Call("Edit", {"file_path": app, "old_string": "len(items) - 1", "new_string": "len(items)"})],
            [bash("python3 -I -c 'import sys; sys.path.insert(0, \".\"); import test_app'")],
            [tool("create_entity", type="TA", title="Say what an empty basket counts")],
            [bash(delivery)],
            [tool("add_work_log", number=number, **log)],
            [tool("get_item_by_number", number=number)],
        ]
    }
    claude = plugged(script)
    assert approved(machine) == number
    assert done("Take the next bug") in claude.run("Take the next bug", strict=False, allowed=WORK)
    assert loaded(claude, "solve")
    last = claude.server.asked[-1]
    refused = refusals(last)
    assert len(refused) == 1, refused  # the test, before the change
    assert "AssertionError" in refused[0]

    commits = machine.until("SELECT sha, message FROM commits", lambda rows: len(rows) == 2)
    (head,) = {row["sha"] for row in commits if number in row["message"]}
    items = "SELECT state FROM items WHERE type = 'BU'"
    machine.until(items, lambda rows: rows == [{"state": "review"}])
    machine.until(f"SELECT session FROM commits WHERE sha = '{head}'", lambda rows: rows[0]["session"])
    shown = json.loads(machine.limbeck("call", "get_item_by_number", f"number={number}"))
    (entry,) = shown["work"]
    assert {key: entry[key] for key in log} == log | {"commit": head}
    page = machine.limbeck("call", "getUseCasePage", f"number={shown['item']['useCase']}")
    assert "What was done" in page
    assert log["outcome"] in page
    assert head[:7] in page
    drafts = machine.rows("SELECT title, state FROM drafts WHERE type = 'TA'")
    assert drafts == [{"title": "Say what an empty basket counts", "state": "draft"}]
    machine.ended()
    assert not [row for row in machine.observations() if "limbeck" in row["tool"]]


def memories(machine):
    return [one["content"] for one in json.loads(machine.limbeck("memory", "list", "--json"))["memories"]]


def test_a_memory_is_saved_only_after_a_yes(machine, plugged):
    content = "Ada deploys on Thursdays, because support is full then."
    draft = f"Draft: {content}\nFrom: 'we deploy on Thursdays'\nTags: deploy\nSave this?"
    contexts = [{"snippet": "we deploy on Thursdays", "origin": "active_conversation"}]
    save = tool("postMemory", content=content, contexts=contexts, tags=["deploy"])
    script = {
        "Remember when we deploy": [[skill("remember")], draft],
        "Yes, save it": [[save]],
        "No, leave it": ["Nothing was saved."],
        "Which memories are there": [[tool("getMemorySearch", q="deploy")]],
        "Delete it": ["Delete this for good?"],
        "Yes, for good": [[tool("deleteMemoryById", id=Found(r"(mem_\w+)"))]],
    }
    claude = plugged(script)

    def say(words, *options, allowed=WORK):
        return claude.run(words, *options, strict=False, allowed=allowed)

    assert "Save this?" in say("Remember when we deploy")
    assert loaded(claude, "remember")
    say("No, leave it", "--continue")
    assert memories(machine) == []
    say("Remember when we deploy")
    assert memories(machine) == []
    say("Yes, save it", "--continue")
    assert refusals(claude.server.asked[-1]) == []
    assert memories(machine) == [content]
    say("Which memories are there", "--continue")
    assert content in answered(claude.server.asked[-1])[-1]
    say("Delete it", "--continue")
    assert memories(machine) == [content]
    say("Yes, for good", "--continue")
    assert memories(machine) == []


def test_what_a_person_did_not_allow_is_not_saved(machine, plugged):
    """A model that saves without asking meets the person's own gate: no skill of ours opens it."""
    save = tool("postMemory", content="The model thought that this may be of use.")
    claude = plugged({"Look around": [[skill("remember")], [save]]})
    claude.run("Look around", strict=False, allowed=READ)
    assert any("permission" in said for said in refusals(claude.server.asked[-1]))
    assert memories(machine) == []


def test_recalling_goes_from_the_index_to_the_evidence(machine, plugged):
    question = "Which database do we use?"
    ref = Found(r"from fact ([\w-]+)")
    script = {
        "We use Postgres for the database.": [],
        "What stores the orders": [
            [skill("recall")],
            [tool("search_memory", query=question, indexOnly=True, files=["app.py"])],
            [tool("open_memory", kind="fact", ref=ref)],
            [tool("open_evidence", id=ref)],
            [tool("search_capabilities", query="which files change most")],
            [tool("execute_capability", name="hotspots", query={})],
        ],
    }
    claude = plugged(script)
    claude.run("We use Postgres for the database.", strict=False, allowed=WORK)
    machine.ended()
    machine.until("SELECT 1 FROM search_units WHERE kind = 'fact'", len)
    claude.run("What stores the orders", strict=False, allowed=WORK)
    assert loaded(claude, "recall")
    last = claude.server.asked[-1]
    assert refusals(last) == []
    _, index, detail, evidence, found, ran = answered(last)
    assert "Postgres" in index
    assert "Postgres" in detail
    assert "We use Postgres for the database." in evidence
    assert "hotspots" in found
    assert "app.py" in ran
    machine.ended(2)
    assert not [row for row in machine.observations() if "limbeck" in row["tool"]]
