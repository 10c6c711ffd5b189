"""The settings that are in force, each with where it was set; never a key."""

from __future__ import annotations

from pydantic import Field

from server.operation import Call, Input, Operation, Output
from server.principal import Right


class SettingsInput(Input):
    """Nothing needs to be said."""


class Setting(Output):
    """One setting as it is in force."""

    name: str
    value: str = Field(description="Of a secret `set` or nothing; of a list one a line.")
    source: str = Field(description="`default`, the file's name, or the environment variable.")
    secret: bool
    variable: str = Field(description="The environment variable that sets it.")


class SettingsOutput(Output):
    """All settings; empty where this server was not started by `limbeck`."""

    settings: list[Setting]


def list_settings(call: Call, _: SettingsInput) -> SettingsOutput:
    """Every setting."""
    return SettingsOutput(settings=[Setting(**one) for one in call.options.get("settings", ())])


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
        tag="State",
        tool=False,
    ),
)
