"""Forget: a key that should be remembered no longer, or something for good, wherever it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from uuid import UUID

from pydantic import Field, model_validator
from sqlalchemy import Connection, text

from distill.store.facts import find as find_fact
from recall.fence import harmless
from schema import sessions
from schema.ids import whole_id
from schema.scope import Scope
from server.errors import Missing, NotAllowed, Stale
from server.forget.words import Words
from server.memory import entries, typeid
from server.memory.scopes import resolved
from server.operation import Call, Input, Operation, Output
from server.operations.remember import SCOPES, TAG, Scoped, writer
from server.principal import Right

if TYPE_CHECKING:
    from server.forget import run

# With ``all``, every user's; without, the user's own and what the ``projects`` share.
_MEMORY = text("SELECT id FROM memories WHERE client = :client AND id = :id AND (:all OR owner = :user)")
_ENTRY = text("""
    SELECT id FROM remembered
    WHERE client = :client AND id = :id AND (:all OR owner = :user OR project = ANY(cast(:projects AS uuid[])))
""")
BELOW = (
    "The files below the database's tables: free pages and the log hold old rows until they are overwritten; "
    "`limbeck forget` on the database's own machine cleans them."
)

RESCAN = (
    "Facts may be among them that the code still shows: `limbeck rescan` in the project brings those back."
)
AGAIN = "What hooks capture of it from now on: leave it out (`ignore_projects`, or a .limbeckignore that says `*`)."


class ForgetInput(Scoped):
    """Which key."""

    key: str = Field(min_length=1, max_length=256)
    version: int | None = Field(
        None, ge=1, description="The version you have read; where another stands there, nothing is forgotten."
    )


class Forgotten(Output):
    """Whether there was something to forget."""

    scope: str
    key: str
    forgotten: bool = Field(description="False where nothing was remembered under this key.")
    note: str

    def told(self) -> str:
        """The note."""
        return harmless(self.note)


def forget(call: Call, given: ForgetInput) -> Forgotten:
    """Forget what is kept under a key, with its earlier values; who forgot it, and when, is kept."""
    with call.tenant() as connection:
        place = resolved(call, connection, given.scope)
        before = entries.forget(connection, place, writer(call), given.key, call.now, given.version)
    done = before is not None and not before.forgotten
    note = f"{'Forgot' if done else 'Not found'}: [{place.shown}] {given.key}."
    if before is not None and before.forgotten:
        note += f" It {entries.told(before)}."
    return Forgotten(scope=place.shown, key=given.key, forgotten=done, note=note)


class ForGoodInput(Input):
    """What to forget: one of these."""

    text: str | None = Field(
        None,
        min_length=3,
        max_length=512,
        description="Literal text, such as a person's name or e-mail address; letter case and spaces aside.",
    )
    memory: str | None = Field(None, max_length=64, description="The id of a saved memory.")
    fact: str | None = Field(None, max_length=64, description="The id of a fact: all its versions go.")
    session: str | None = Field(
        None, max_length=256, description="The id of a session, ours or the agent's, or its beginning."
    )
    project: str | None = Field(
        None, max_length=500, description="The name, remote or id of a project: all of it goes."
    )
    confirm: str | None = Field(
        None,
        max_length=64,
        description="What the first call answered as `confirm`; without it nothing is removed.",
    )

    @model_validator(mode="after")
    def one(self) -> Self:
        """One thing is to be forgotten at a time."""
        given = (self.text, self.memory, self.fact, self.session, self.project)
        if len([one for one in given if one is not None]) != 1:
            raise ValueError("give one of text, memory, fact, session and project")
        return self


class ForGood(Output):
    """What there is to forget, or what went."""

    done: bool = Field(description="False: nothing was removed yet.")
    confirm: str | None = Field(description="To be sent with the same request to remove what was counted.")
    total: int = Field(description="Rows removed or changed, with events of the queue.")
    removed: dict[str, int] = Field(description="Rows that go, by table.")
    reworded: dict[str, int] = Field(description="Rows that stay and lose the words alone, by table.")
    events: int = Field(description="Captured events whose content goes; they still count in the sums.")
    queue: int = Field(description="Events taken from the queue before they became rows.")
    not_reached: list[str] = Field(description="Where it may still be, and what to do there.")
    note: str


def forget_for_good(call: Call, given: ForGoodInput) -> ForGood:
    """Count what there is to forget; with the count's confirmation, remove it."""
    from server.forget import run  # much to load for what is rarely asked

    request = _request(call, given)
    url = call.options.get("queue_url")
    seen = run.look(call.database, request, url)
    mark = seen.mark(request)
    if given.confirm is None:
        return _told(seen, given, mark)
    if given.confirm != mark:
        raise Stale(why=f"there is something else to forget than you confirmed; look again (now {mark})")
    return _told(run.forget(call.database, request, url, call.now), given, None)


