"""What pages of use cases ask of the backlog: each edit as the backlog's own act, by the person who wrote it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from backlog.items import Change, change, create, reorder
from backlog.lifecycle import State, steps
from projection.pages.merge import Edit, Verb

REASON = "page"


@dataclass(frozen=True, slots=True)
class PageWrites:
    """Edits of one project's pages. An item that is new in a page is approved by its being written there.

    A page may say a state several steps ahead; each step stands in the item's history.
    """

    client: str
    project: str
    by: str
    now: Callable[[], datetime]

    def __call__(self, connection: Connection, edit: Edit) -> str:
        """Do one edit; return the number of what was made or changed. Raises what the backlog refuses."""
        if edit.verb is Verb.CREATE:
            return self._create(connection, edit)
        if edit.verb is Verb.REORDER:
            reorder(
                connection,
                self.client,
                self.project,
                edit.number,
                list(edit.order),
                by=self.by,
                now=self.now(),
            )
            return edit.number
        words = Change(title=edit.fields.get("title"), text=edit.fields.get("text"))
        item = self._change(connection, edit.number, words)
        if edit.fields.get("state"):
            self._state(connection, edit.number, item, State(edit.fields["state"]))
        return edit.number

    def _create(self, connection: Connection, edit: Edit) -> str:
        entry = edit.entry
        if entry is None:
            raise ValueError("a creation has an entry")
        made = create(
            connection,
            self.client,
            self.project,
            kind=entry.type,
            title=entry.title,
            text=entry.text,
            use_case=edit.number or None,
            by=self.by,
            now=self.now(),
            reason=REASON,
        )
        if entry.state and entry.type != "US":
            self._state(connection, made.number, State(made.state), State(entry.state))
        return made.number

    def _change(self, connection: Connection, number: str, wanted: Change) -> State:
        item = change(
            connection, self.client, self.project, number, wanted, by=self.by, now=self.now(), reason=REASON
        )
        return State(item.state)

    def _state(self, connection: Connection, number: str, state: State, target: State) -> None:
        for step in steps(state, target) or ((target,) if target is not state else ()):
            self._change(connection, number, Change(state=step))
