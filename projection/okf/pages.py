"""The concepts of a bundle: a page a fact, a session, a use case, and one of the recent events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from projection.okf import frontmatter
from projection.okf.places import RECENT, Places, event_line, fact_entry, fact_title, link
from projection.okf.prose import cut, day, line, paragraphs, stamp
from projection.okf.state import MOST_DELIVERIES, MOST_ITEMS, Check, EventNote, SessionNote
from schema.backlog import Backlog, Item, UseCase, WorkEntry
from schema.facts import files_of
from schema.records import Fact, Freshness, Standing

BY = "process:limbeck"
OURS = "x-limbeck"
MOST_SOURCES = 20
MOST_FILES = 20
MOST_PAST = 10
_NAMED = re.compile(r"\b(?:confirmed|edited|accepted) by ([\w.@-]+)")


def fact(one: Fact, path: str, at: Places, check: Check | None, past: Sequence[Fact]) -> str:
    """A current fact; ``past`` are what held in its place before, newest first."""
    title = fact_title(one)
    fields = _fields(
        "Fact", title, one.statement, [one.kind.value, one.standing.value], one.valid_from, one.recorded_at
    )
    fields |= {
        "status": "draft" if check and check.freshness is Freshness.STALE else "stable",
        "verified": _verified(one, check),
        "sources": _sources(one, path, at),
        OURS: {
            "fact": one.id,
            "version": one.version,
            "subject": one.slot.subject,
            "attribute": one.slot.attribute,
            "scope": one.slot.scope,
            "value": one.value,
            "standing": one.standing.value,
            "freshness": check.freshness.value if check else None,
            "last_verified_commit": check.sha if check else None,
            "valid_from": stamp(one.valid_from),
            "recorded_at": stamp(one.recorded_at),
            "pinned": one.pinned,
        },
    }
    lines = [frontmatter.block(fields), f"# {line(title)}", "", paragraphs(one.statement), ""]
    return _ended([*lines, *_known(one, check), *_before(past), *_citations(one, path, at)])


def session(note: SessionNote, path: str, at: Places, facts: Sequence[Fact]) -> str:
    """What a session came to, and which of today's facts it gave."""
    fields = _fields(
        "Session",
        note.title,
        note.text.strip() or note.title,
        ["session", note.agent],
        note.at,
        note.distilled_at,
    )
    fields[OURS] = {
        "session": note.id,
        "agent": note.agent,
        "distiller": note.by,
        "started": stamp(note.started_at),
    }
    lines = [frontmatter.block(fields), f"# {line(note.title)}", ""]
    lines += [
        f"{line(note.agent)}, {stamp(note.started_at)} to {stamp(note.at)}.",
        "",
        paragraphs(note.text),
        "",
    ]
    if facts:
        lines += ["## Facts", ""]
        lines += [fact_entry(f, link(path, at.facts[f.id])) for f in facts]
        lines.append("")
    lines += [*_listed("Commits", note.commits, "commit "), *_listed("Files", note.files)]
    return _ended(lines)


def use_case(case: UseCase) -> str:
    """A use case, its items and what was done; read-only here, edited in ``use_cases/`` beside the bundle."""
    item = case.item
    title, told = f"{item.number} {item.title}", item.text.strip() or item.title
    fields = _fields("Use Case", title, told, [item.state], item.updated_at, item.updated_at)
    fields["status"] = "stable" if item.state == "done" else "draft"
    fields[OURS] = {"item": item.number, "state": item.state}
    lines = [frontmatter.block(fields), f"# {item.number} {line(item.title)}", "", f"State: {item.state}", ""]
    if item.text.strip():
        lines += [paragraphs(item.text), ""]
    return _ended([*lines, *_items(case.children), *_done(case.work)])


def loose(backlog: Backlog) -> str:
    """The items that belong to no use case, with what was done on them."""
    newest = max(item.updated_at for item in backlog.loose)
    told = f"{len(backlog.loose)} items that belong to no use case."
    fields = _fields("Backlog", "Items without a use case", told, ["backlog"], newest, newest)
    lines = [frontmatter.block(fields), "# Items without a use case", ""]
    return _ended([*lines, *_items(backlog.loose), *_done(backlog.work)])


def _items(items: Sequence[Item]) -> list[str]:
    if not items:
        return []
    lines = ["## Items", ""]
    for child in items[:MOST_ITEMS]:
        said = f" - {line(child.text)}" if child.text.strip() else ""
        lines.append(f"* **{child.number}** {line(child.title)} ({child.state}){said}")
    if len(items) > MOST_ITEMS:
        lines.append(f"* and {len(items) - MOST_ITEMS} more")
    return [*lines, ""]


def _done(work: Sequence[WorkEntry]) -> list[str]:
    """What was done, the latest first."""
    if not work:
        return []
    lines = ["## What was done", "", *(f"* {delivery(one)}" for one in work[::-1][:MOST_DELIVERIES])]
    if len(work) > MOST_DELIVERIES:
        lines.append(f"* and {len(work) - MOST_DELIVERIES} before")
    return [*lines, ""]


