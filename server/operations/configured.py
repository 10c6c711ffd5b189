"""The settings that are in force, each with where it was set, and changing them; never a key."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from server.errors import BadInput
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import everywhere

TAG = "State"
ELSEWHERE = "The settings are those of the machine, and its own client's: change them there"
HELD = "Your token is held to some projects, and the settings are of all of them"
Name = Annotated[
    str, Field(pattern=r"^[a-z][a-z_]{1,60}$", description="The setting's name, as `daily_usd`.")
]


class SettingsInput(Input):
    """Nothing needs to be said."""


class Setting(Output):
    """One setting as it is in force."""

    name: str
    says: str = Field(description="What it is for.")
    value: str = Field(
        description="Of a secret `set` or nothing, for another client than the machine's of all; of a list one a line."
    )
    usual: str = Field(description="The default.")
    source: str = Field(description="`default`, the file's name, or the environment variable.")
    secret: bool
    kind: str = Field(description="text, number, lines, choice or secret.")
    choices: list[str]
    variable: str = Field(description="The environment variable that sets it.")
    version: str = Field(
        description="Changes with the value; give it with a change, so that nobody's is lost. Empty of a secret."
    )
    kept_from: str = Field(description="Why it cannot be changed here; empty where it can.")
    goes_with: str = Field(description="The key that has to be given with it, since it is sent there.")


class SettingsOutput(Output):
    """All settings; empty where this server was not started by `limbeck`."""

    settings: list[Setting]


class ChangeInput(Input):
    """One setting's new value."""

    name: Name
    value: str | None = Field(
        None,
        max_length=40_000,
        description="As text, of a list one a line; none takes it out, so that the default holds.",
    )
    version: str | None = Field(
        None,
        max_length=40,
        description="The version you have read. Where another stands there now, nothing is changed.",
    )


class ChangeSettingsInput(Input):
    """What to change; all of it or nothing."""

    changes: list[ChangeInput] = Field(min_length=1, max_length=60)


class ChangedOutput(Output):
    """What was changed, and from when on it holds."""

    setting: list[str] = Field(description="The names, never a value.")
    says: str = Field(description="From when on it holds, as a sentence.")
    waits: list[str] = Field(
        description="What was changed before and waits for the next start; then this waits with it."
    )


def list_settings(call: Call, _: SettingsInput) -> SettingsOutput:
    """Every setting; who is held to some projects, or of another client, is told of values only that there are."""
    listed = call.options.get("settings")
    found = [Setting(**one) for one in listed()] if listed is not None else []
    if not _ours(call):
        found = [_to_a_guest(one, ELSEWHERE) for one in found]
    elif call.principal.projects is not None:
        found = [_to_a_guest(one, HELD) for one in found]
    return SettingsOutput(settings=found)


def change_settings(call: Call, given: ChangeSettingsInput) -> ChangedOutput:
    """Write the new values where the machine keeps them. Raises NotAllowed, BadInput and Stale."""
    everywhere(call, "changing the settings")
    configure: Any = call.options.get("configure")
    if configure is None or not _ours(call):
        raise BadInput(what="changes", why=ELSEWHERE[0].lower() + ELSEWHERE[1:])
    seen = {one.name: one.version for one in given.changes if one.version}
    holds = configure({one.name: one.value for one in given.changes}, seen)
    names = sorted({one.name for one in given.changes})
    return ChangedOutput(setting=names, says=holds.says, waits=list(holds.waits))


def _to_a_guest(one: Setting, why: str) -> Setting:
    """Whether it is set, and no more: values name folders, projects and hosts of somebody else."""
    told = {"value": "set" if one.source != "default" else "", "secret": True, "version": ""}
    return one.model_copy(update=told | {"kept_from": one.kept_from or why})


def _ours(call: Call) -> bool:
    """Whether whoever asks is of the client that the machine is for: others are guests in its database."""
    return bool(call.options.get("owner") == call.principal.client)


OPERATIONS = (
    Operation(
        name="list_settings",
        purpose="Which settings are in force, and where was each set? Secrets are never shown.",
        input=SettingsInput,
        output=SettingsOutput,
        right=Right.ADMIN,
        method="GET",
        path="/v1/settings",
        run=list_settings,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="change_settings",
        purpose="Change settings of this machine, such as caps, keys, ignore rules and what sessions are given.",
        input=ChangeSettingsInput,
        output=ChangedOutput,
        right=Right.ADMIN,
        method="PATCH",
        path="/v1/settings",
        run=change_settings,
        tag=TAG,
        tool=False,
        by_hand=True,
    ),
)