def _request(call: Call, given: ForGoodInput) -> run.Request:
    from server.forget import run  # much to load for what is rarely asked

    who = call.principal
    if given.text is not None:
        if who.projects is not None:
            raise NotAllowed(why="it is limited to some projects, and a text is forgotten in all of them")
        return run.Request(who.client, Words(given.text))
    scope = Scope(who.client, who.projects)
    with call.database.everyone(who.client) as connection:
        if given.project is not None:
            return run.Request(
                who.client, table="projects", key=UUID(call.project(connection, given.project))
            )
        if given.session is not None:
            return run.Request(
                who.client, table="sessions", key=UUID(sessions.named(connection, scope, given.session))
            )
        if given.fact is not None:
            _, fact = find_fact(connection, who.client, given.fact, who.projects)
            return run.Request(who.client, table="fact_versions", key=UUID(fact.id))
        return _memory(call, connection, given.memory or "")


def _memory(call: Call, connection: Connection, typed: str) -> run.Request:
    """The bank's memory with this TypeID, or the remembered entry with this id.

    Whoever is held to some projects reaches what those share, and of what is a person's only their own.
    """
    from server.forget import run  # much to load for what is rarely asked

    who = call.principal
    kept = {
        "memories": (_MEMORY, typeid.decode(typeid.MEMORY, typed)),
        "remembered": (_ENTRY, whole_id(typed)),
    }
    within = {"client": who.client, "all": who.projects is None, "user": who.user}
    within["projects"] = list(who.projects or ())
    for table, (statement, key) in kept.items():
        if key and connection.scalar(statement, within | {"id": key}):
            return run.Request(who.client, table=table, key=UUID(key))
    raise Missing(what="memory", name=typed)


def _told(outcome: run.Outcome, given: ForGoodInput, confirm: str | None) -> ForGood:
    counts = outcome.counts
    total = sum(counts.removed.values()) + sum(counts.reworded.values()) + outcome.queue
    done = confirm is None
    if not total:
        note = "There is nothing left of it." if done else "There is nothing to forget."
    elif done:
        note = f"Forgotten: {total} rows and waiting events."
    else:
        note = f"{total} rows and waiting events would go. Nothing is removed yet; confirm with {confirm}."
    left = [
        "The agents' own transcripts, and events that wait in the spool of other machines: run `limbeck forget` there.",
        "Copies of the database made before, and git's own history.",
        BELOW,
    ]
    if not outcome.queue_reached:
        left.insert(0, "The queue did not answer: events that wait in it were not looked at. Run it again.")
    if outcome.who:
        left.insert(
            0,
            f"{outcome.who} tokens and lines of the audit log name a user so; `limbeck token revoke` ends a token.",
        )
    if given.session is not None and counts.removed.get("fact_versions"):
        note += f" {RESCAN}"
    if given.fact is not None:
        left.append("The code and commits that a fact was read from: a rescan may find it again.")
    if given.project is not None:
        left.append(AGAIN)
    return ForGood(
        done=done,
        confirm=confirm,
        total=total,
        removed=counts.removed,
        reworded=counts.reworded,
        events=counts.events,
        queue=outcome.queue,
        not_reached=left,
        note=note,
    )


OPERATIONS = (
    Operation(
        name="forget",
        purpose=(
            f"Forget what is kept under a key of a scope, earlier values included. {SCOPES} That it was forgotten, by "
            "whom and when is kept, and a later remember of the same key says so."
        ),
        input=ForgetInput,
        output=Forgotten,
        right=Right.WRITE,
        method="POST",
        path="/v1/forget",
        run=forget,
        tag=TAG,
        removes=True,
    ),
    Operation(
        name="forget_for_good",
        purpose=(
            "Remove something from everywhere it is kept: a saved memory, a fact with all its versions, a session with "
            "what rests on it alone, a whole project, or every row that holds a literal text such as a person's name. "
            "The first call only counts and answers `confirm`; the same call with it removes. It cannot be undone."
        ),
        input=ForGoodInput,
        output=ForGood,
        right=Right.ADMIN,
        method="POST",
        path="/v1/forget-for-good",
        run=forget_for_good,
        tag=TAG,
        tool=False,
        by_hand=True,
        removes=True,
    ),
)
