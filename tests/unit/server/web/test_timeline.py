"""A session's way: what failed then passed, and subagents folded."""

from __future__ import annotations

from dataclasses import dataclass

from server.web.timeline import Fold, told


@dataclass(frozen=True)
class Entry:
    kind: str = "observation"
    role: str | None = None
    tool: str | None = "Bash"
    target: str | None = None
    shape: str | None = "pytest"
    outcome: str | None = "ok"
    subagent_type: str | None = None


FAILED, PASSED = Entry(outcome="failed"), Entry()


def marks(*entries: Entry) -> list[str]:
    return [step.mark for step in told(entries)]


def test_a_call_passes_once_after_it_failed():
    assert marks(FAILED, FAILED, PASSED, PASSED) == ["failed", "failed", "passed", "call"]


def test_another_call_does_not_pass_for_it():
    assert marks(FAILED, Entry(shape="ruff"), Entry(tool="shell")) == ["failed", "call", "call"]


def test_who_speaks_is_marked():
    roles = ("person", "reply", "machine", "compaction")
    assert marks(*(Entry("exchange", role=role) for role in roles)) == ["prompt", "reply", "said", "said"]
    assert marks(Entry("commit")) == ["commit"]


def test_what_a_subagent_did_in_a_row_is_one_fold():
    inner = Entry(subagent_type="tester", outcome="failed")
    found = told([PASSED, inner, inner, PASSED, inner])
    folds = [one for one in found if isinstance(one, Fold)]
    assert [len(fold.steps) for fold in folds] == [2, 1]
    assert folds[0].failed == 2
    assert len(found) == 4