def recent(events: Sequence[EventNote], at: Places) -> str:
    """The latest events, by day, newest first."""
    newest = max(note.at for note in events)
    fields = _fields(
        "Event Log", "Recent events", f"The latest {len(events)} decisions, fixes and other events.", ["events"],
        newest, newest,
    )  # fmt: skip
    lines = [frontmatter.block(fields), "# Recent events"]
    today = ""
    for note in events:
        if day(note.at) != today:
            today = day(note.at)
            lines += ["", f"## {today}", ""]
        path = at.sessions.get(note.session or "")
        lines.append(f"* {event_line(note)}" + (f" ([session]({link(RECENT, path)}))" if path else ""))
    return _ended(lines)


def _fields(
    kind: str, title: str, description: str, tags: Sequence[str], at: datetime, made: datetime
) -> dict[str, Any]:
    """The standard keys of OKF 0.1, and beside them ``generated`` of 0.2."""
    return {
        "type": kind,
        "title": cut(" ".join(title.split()), 200),
        "description": cut(" ".join(description.split()), 300),
        "tags": [tag for tag in tags if tag],
        "timestamp": stamp(at),
        "generated": {"by": BY, "at": stamp(made)},
    }


def _verified(one: Fact, check: Check | None) -> list[dict[str, str]] | None:
    found = []
    words = [evidence.at for evidence in one.evidence if evidence.kind == "person"]
    if words:
        named = _NAMED.search(one.reason)
        found.append({"by": f"human:{named[1] if named else 'member'}", "at": stamp(max(words))})
    if check is not None and check.freshness is Freshness.FRESH:
        found.append({"by": "process:limbeck-rescan", "at": stamp(check.at)})
    elif one.standing is Standing.CODE:
        found.append({"by": "process:limbeck-code", "at": stamp(one.recorded_at)})
    return found or None


def _origins(one: Fact, path: str, at: Places) -> list[tuple[str, str]]:
    """What a fact rests on: an address (a link, or a urn where nothing in the bundle stands for it) and words."""
    told: dict[str, tuple[str, str]] = {}
    for evidence in one.evidence:
        if evidence.commit:
            told[evidence.commit] = (f"urn:commit:{evidence.commit}", f"commit {evidence.commit[:12]}")
        elif evidence.session:
            place = at.sessions.get(evidence.session)
            where = link(path, place) if place else f"urn:uuid:{evidence.session}"
            told[evidence.session] = (where, f"session of {day(evidence.at)}")
        else:
            told[evidence.id] = (f"urn:uuid:{evidence.id}", f"{evidence.kind} of {day(evidence.at)}")
    files = [(f"urn:file:{quote(name)}", f"file {name}") for name in files_of(one.files)[:MOST_FILES]]
    return [*list(told.values())[:MOST_SOURCES], *files]


def _sources(one: Fact, path: str, at: Places) -> list[dict[str, str]] | None:
    found = [
        {"id": f"s{number}", "resource": where, "title": words}
        for number, (where, words) in enumerate(_origins(one, path, at), 1)
    ]
    return found or None


def _citations(one: Fact, path: str, at: Places) -> list[str]:
    found = [
        f"{number}. " + (line(words) if where.startswith("urn:") else f"[{line(words)}]({where})")
        for number, (where, words) in enumerate(_origins(one, path, at), 1)
    ]
    return ["# Citations", "", *found, ""] if found else []


def _known(one: Fact, check: Check | None) -> list[str]:
    said = {
        "Value": line(one.value),
        "Known from": {"code": "code", "person": "a person's word", "model": "inference"}[one.standing.value],
        "True since": day(one.valid_from),
        "Recorded": day(one.recorded_at),
        "Last checked": _checked(check),
        "Pinned": "yes" if one.pinned else "",
    }
    return [*(f"* {name}: {held}" for name, held in said.items() if held), ""]


def _checked(check: Check | None) -> str:
    if check is None:
        return ""
    return f"{check.freshness.value}, on {day(check.at)}" + (
        f" at commit {line(check.sha)}" if check.sha else ""
    )


def _before(past: Sequence[Fact]) -> list[str]:
    if not past:
        return []
    lines = ["## Before", ""]
    for one in past[:MOST_PAST]:
        until = day(one.valid_to) if one.valid_to else ""
        why = f" - {line(one.reason)}" if one.reason else ""
        lines.append(f"* {day(one.valid_from)} to {until}: {line(one.value)}{why}")
    return [*lines, ""]


def delivery(one: WorkEntry) -> str:
    """One entry of what was done, on one line."""
    parts: Mapping[str, str] = {
        "tests": line(one.tests),
        "review": line(one.review),
        "score": "" if one.score is None else str(one.score),
        "duration": "" if one.seconds is None else f"{one.seconds} s",
        "commit": (one.commit or "")[:12],
    }
    told = "; ".join(f"{name} {held}" for name, held in parts.items() if held)
    said = f"{stamp(one.at)} **{one.item}** {line(one.outcome) or 'delivered'}"
    return f"{said} ({told})" if told else said


def _listed(heading: str, names: Iterable[str], before: str = "") -> list[str]:
    found = [f"* {before}{line(name)}" for name in list(names)[:MOST_FILES]]
    return [f"## {heading}", "", *found, ""] if found else []


def _ended(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"
