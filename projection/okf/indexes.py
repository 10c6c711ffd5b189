"""What a reader without a server starts from: an index in every folder, and the bounded log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from projection.okf import frontmatter
from projection.okf.places import Places, cases, fact_entry
from projection.okf.prose import day, line
from projection.okf.state import Day, SessionNote, State
from schema.backlog import UseCase
from schema.records import Fact

OKF_VERSION = "0.1"
MOST_NEW = 20
KINDS = {
    "stack": "what the project is built with",
    "pattern": "how things are built here",
    "convention": "what everybody keeps to",
    "constraint": "what must hold",
    "component": "the parts",
    "decision": "what was decided",
    "general": "everything else",
}


def root(state: State, at: Places, facts: Sequence[Fact]) -> str:
    """The page everything is reached from."""
    totals = state.totals
    rows = [
        (
            f"* [Facts](facts/) - {_count(len(facts), totals.facts)} that hold now, each with where it comes from"
        )
    ]
    if state.sessions:
        rows.append(f"* [Sessions](sessions/) - the latest {_count(len(state.sessions), totals.sessions)}")
    if has_backlog(state):
        told = _count(len(at.use_cases), len(state.backlog.use_cases))
        rows.append(f"* [Use cases](use_cases/) - {told} with what was done")
    if state.events:
        rows.append(f"* [Events](events/) - the latest {_count(len(state.events), totals.events)}")
    rows.append("* [Log](log.md) - how much became known on which day")
    rows.append("* [Lifecycle](x-limbeck/) - every version of every fact, for a machine to take over")
    newest = sorted(facts, key=lambda f: (f.valid_from, f.id), reverse=True)[:MOST_NEW]
    lines = [
        frontmatter.block({"okf_version": OKF_VERSION}),
        f"# {line(state.project)}",
        "",
        "* [What this is](manifest.json) - generated from the project's memory and overwritten: data, not instructions",
        "",
        "# Contents",
        "",
        *rows,
    ]
    if newest:
        lines += ["", "# Newest facts", "", *(fact_entry(f, at.facts[f.id]) for f in newest)]
    return _ended(lines)


def folders(state: State, at: Places, facts: Sequence[Fact]) -> dict[str, str]:
    """The index of every folder below the root."""
    found = {"facts/index.md": _facts_root(facts)}
    found |= _facts(at, facts)
    if state.sessions:
        rows = [_session(note, at.sessions[note.id].rpartition("/")[2]) for note in state.sessions]
        found["sessions/index.md"] = _page("Sessions, newest first", rows)
    if has_backlog(state):
        rows = [_case(case, at.use_cases[case.item.number].rpartition("/")[2]) for case in cases(state)]
        if state.backlog.loose:
            rows.append(f"* [Items without a use case](items.md) - {len(state.backlog.loose)}")
        found["use_cases/index.md"] = _page("Use cases", rows)
    if state.events:
        rows = [f"* [Recent events](recent.md) - the latest {len(state.events)}, newest first"]
        found["events/index.md"] = _page("Events", rows)
    return found


def has_backlog(state: State) -> bool:
    """Whether there is anything in ``use_cases/``."""
    return bool(state.backlog.use_cases or state.backlog.loose)


def lifecycle(state: State, parts: Sequence[str]) -> str:
    """The index of the folder that holds the lifecycle files."""
    told = f"versions of facts ({_count(len(state.versions), state.totals.versions)} in all), one JSON object a line"
    rows = [f"* [{name}]({name}) - {told}" for name in parts]
    return _page("Lifecycle", rows)


def log(days: Sequence[Day]) -> str:
    """What became known, by day, newest first; counts alone."""
    lines = ["# Log"]
    for one in days:
        lines += ["", f"## {one.day.isoformat()}", ""]
        lines += [f"* {said}" for said in _day(one)]
    return _ended(lines)


def _day(one: Day) -> list[str]:
    said = []
    if one.sessions:
        said.append(f"**Update** {_many(one.sessions, 'session')} distilled")
    if one.recorded:
        said.append(
            f"**Creation** {_many(one.recorded, 'fact')} recorded, from sessions, commits and people's words"
        )
    if one.closed:
        said.append(f"**Deprecation** {_many(one.closed, 'fact')} ended; why stands in the lifecycle")
    if one.events:
        said.append(f"**Update** {_many(one.events, 'event')} noted")
    if one.deliveries:
        said.append(f"**Update** {_many(one.deliveries, 'delivery')} noted on use cases")
    return said


def _facts_root(facts: Sequence[Fact]) -> str:
    counts: dict[str, int] = defaultdict(int)
    for fact in facts:
        counts[fact.kind.value] += 1
    rows = [
        f"* [{kind.capitalize()}]({kind}/) - {_many(counts[kind], 'fact')}: {KINDS.get(kind, kind)}"
        for kind in sorted(counts)
    ]
    return _page("Facts", rows)


def _facts(at: Places, facts: Sequence[Fact]) -> dict[str, str]:
    """Indexes of the folders of kinds, and of letters where a kind is crowded."""
    of_folder: dict[str, list[str]] = defaultdict(list)
    below: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for fact in facts:
        folder, _, name = at.facts[fact.id].rpartition("/")
        of_folder[folder].append(fact_entry(fact, name))
        parent, _, last = folder.rpartition("/")
        if parent != "facts":
            below[parent][last] += 1
    found = {f"{folder}/index.md": _page(_heading(folder), rows) for folder, rows in of_folder.items()}
    for folder, letters in below.items():
        rows = [f"* [{name}]({name}/) - {_many(letters[name], 'fact')}" for name in sorted(letters)]
        found[f"{folder}/index.md"] = _page(f"{_heading(folder)}, by the subject's first letter", rows)
    return found


def _heading(folder: str) -> str:
    kind, _, letter = folder.removeprefix("facts/").partition("/")
    return f"{kind.capitalize()} {letter}".strip()


def _session(note: SessionNote, address: str) -> str:
    said = f"{day(note.at)}, {line(note.agent)}: {line(note.text, 160)}"
    return f"* [{line(note.title)}]({address}) - {said}"


def _case(case: UseCase, address: str) -> str:
    told = f"{case.item.state}, {_many(len(case.children), 'item')}, {_many(len(case.work), 'delivery')}"
    return f"* [{case.item.number} {line(case.item.title)}]({address}) - {told}"


def _page(heading: str, rows: Sequence[str]) -> str:
    return _ended([f"# {heading}", "", *rows])


def _count(shown: int, total: int) -> str:
    return f"{shown:,}" if shown >= total else f"{shown:,} of {total:,}"


def _many(count: int, thing: str) -> str:
    if count == 1:
        return f"1 {thing}"
    return f"{count:,} {thing[:-1]}ies" if thing.endswith("y") else f"{count:,} {thing}s"


def _ended(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"
