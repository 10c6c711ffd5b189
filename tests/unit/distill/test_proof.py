"""What a commit's files prove, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.code.languages import languages
from distill.code.proof import prove, read
from distill.code.readers import BY_NAME, reader_for, stated
from distill.resolve import resolve
from schema.records import Commit, Fact, Manifest, Standing

AT = datetime(2026, 4, 1, tzinfo=UTC)


def commit(text: str | None, path: str = "requirements.txt", day: int = 0, cut: bool = False) -> Commit:
    manifests = (Manifest(path, text, cut),)
    return Commit(f"c{day}", f"{day:040x}", "m", AT + timedelta(days=day), manifests=manifests)


def after(*commits: Commit) -> tuple[Fact, ...]:
    facts: tuple[Fact, ...] = ()
    for one in commits:
        current = [fact for fact in facts if fact.current]
        outcome = resolve(facts, prove(one, current), one.at + timedelta(days=300))
        facts = tuple(f for f in facts if f.version not in outcome.closes) + outcome.appends
    return facts


def values(facts: tuple[Fact, ...]) -> set[str]:
    return {fact.value for fact in facts if fact.current}


def test_a_removed_file_ends_what_it_stated() -> None:
    assert values(after(commit("httpx\n"), commit(None, day=2))) == set()


def test_a_file_that_is_not_whole_ends_nothing() -> None:
    assert values(after(commit("httpx\n"), commit("arrow\n", day=2, cut=True))) == {"httpx", "arrow"}
    long = "arrow\n" + "#" * 30_000 + "\n"
    assert values(after(commit("httpx\n"), commit(long, day=2))) == {"arrow"}


def test_stating_the_same_again_makes_no_new_version() -> None:
    facts = after(commit("httpx\n"), commit("httpx\narrow\n", day=2))
    (kept,) = [fact for fact in facts if fact.value == "httpx"]
    assert (len(kept.evidence), kept.evidence[0].id) == (1, "c0")


def test_a_persons_fact_is_not_ended_by_a_files_silence() -> None:
    (fact,) = after(commit("httpx\n"))
    said = replace(fact, standing=Standing.PERSON)
    assert prove(commit("", day=3), [said]) == ()


def test_two_tools_of_one_role_leave_the_role_unsaid() -> None:
    found = stated("requirements.txt", "flask\ndjango\n") or []
    assert {s.slot.subject for s in found} == {"project"}


def test_entities_in_xml_are_refused() -> None:
    body = "<project><properties><java.version>&a;</java.version></properties></project>"
    bomb = f'<!DOCTYPE x [<!ENTITY a "aaaa">]>{body}'
    assert stated("pom.xml", bomb) is None


def test_folders_are_scopes() -> None:
    (proposal, *_) = read(Manifest("web/package.json", '{"dependencies": {"zod": "1"}}'), commit(None))
    assert proposal.slot.scope == "web"


@pytest.mark.parametrize(
    "path", ["README.md", "src/main.py", "notes/requirements/readme.md", "package.json.bak"]
)
def test_other_files_state_nothing(path: str) -> None:
    assert reader_for(path) is None


def test_shares_under_half_state_no_language() -> None:
    assert languages({"Python": 400, "Go": 350, "Rust": 300}) == []
    assert [s.value for s in languages({"TypeScript": 900, "CSS": 5_000})] == ["TypeScript"]


@given(
    st.sampled_from([*sorted(BY_NAME), "Dockerfile", "compose.yaml", "a.tf", "LICENSE"]),
    st.text(max_size=300),
)
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_a_reader(path: str, text: str) -> None:
    found = stated(path, text)
    assert found is None or all(statement.value.strip() for statement in found)
