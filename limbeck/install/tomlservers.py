"""A list of MCP servers in a TOML file as text: put ours in, find it, take it out. Every other byte stays."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.items import Item

from limbeck.install.errors import SettingsShape
from limbeck.install.settings import Trace
from limbeck.install.tomlhooks import read

_HEADER = re.compile(r"[ \t]*\[")


@dataclass(slots=True)
class TomlServers:
    """A TOML text whose table ``key`` lists servers; ours is called ``name``. ``path`` is only for messages."""

    path: str
    text: str
    key: str
    name: str

    def found(self) -> Any:
        """Return our entry as it stands, None where there is none."""
        servers = read(self.text, self.path).get(self.key)
        return servers.get(self.name) if isinstance(servers, dict) else None

    def add(self, server: dict[str, Any]) -> Trace:
        """Put our table at the end, or in the place of another's; return the text put in, and the text it replaced."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        lines = [f"[{self.key}.{self.name}]"]
        lines += [f"{key} = {_value(value).as_string()}" for key, value in server.items() if value != {}]
        table = newline.join([*lines, ""])
        if self.found() is not None:
            before, replaced, after = self._others()
            table += newline if after else ""
            self._become(before + table + after)
            return Trace(appended=table, replaced=replaced)
        table = newline * (1 if not self.text or self.text.endswith("\n") else 2) + table
        self._become(self.text + table)
        return Trace(appended=table)

    def remove(self, trace: Trace) -> None:
        """Take our table out, and put back what it replaced: in its place where our text still stands as it was."""
        if trace.appended and self.text.count(trace.appended) == 1:
            self.text = self.text.replace(trace.appended, trace.replaced)
            return
        document = tomlkit.parse(self.text)
        servers = document[self.key]
        del servers[self.name]
        if not servers:
            del document[self.key]
        self.text = tomlkit.dumps(document)
        if trace.replaced:
            self.text += ("" if self.text.endswith("\n") else "\n") + trace.replaced

    def _others(self) -> tuple[str, str, str]:
        """The text before, of and after the tables of our name that somebody else wrote."""
        ours = re.compile(rf"""[ \t]*\[[ \t]*{self.key}[ \t]*\.[ \t]*["']?{self.name}["']?[ \t]*[.\]]""")
        lines = re.findall(r"[^\n]*\n|[^\n]+", self.text)
        headers = [place for place, line in enumerate(lines) if _HEADER.match(line)]
        first = next((place for place in headers if ours.match(lines[place])), None)
        if first is None:
            found = "written in one line with others"
            raise SettingsShape(
                path=self.path, where=f"{self.key}.{self.name}", found=found, wanted="a table"
            )
        end = next((place for place in headers if place > first and not ours.match(lines[place])), len(lines))
        return "".join(lines[:first]), "".join(lines[first:end]), "".join(lines[end:])

    def _become(self, text: str) -> None:
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = f"written so that nothing can follow ({error})"
            raise SettingsShape(
                path=self.path, where=self.key, found=found, wanted=f"[{self.key}.NAME]"
            ) from None
        self.text = text


def _value(value: object) -> Item:
    """``value`` as it stands behind a key, in one line."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    return tomlkit.item(value)
