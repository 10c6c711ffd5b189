"""The bundle as a pure function of the state."""

from __future__ import annotations

import json
from dataclasses import replace
from posixpath import dirname

import yaml
from hypothesis import given, settings
from markdown_it import MarkdownIt

from projection.okf.check import check, resolve
from projection.okf.frontmatter import block, read
from projection.okf.render import digest, manifest, render
from projection.okf.state import State
from schema.records import FactKind, Slot
from tests.unit.projection.build import NOON, TEXT, fact, small, states


def linked(files, start="index.md"):
    """Every file that can be reached from ``start`` by the links a Markdown reader sees."""
    seen, waiting = set(), [start]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        if not page.endswith(".md"):
            continue
        body = read(files[page].decode())[1]
        for token in MarkdownIt("commonmark").parse(body):
            for one in token.children or ():
                if one.type == "link_open" and ":" not in one.attrs["href"]:
                    target = resolve(page, one.attrs["href"])
                    waiting.append(
                        target if target in files else resolve(page, one.attrs["href"], "index.md")
                    )
    return seen


def with_manifest(state):
    files = render(state)
    return files | {"manifest.json": manifest(files, state.project, 1, NOON)}


def test_the_layout():
    assert sorted(render(small())) == [
        "events/index.md",
        "events/recent.md",
        "facts/decision/index.md",
        "facts/decision/subject-1-choice-bearer-0000000001.md",
        "facts/index.md",
        "index.md",
        "log.md",
        "sessions/2026-03-04-sign-in-0000000032.md",
        "sessions/index.md",
        "use_cases/US1001-sign-in.md",
        "use_cases/index.md",
        "x-limbeck/facts-0001.jsonl",
        "x-limbeck/index.md",
    ]


def test_a_fact_says_where_it_comes_from_and_what_held_before():
    files = render(small())
    fields, body, _ = read(files["facts/decision/subject-1-choice-bearer-0000000001.md"].decode())
    assert fields["type"] == "Fact"
    assert fields["description"] == "The API uses bearer tokens"
    assert fields["timestamp"] == "2026-03-02T12:01:00+00:00"
    assert fields["generated"] == {"by": "process:limbeck", "at": "2026-03-02T12:01:01+00:00"}
    assert fields["status"] == "stable"
    assert fields["verified"] == [{"by": "process:limbeck-rescan", "at": "2026-03-02T12:00:00+00:00"}]
    assert fields["sources"] == [
        {
            "id": "s1",
            "resource": "../../sessions/2026-03-04-sign-in-0000000032.md",
            "title": "session of 2026-03-02",
        },
        {"id": "s2", "resource": f"urn:commit:{'a' * 40}", "title": f"commit {'a' * 12}"},
        {"id": "s3", "resource": "urn:file:src/auth.py", "title": "file src/auth.py"},
    ]
    assert fields["x-limbeck"]["last_verified_commit"] == "b" * 40
    assert fields["x-limbeck"]["standing"] == "person"
    assert "* 2026-02-21 to 2026-03-02: cookies - replaced" in body
    assert "1. [session of 2026-03-02](../../sessions/2026-03-04-sign-in-0000000032.md)" in body


def test_the_same_state_gives_the_same_bytes_and_only_the_manifest_says_when():
    first, second = render(small()), render(small())
    assert first == second
    assert digest(first) == digest(second)
    told = json.loads(manifest(first, "shop", 3, NOON))
    assert told["generated_at"] == "2026-03-02T12:00:00+00:00"
    assert (told["generation"], told["okf_version"], told["version"], told["project"]) == (
        3,
        "0.1",
        1,
        "shop",
    )
    assert {one["path"] for one in told["files"]} == set(first)


def test_the_order_in_which_a_state_was_read_does_not_matter():
    many = State("shop", facts=tuple(fact(n, kind=FactKind.STACK) for n in range(9)))
    assert render(replace(many, facts=many.facts[::-1])) == render(many)


@settings(max_examples=150, deadline=None)
@given(states())
def test_whatever_is_stored_the_bundle_conforms(state):
    files = with_manifest(state)
    assert check(files) == []


@settings(max_examples=100, deadline=None)
@given(states())
def test_a_reader_reaches_every_page_and_nothing_stored_makes_a_link(state):
    files = with_manifest(state)
    assert linked(files) == set(files)
    assert set(files) >= {f"{dirname(path)}/index.md".lstrip("/") for path in files}


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT)
def test_any_text_survives_a_yaml_reader(title, held):
    fields = {"type": "Fact", "title": title, "x": {"a": [held, None, 1, True]}}
    clean = json.loads(json.dumps(fields).encode("utf-8", "replace"))
    assert yaml.safe_load(block(fields).removeprefix("---\n").removesuffix("---\n")) == clean
    assert read(block(fields) + "# x\n")[0] == clean


def test_an_empty_project_has_a_bundle_too():
    files = with_manifest(State("shop"))
    assert check(files) == []
    assert "facts/index.md" in files


def test_a_crowded_kind_is_split_by_the_first_letter():
    many = tuple(fact(n, slot=Slot(f"{'ab'[n % 2]}{n}", "choice")) for n in range(302))
    files = with_manifest(State("shop", facts=many))
    assert check(files) == []
    assert "facts/decision/a/index.md" in files
    assert linked(files) == set(files)


def test_a_bundle_is_bounded():
    many = tuple(fact(n) for n in range(10_050))
    files = render(State("shop", facts=many))
    pages = [path for path in files if path.startswith("facts/") and not path.endswith("index.md")]
    assert len(pages) == 10_000
    assert b"10,000 facts" not in files["index.md"]


def test_a_rule_that_says_never_is_titled_so():
    never = fact(
        7, "We never write down migrations.", slot=Slot("we write down migrations", "rule"), value="never"
    )
    files = render(replace(small(), facts=(never,)))
    (path,) = (name for name in files if name.startswith("facts/decision/we-write"))
    fields, body, _ = read(files[path].decode())
    assert fields["title"] == "We never write down migrations"
    assert "# We never write down migrations\n" in body
    for page in ("index.md", "facts/decision/index.md"):
        assert "[We never write down migrations](" in files[page].decode()
        assert "we write down migrations" not in files[page].decode()
