"""What ``--help`` shows: no cut sentences, and a word in capitals for what stands in an option's place."""

from __future__ import annotations

from typing import Any


def readable(command: Any) -> Any:
    """Give a click command, and those below it, whole summaries and readable names; returns it."""
    for parameter in command.params:
        _name(parameter)
    for below in getattr(command, "commands", {}).values():
        if below.short_help is None and below.help:
            below.short_help = " ".join(below.help.split("\n\n")[0].split())
        readable(below)
    return command


def _name(parameter: Any) -> None:
    if parameter.param_type_name == "argument":
        _name_argument(parameter)
    elif parameter.metavar is None and not parameter.is_flag and not parameter.type_descriptor.is_choice:
        parameter.metavar = _word(parameter)


def _name_argument(parameter: Any) -> None:
    parameter.metavar = (parameter.metavar or parameter.name.upper()).removesuffix("...")
    name = parameter.metavar + ("..." if parameter.nargs != 1 else "")
    usage = name if parameter.required else f"[{name}]"
    parameter.get_usage_pieces = lambda *_, **__: [usage]
    if not parameter.type_descriptor.is_choice:
        parameter.display_type_rich = lambda *_, **__: None


def _word(parameter: Any) -> str:
    kind = parameter.bare_type().lower()
    if "path" in kind:
        return "PATH"
    return "N" if "int" in kind or "float" in kind else "TEXT"
