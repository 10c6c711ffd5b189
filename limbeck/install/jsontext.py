"""JSON as text with positions, so that one value can be put in or taken out and every other byte stays.

``parse`` gives a tree whose nodes know where they stand; ``with_member`` and ``with_item`` add at the end
of an object or a list in the style of the file; ``without`` takes one child out and is the exact inverse
of adding it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_SPACE_OR_COMMENT = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DEEPEST = 200


class NotJson(ValueError):
    """The text is not JSON; the message says what was met, ``line`` and ``column`` (from 1) where."""

    def __init__(self, what: str, text: str, at: int) -> None:
        """Say ``what`` was expected at offset ``at`` of ``text``."""
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        super().__init__(f"{what} at line {self.line}, column {self.column}")


@dataclass(slots=True)
class Node:
    """A value and its place: ``text[start:end]``. Containers hold ``children``; ``value`` is the plain
    value."""

    start: int
    end: int
    value: Any = None
    children: list[Child] = field(default_factory=list)

    def child(self, key: str) -> Node | None:
        """The value under ``key``; of repeated keys the last, which is the one that JSON readers take."""
        return next((child.node for child in reversed(self.children) if child.key == key), None)


@dataclass(slots=True)
class Child:
    """A member (with its key) or an item (key None); ``start`` is where the key, or the item, begins."""

    start: int
    key: str | None
    node: Node


class _Reader:
    def __init__(self, text: str, comments: bool) -> None:
        self.text = text
        self.comments = comments
        self.gap = _SPACE_OR_COMMENT if comments else _SPACE

    def skip(self, at: int) -> int:
        match = self.gap.match(self.text, at)
        return match.end() if match else at

    def peek(self, at: int) -> str:
        return self.text[at : at + 1]

    def fail(self, what: str, at: int) -> NotJson:
        return NotJson("the text ends too early" if at >= len(self.text) else what, self.text, at)

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self.fail("values are nested too deeply", at)
        opening = self.peek(at)
        if opening in ("{", "["):
            return self.container(at, opening == "{", depth)
        match = (_STRING if opening == '"' else _SCALAR).match(self.text, at)
        if match is None:
            raise self.fail("a value was expected", at)
        return Node(at, match.end(), json.loads(match.group()))

    def key(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            raise self.fail("a key in double quotes was expected", at)
        colon = self.skip(match.end())
        if self.peek(colon) != ":":
            raise self.fail("a colon was expected", colon)
        return json.loads(match.group()), self.skip(colon + 1)

    def container(self, start: int, is_object: bool, depth: int) -> Node:
        closing = "}" if is_object else "]"
        node = Node(start, start)
        at = self.skip(start + 1)
        while self.peek(at) != closing or (node.children and not self.comments):
            begin, key = at, None
            if is_object:
                key, at = self.key(at)
            item = self.value(at, depth + 1)
            node.children.append(Child(begin, key, item))
            at = self.skip(item.end)
            if self.peek(at) == closing:
                break
            if self.peek(at) != ",":
                raise self.fail(f"a comma or {closing} was expected", at)
            at = self.skip(at + 1)
        node.end = at + 1
        plain = [child.node.value for child in node.children]
        node.value = {c.key: c.node.value for c in node.children} if is_object else plain
        return node


def parse(text: str, *, comments: bool = False) -> Node:
    """Return the tree of ``text``; ``comments`` also allows comments and trailing commas. Raises
    ``NotJson``."""
    reader = _Reader(text, comments)
    start = reader.skip(1 if text.startswith("\ufeff") else 0)
    node = reader.value(start, 0)
    rest = reader.skip(node.end)
    if rest != len(text):
        raise reader.fail("something follows the end of the value", rest)
    return node


def interior(text: str, node: Node) -> str:
    """What stands between the brackets of a container."""
    return text[node.start + 1 : node.end - 1]


def with_member(text: str, node: Node, key: str, value: object) -> str:
    """Return ``text`` with ``key: value`` as the last member of the object ``node``."""
    return _appended(text, node, json.dumps(key, ensure_ascii=False) + ": ", value)


def with_item(text: str, node: Node, value: object) -> str:
    """Return ``text`` with ``value`` as the last item of the list ``node``."""
    return _appended(text, node, "", value)


def without(text: str, node: Node, child: Child, *, blank: str = "") -> str:
    """Return ``text`` without one child of ``node``; ``blank`` is what an emptied container holds."""
    place = next(i for i, other in enumerate(node.children) if other is child)
    if place > 0:
        return text[: node.children[place - 1].node.end] + text[child.node.end :]
    if len(node.children) > 1:
        return text[: child.start] + text[node.children[1].start :]
    before = text[node.start + 1 : child.start].rstrip()
    after = text[child.node.end : node.end - 1].lstrip().removeprefix(",")
    if before != blank.rstrip() or after.strip():
        blank = before + after
    return text[: node.start + 1] + blank + text[node.end - 1 :]


def _appended(text: str, node: Node, prefix: str, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    outer = _indent(text, node.start)
    lines = "\n" in interior(text, node) if node.children else "\n" in text.strip() or _is_root(text, node)
    if not lines:
        body = prefix + json.dumps(value, ensure_ascii=False)
        if not node.children:
            return text[: node.start + 1] + body + text[node.end - 1 :]
        last = node.children[-1].node.end
        return text[:last] + ", " + body + text[last:]
    inner = _indent(text, node.children[0].start) if node.children else outer + unit
    rendered = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + inner)
    body = newline + inner + prefix + rendered
    if not node.children:
        comments = interior(text, node).rstrip()
        return text[: node.start + 1] + comments + body + newline + outer + text[node.end - 1 :]
    last = node.children[-1].node.end
    return text[:last] + "," + body + text[last:]


def _is_root(text: str, node: Node) -> bool:
    return not text[: node.start].strip("\ufeff \t\r\n")


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    match = re.search(r"\n([ \t]+)\S", text)
    return match.group(1) if match else "  "
