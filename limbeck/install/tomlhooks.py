"""Codex's ``config.toml`` where it declares hooks itself: ours go at its end, since Codex wants one place
a folder."""

from __future__ import annotations

import tomllib
from typing import Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.items import AoT, Table

from limbeck.install.command import recognise
from limbeck.install.errors import SettingsInvalid, SettingsShape
from limbeck.install.settings import Installed, Trace


def declares_hooks(text: str, path: str) -> bool:
    """Whether a ``config.toml`` lists handlers of its own; ``[hooks.state]``, Codex's memory of trust, is
    none."""
    hooks = read(text, path).get("hooks")
    return isinstance(hooks, dict) and any(isinstance(value, list) for value in hooks.values())


def read(text: str, path: str) -> dict[str, Any]:
    """Return the plain values of a TOML text, or raise ``SettingsInvalid``."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(path=path, format="TOML", why=error) from None


class TomlHooks:
    """The text of a ``config.toml`` with hooks in it; ``path`` is only for messages."""

    def __init__(self, path: str, text: str) -> None:
        """Hold ``text``; it is read when it is asked about."""
        self.path = path
        self.text = text

    def installed(self) -> list[Installed]:
        """Return our handlers in the order of the file."""
        hooks = read(self.text, self.path).get("hooks")
        found = []
        for event, groups in hooks.items() if isinstance(hooks, dict) else ():
            for place, group in enumerate(groups if isinstance(groups, list) else ()):
                handlers = group.get("hooks") if isinstance(group, dict) else None
                for index, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                    command = recognise(handler)
                    if command is not None:
                        found.append(Installed(event, place, index, command, handler))
        return found

    def add(self, handlers: dict[str, dict[str, Any]]) -> Trace:
        """Append one group per event; return the text that was appended."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        lines = [""] if not self.text or self.text.endswith("\n") else ["", ""]
        for event, handler in handlers.items():
            lines += [f"[[hooks.{event}]]", f"[[hooks.{event}.hooks]]"]
            lines += [f"{key} = {tomlkit.item(value).as_string()}" for key, value in handler.items()]
            lines.append("")
        appended = newline.join(lines)
        try:
            tomllib.loads(self.text + appended)
        except tomllib.TOMLDecodeError as error:
            read(self.text, self.path)
            raise SettingsShape(
                path=self.path,
                where="hooks",
                found=f"written so that nothing can follow ({error})",
                wanted="[[hooks.EVENT]]",
            ) from None
        self.text += appended
        return Trace(appended=appended)

    def remove(self, trace: Trace) -> None:
        """Take our handlers out: the text that was appended, where it still stands, else table by table."""
        if trace.appended and self.text.count(trace.appended) == 1:
            self.text = self.text.replace(trace.appended, "")
            return
        read(self.text, self.path)
        document = tomlkit.parse(self.text)
        hooks = document.get("hooks")
        if isinstance(hooks, Table | OutOfOrderTableProxy):
            for event, groups in list(hooks.items()):
                if isinstance(groups, AoT):
                    _prune(groups)
                    if not groups:
                        del hooks[event]
            self.text = tomlkit.dumps(document)


def _prune(groups: AoT) -> None:
    for place in range(len(groups) - 1, -1, -1):
        handlers = groups[place].get("hooks")
        if not isinstance(handlers, list):
            continue
        for index in range(len(handlers) - 1, -1, -1):
            if recognise(handlers[index]) is not None:
                del handlers[index]
        if not handlers:
            del groups[place]
