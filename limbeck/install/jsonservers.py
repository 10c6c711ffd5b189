"""A list of MCP servers in a JSON file as text: put ours in, find it, take it out. Pure; every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from limbeck.install.errors import SettingsInvalid, SettingsShape
from limbeck.install.jsontext import Node, NotJson, interior, parse, with_member, without
from limbeck.install.settings import Trace, named


@dataclass(slots=True)
class JsonServers:
    """A JSON text in which ``keys`` lead to the object of servers; ours is called ``name``. ``path`` is only for
    messages."""

    path: str
    text: str
    keys: tuple[str, ...]
    name: str
    comments: bool = False

    def found(self) -> Any:
        """Return our entry as it stands, None where there is none."""
        if not self.text.strip("\ufeff \t\r\n"):
            return None
        node = self._at(self.keys)
        entry = node.child(self.name) if node is not None else None
        return None if entry is None else entry.value

    def add(self, server: dict[str, Any]) -> Trace:
        """Put our entry at the end of the list, or in the place of another's; return what taking it out will need."""
        listed = self._at(self.keys) if self.text.strip("\ufeff \t\r\n") else None
        other = listed.child(self.name) if listed is not None else None
        if other is not None:
            replaced = self.text[other.start : other.end]
            self._put(other, json.dumps(server, ensure_ascii=False))
            return Trace(replaced=replaced)
        blank, held, added = self.text, {}, []
        empty = not self.text.strip("\ufeff \t\r\n")
        if empty:
            self.text = "{}\n"
        for way in self._ways():
            node = self._at(way)
            if node is None:
                above = self._at(way[:-1]) or self._root()
                self.text = with_member(self.text, above, way[-1], {})
                added.append("/".join(way))
            elif not node.children and not (empty and not way):
                held["/".join(way)] = interior(self.text, node)
        self.text = with_member(self.text, self._at(self.keys) or self._root(), self.name, server)
        return Trace(blank if empty else "", held, tuple(added))

    def remove(self, trace: Trace) -> None:
        """Take our entry out, and the containers that were made for it and hold nothing else."""
        listed = self._at(self.keys)
        ours = listed.child(self.name) if listed is not None else None
        if trace.replaced and ours is not None:
            self._put(ours, trace.replaced)
            return
        ways = list(self._ways())
        self._drop(ways[-1], self.name, trace.held.get("/".join(ways[-1]), ""))
        for way in reversed(ways[1:]):
            node = self._at(way)
            if node is None or node.children or "/".join(way) not in trace.added:
                break
            self._drop(way[:-1], way[-1], trace.held.get("/".join(way[:-1]), ""))
        if not self._root().children and "" not in trace.held:
            self.text = trace.blank

    def _ways(self) -> Iterator[tuple[str, ...]]:
        """The way to each container from the root (the empty way) to the list."""
        for depth in range(len(self.keys) + 1):
            yield self.keys[:depth]

    def _put(self, node: Node, text: str) -> None:
        self.text = self.text[: node.start] + text + self.text[node.end :]

    def _drop(self, way: tuple[str, ...], key: str, blank: str) -> None:
        node = self._at(way)
        if node is None:
            return
        child = next(child for child in reversed(node.children) if child.key == key)
        self.text = without(self.text, node, child, blank=blank)

    def _root(self) -> Node:
        try:
            node = parse(self.text, comments=self.comments)
        except NotJson as error:
            raise SettingsInvalid(path=self.path, format="JSON", why=error) from None
        return self._object(node, "the whole file")

    def _at(self, way: tuple[str, ...]) -> Node | None:
        node = self._root()
        for place, key in enumerate(way, start=1):
            child = node.child(key)
            if child is None:
                return None
            node = self._object(child, ".".join(way[:place]))
        return node

    def _object(self, node: Node, where: str) -> Node:
        if not isinstance(node.value, dict):
            raise SettingsShape(path=self.path, where=where, found=named(node), wanted="an object")
        return node
