"""An agent's hooks file as text: put our handlers in, find them, take them out. Pure; every other byte
stays.

A ``Trace`` is what taking out needs to know of the time before: which containers were there and empty, and
how.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hooks.registration import Registration, Shape
from limbeck.install.command import Command, recognise
from limbeck.install.errors import SettingsInvalid, SettingsShape
from limbeck.install.jsontext import Child, Node, NotJson, interior, parse, with_item, with_member, without

_NAMES = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def named(node: Node) -> str:
    """What kind of value ``node`` is, in words."""
    return _NAMES.get(type(node.value), "a number")


@dataclass(frozen=True, slots=True)
class Trace:
    """``blank``: the file's text where it held nothing but space. ``held``: what the containers that were
    there and empty had between their brackets. ``added``: root members that were missing. ``appended``: the text
    put into a TOML file, or a whole file of ours. ``replaced``: the text of what stood in our place and was another's.
    Paths are joined with ``/``."""

    blank: str = ""
    held: dict[str, str] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    appended: str = ""
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Installed:
    """One handler of ours as it stands in a file: its event, its group and its place in the group."""

    event: str
    group: int
    index: int
    command: Command
    handler: dict[str, Any]


@dataclass(slots=True)
class Document:
    """The text of one agent's hooks file. ``path`` is only for messages."""

    path: str
    text: str
    registration: Registration

    def root(self) -> Node:
        """Return the tree of the text, or raise ``SettingsInvalid`` or ``SettingsShape``."""
        try:
            node = parse(self.text, comments=self.registration.comments)
        except NotJson as error:
            raise SettingsInvalid(path=self.path, format="JSON", why=error) from None
        return self.require(node, dict, "the whole file")

    def require_known_keys(self) -> None:
        """Raise ``SettingsShape`` for a top-level key that would make the agent reject the whole file."""
        allowed = self.registration.keys
        for child in self.root().children:
            if allowed is not None and child.key not in allowed:
                wanted = "only " + " and ".join(sorted(allowed))
                where = "the list of top-level keys"
                raise SettingsShape(path=self.path, where=where, found=f"{child.key!r}", wanted=wanted)

    def require(self, node: Node, kind: type, where: str) -> Node:
        """Return ``node`` if it is of ``kind``, else raise ``SettingsShape``."""
        if not isinstance(node.value, kind):
            raise SettingsShape(path=self.path, where=where, found=named(node), wanted=_NAMES[kind])
        return node

    def events(self) -> Node | None:
        """Return the object under ``hooks``, or None where there is none."""
        return self._events_of(self.root())

    def _events_of(self, root: Node) -> Node | None:
        hooks = root.child("hooks")
        return None if hooks is None else self.require(hooks, dict, "hooks")

    def handlers(self) -> Iterator[tuple[str, list[tuple[Node, Child]], int, int]]:
        """Yield each handler: its event, the way to it as (container, child) pairs, its group and its
        index."""
        root = self.root()
        hooks = self._events_of(root)
        if hooks is None:
            return
        above = [(root, child) for child in root.children if child.node is hooks]
        for event in hooks.children:
            for group, entry in enumerate(event.node.children if isinstance(event.node.value, list) else ()):
                way = [*above, (hooks, event), (event.node, entry)]
                if self.registration.shape is Shape.FLAT:
                    yield str(event.key), way, group, 0
                    continue
                inner = entry.node.child("hooks") if isinstance(entry.node.value, dict) else None
                if inner is None or not isinstance(inner.value, list):
                    continue
                member = next(child for child in entry.node.children if child.node is inner)
                for index, item in enumerate(inner.children):
                    yield str(event.key), [*way, (entry.node, member), (inner, item)], group, index

    def installed(self) -> list[Installed]:
        """Return our handlers in the order of the file."""
        found = []
        for event, way, group, index in self.handlers():
            command = recognise(way[-1][1].node.value)
            if command is not None:
                found.append(Installed(event, group, index, command, way[-1][1].node.value))
        return found

    def add(self, handlers: dict[str, dict[str, Any]]) -> Trace:
        """Put one handler per event at the end of its list; return what taking them out will need."""
        blank = self.text
        empty = not self.text.strip("\ufeff \t\r\n")
        if empty:
            self.text = "{}\n"
        self.require_known_keys()
        held = {} if empty else self._blanks([])
        added = []
        for key, value in self.registration.root.items():
            if self.root().child(key) is None:
                self.text = with_member(self.text, self.root(), key, value)
                added.append(key)
        if self.events() is None:
            self.text = with_member(self.text, self.root(), "hooks", {})
        else:
            held |= self._blanks(["hooks"])
        for event, entry in handlers.items():
            hooks = self.events() or self.root()
            listed = hooks.child(event)
            group = entry if self.registration.shape is Shape.FLAT else {"hooks": [entry]}
            if listed is None:
                self.text = with_member(self.text, hooks, event, [group])
                continue
            self.require(listed, list, f"hooks.{event}")
            held |= self._blanks(["hooks", event])
            self.text = with_item(self.text, listed, group)
        return Trace(blank if empty else "", held, tuple(added))

    def remove(self, trace: Trace) -> None:
        """Take every handler of ours out, with the containers that only held it; the text may end up
        blank."""
        taken = False
        while way := next((w for _, w, _, _ in self.handlers() if recognise(w[-1][1].node.value)), None):
            self._remove(way, trace)
            taken = True
        root = self.root()
        if not taken:
            return
        for key in reversed(trace.added):
            member = next((child for child in root.children if child.key == key), None)
            if member is not None and member.node.value == self.registration.root.get(key):
                self.text = without(self.text, root, member, blank=trace.held.get("", ""))
                root = self.root()
        if not root.children and "" not in trace.held:
            self.text = trace.blank

    def _remove(self, way: list[tuple[Node, Child]], trace: Trace) -> None:
        """Take out the handler at the end of ``way``, or the outermost thing that held nothing else."""
        names = ["", "hooks", f"hooks/{way[1][1].key}"]
        depth = len(way) - 1
        while depth > 0 and len(way[depth][0].children) == 1:
            if depth <= 2 and names[depth] in trace.held:
                break
            depth = 2 if depth > 2 else depth - 1
        container, child = way[depth]
        blank = trace.held.get(names[depth], "") if depth <= 2 else ""
        self.text = without(self.text, container, child, blank=blank)

    def _blanks(self, keys: list[str]) -> dict[str, str]:
        node: Node | None = self.root()
        for key in keys:
            node = node.child(key) if node is not None else None
        if node is None or node.children:
            return {}
        return {"/".join(keys): interior(self.text, node)}
