"""Remember and recall: what agents keep for later under a key, readable the moment it is kept."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field

from recall.fence import block, harmless
from server.memory import entries, recalled
from server.memory.entries import Standing, Writer
from server.memory.scopes import GLOBAL, resolved, shaped
from server.memory.vectors import embed_here
from server.operation import Call, Input, Operation, Output
from server.principal import Right

TAG = "Memory"
SCOPES = (
    "Scopes: `global` is for all of the person's agents and projects, `agent:ID` for yourself alone (your own agent's "
    "id), `project:NAME` for everybody who works in that project; without one it is `global`. Another agent's scope is "
    "refused, and there are no other shapes."
)
SCOPE = "`global` (where none is given), `agent:ID` or `project:NAME`."


class Scoped(Input):
    """The base of what names a scope."""

    scope: Annotated[str, AfterValidator(shaped)] = Field(
        GLOBAL, min_length=1, max_length=256, description=SCOPE
    )


class RememberInput(Scoped):
    """What to keep."""

    key: str = Field(min_length=1, max_length=256, description="A short name; the same key is replaced.")
    value: str = Field(min_length=1, max_length=20_000, description="What to keep, without secrets.")
    version: int | None = Field(
        None,
        ge=0,
        description="The version you have read (0: there was none). Where another stands there, nothing is written.",
    )


class Before(Output):
    """What stood under the key before."""

    version: int
    written_by: str
    agent: str | None
    at: datetime


class Remembered(Output):
    """What was kept, and what it replaced."""

    scope: str
    key: str
    version: int
    replaced: Before | None = Field(description="The version that was overwritten.")
    forgotten: Before | None = Field(description="Who had forgotten this key, and when.")
    note: str

    def told(self) -> str:
        """The note."""
        return harmless(self.note)


class RecallInput(Scoped):
    """What to look for."""

    query: str = Field(
        "", max_length=512, description="Literal text in key or value; empty lists everything."
    )
    limit: int = Field(20, ge=1, le=100, description="At most so many entries.")
    budget: int = Field(2000, ge=50, le=25_000, description="At most about so many tokens of text.")
    chars: int = Field(
        recalled.VALUE_CHARS, ge=40, le=20_000, description="Of each value at most so many characters."
    )


class Entry(Output):
    """What is remembered under a key."""

    key: str
    value: str
    chars: int = Field(description="The value's full length.")
    cut: bool = Field(description="Whether `value` is only its beginning.")
    version: int
    written_by: str
    agent: str | None
    created_at: datetime
    updated_at: datetime
    recalled: int = Field(description="How often it was recalled before.")


class Recalled(Output):
    """What a scope holds, newest first."""

    scope: str
    entries: list[Entry]
    total: int = Field(description="How many there are that fit the query.")
    left_out: int = Field(description="How many of them are not shown.")
    note: str

    def told(self) -> str:
        """The entries inside a fence, each with who wrote it."""
        lines = [harmless(self.note)]
        for entry in self.entries:
            who = entry.written_by + (f" ({entry.agent})" if entry.agent else "")
            lines.append(harmless(f"[{entry.key}] {entry.value}"))
            lines.append(harmless(f"from {who}, {entry.updated_at:%Y-%m-%d}, version {entry.version}"))
        return block(lines)


class HistoryInput(Scoped):
    """Which key."""

    key: str = Field(min_length=1, max_length=256)
    limit: int = Field(20, ge=1, le=100)


class Version(Output):
    """A value that the key has or had."""

    version: int
    value: str
    written_by: str
    agent: str | None
    written_at: datetime


class History(Output):
    """The values of a key, the newest first."""

    scope: str
    key: str
    versions: list[Version]
    more: bool = Field(description="Whether there are older ones than `limit` lets through.")


def remember(call: Call, given: RememberInput) -> Remembered:
    """Keep a value under a key."""
    with call.tenant() as connection:
        place = resolved(call, connection, given.scope)
        kept = entries.remember(
            connection, place, writer(call), given.key, given.value, call.now, given.version
        )
    embed_here(call)
    note = f"Remembered: [{place.shown}] {kept.key} (version {kept.version})."
    if kept.before is not None:
        verb = "It" if kept.before.forgotten else "What it replaces"
        note += f" {verb} {entries.told(kept.before)}."
    before = kept.before and Before(**_plain(kept.before))
    gone = kept.before is not None and kept.before.forgotten
    return Remembered(
        scope=place.shown,
        key=kept.key,
        version=kept.version,
        replaced=None if gone else before,
        forgotten=before if gone else None,
        note=note,
    )


def recall(call: Call, given: RecallInput) -> Recalled:
    """Return what a scope holds."""
    with call.tenant() as connection:
        place = resolved(call, connection, given.scope)
        found = recalled.find(
            connection,
            place,
            given.query,
            call.now,
            limit=given.limit,
            tokens=given.budget,
            chars=given.chars,
        )
    left_out = found.total - len(found.entries)
    where = f'scope "{place.shown}"' + (f' matching "{given.query}"' if given.query else "")
    if not found.total:
        note = f"Nothing is remembered in {where}."
    elif left_out:
        note = f"{left_out} more in {where} are not shown; narrow the query or raise the limits."
    else:
        note = f"All that is remembered in {where}."
    shown = [Entry.model_validate(entry) for entry in found.entries]
    return Recalled(scope=place.shown, entries=shown, total=found.total, left_out=left_out, note=note)


def history(call: Call, given: HistoryInput) -> History:
    """Return the values that a key has and had."""
    with call.tenant() as connection:
        place = resolved(call, connection, given.scope)
        found = entries.history(connection, place, given.key, given.limit + 1)
    shown = [Version.model_validate(one) for one in found[: given.limit]]
    return History(scope=place.shown, key=given.key, versions=shown, more=len(found) > given.limit)


def writer(call: Call) -> Writer:
    """Who writes, from the credential."""
    return Writer(call.principal.user, call.principal.agent)


def _plain(standing: Standing) -> dict[str, object]:
    return {
        "version": standing.version,
        "written_by": standing.written_by,
        "agent": standing.agent,
        "at": standing.at,
    }


OPERATIONS = (
    Operation(
        name="remember",
        purpose=(
            f"Keep something for later under a key; it can be recalled at once. {SCOPES} The same key is replaced and "
            "its earlier values are kept; the answer says what was overwritten. Give the version you have read to be "
            "told instead when somebody was faster. Never keep secrets or sensitive personal data."
        ),
        input=RememberInput,
        output=Remembered,
        right=Right.WRITE,
        method="POST",
        path="/v1/remember",
        run=remember,
        tag=TAG,
    ),
    Operation(
        name="recall",
        purpose=(
            f"Read what was kept with remember in one scope, newest first; `query` is literal text. {SCOPES} Long "
            "values are cut and say so; ask with a larger `chars` for the whole. To search everything the memory "
            "knows, use search_memory."
        ),
        input=RecallInput,
        output=Recalled,
        right=Right.READ,
        method="GET",
        path="/v1/recall",
        run=recall,
        tag=TAG,
    ),
    Operation(
        name="remembered_history",
        purpose="The values a remembered key has and had, newest first, with who wrote them.",
        input=HistoryInput,
        output=History,
        right=Right.READ,
        method="GET",
        path="/v1/recall/history",
        run=history,
        tag=TAG,
        tool=False,
    ),
)
