"""``limbeck config``: the settings in force, and changing them in the home's config.toml."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from limbeck.commands.forms import a_setting, a_version
from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.settings import CONFIG, Settings, known_settings, load
from limbeck.show import say, table

config = typer.Typer(help="The settings in force, and changing them.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(callback=a_setting, help="As `limbeck config list` shows it.")]
Seen = Annotated[
    str | None,
    typer.Option(
        "--version",
        callback=a_version,
        help="The version you have read (`get --json`): where another stands there now, nothing is changed.",
    ),
]


@config.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show every setting with its value and where it was set; of a key only whether there is one."""
    from limbeck.server.shown import shown

    found = shown(load())
    if as_json:
        print_json(
            [
                {
                    name: one[name]
                    for name in ("name", "value", "usual", "source", "secret", "version", "says")
                }
                for one in found
            ]
        )
        return
    rows = [[one["name"], one["value"].replace("\n", ", "), one["source"], one["says"]] for one in found]
    table(["setting", "value", "set in", "what it is for"], rows, prose=("value", "what it is for"))


@config.command("get")
def get(name: Name, as_json: AsJson = False) -> None:
    """Print one setting's value, a list's one a line; of a key `set` or nothing."""
    from limbeck.configure.versions import value_text, version_of
    from limbeck.server.shown import source_of

    settings = load()
    value = _value(settings, name)
    text = value_text(value, secret=_secret(name))
    if as_json:
        version = "" if _secret(name) else version_of(settings, name)
        print_json({"name": name, "value": text, "source": source_of(settings, name), "version": version})
    else:
        say(text)


@config.command("set")
def set_(
    name: Name,
    values: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VALUE", help="Its value, of a list several; without it, it is asked for or read."
        ),
    ] = None,
    version: Seen = None,
    as_json: AsJson = False,
) -> None:
    """Change a setting in config.toml; comments in it stay, and what runs takes it by itself.

    A key is not given here, where others may see it: it is asked for, or read from standard input.
    """
    _known(name)
    if values and _secret(name):
        raise typer.BadParameter(
            f"{name} is a secret: leave it out and it is asked for, or send it on standard input"
        )
    if values and len(values) > 1 and not isinstance(known_settings()[name].default, tuple):
        raise typer.BadParameter(f"{name} is one value; put it between quotation marks where it holds spaces")
    text = "\n".join(values) if values else _asked(name)
    try:
        known_settings()[name].metadata["read"](text)
    except ValueError as error:
        raise typer.BadParameter(f"{name} cannot be used: {error}") from error
    _change(name, text, version, as_json)


@config.command("unset")
def unset(name: Name, version: Seen = None, as_json: AsJson = False) -> None:
    """Take a setting out of config.toml, so that its default holds."""
    _known(name)
    _change(name, None, version, as_json)


def _change(name: str, text: str | None, version: str | None, as_json: bool) -> None:
    from limbeck.configure.change import change
    from limbeck.configure.holding import holding
    from limbeck.configure.versions import value_text
    from limbeck.server.shown import source_of
    from limbeck.services import state as states
    from limbeck.services.home import Home

    before = load()
    home = before.home
    settings = change(home, {name: text}, seen=None if version is None else {name: version})
    state = states.read(Home(home).run)
    holds = holding([name], settings, state)
    # While a change waits for the next start, the settings do not say which database runs: that start hands it over.
    runs = state is not None and state.alive
    noted = _noted(before, name, now=not holds.later if runs else not before.embedded_database)
    value = value_text(getattr(settings, name), secret=_secret(name))
    if as_json:
        print_json(
            {
                "name": name,
                "value": value,
                "source": source_of(settings, name),
                "taken": bool(holds.parts),
                "parts": list(holds.parts),
                "waits": list(holds.waits),
                "says": holds.says,
                "noted": noted,
            }
        )
        return
    say(f"{name} is {_told(value)} now ({source_of(settings, name)}).")
    say(holds.says)


def _noted(settings: Settings, name: str, *, now: bool) -> bool:
    """Leave a line in the audit log, as a change over the server does; returns whether it is there already.

    A machine whose memory is kept by a team's server has no log of its own.
    """
    from limbeck.configure.noted import hand_over_now, note
    from limbeck.services.addresses import addresses

    if settings.remote_url is not None:
        return False
    try:
        note(settings.home, [name])
    except OSError as error:
        print(f"limbeck: the audit log will not have it: {error}", file=sys.stderr)
        return False
    return now and hand_over_now(settings.home, addresses(settings).database_url, settings.client)


def _told(value: str) -> str:
    return ", ".join(value.splitlines()) or "not set"


def _asked(name: str) -> str:
    """The value from standard input: asked for where somebody sits there, not shown where it is a secret."""
    if sys.stdin.isatty():
        return str(typer.prompt(name, hide_input=_secret(name)))
    return sys.stdin.read().rstrip("\r\n")


def _known(name: str) -> None:
    from limbeck.errors import UnknownSetting

    known = known_settings()
    if name not in known:
        raise UnknownSetting(name=name, where=CONFIG, known=", ".join(known))


def _value(settings: Settings, name: str) -> Any:
    _known(name)
    return getattr(settings, name)


def _secret(name: str) -> bool:
    _known(name)
    return bool(known_settings()[name].metadata["secret"])
