"""Forget: a key that should be remembered no longer."""

from __future__ import annotations

from pydantic import Field

from recall.fence import harmless
from server.memory import entries
from server.memory.scopes import resolved
from server.operation import Call, Operation, Output
from server.operations.remember import SCOPES, TAG, Scoped, writer
from server.principal import Right


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
    note = f"{'Forgot' if done else 'Not found'}: [{place.scope}] {given.key}."
    if before is not None and before.forgotten:
        note += f" It {entries.told(before)}."
    return Forgotten(scope=place.scope, key=given.key, forgotten=done, note=note)


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
)
