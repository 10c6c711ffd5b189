"""The functions, methods, classes and types of a source file: name, kind, lines, and a digest of what each says."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

from tree_sitter import Node

from limbeck.ship.code.grammars import TYPE, Grammar, parser
from limbeck.ship.code.naming import LONGEST_NAME, around, member, named

MOST_SYMBOLS = 5000  # of one file; further ones count as parts of what they lie in


@dataclass(frozen=True, slots=True)
class Symbol:
    """``name`` is dotted from outside in; lines are counted from 1.

    ``digest`` is of the tokens and their structure, without comments, spaces and the symbols inside it.
    """

    kind: str
    name: str
    start: int
    end: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Parsed:
    """The symbols of one text in its order; ``broken`` where the text has errors of syntax."""

    symbols: tuple[Symbol, ...] = ()
    broken: bool = False


@dataclass(slots=True)
class _Open:
    """A symbol while the tree below it is walked."""

    kind: str
    name: str
    start: int
    end: int
    place: int
    said: blake2b = field(default_factory=lambda: blake2b(digest_size=16))


@dataclass(frozen=True, slots=True)
class _Place:
    """What a node lies in: the dotted name so far, and the kind of the nearest thing that is named."""

    name: str = ""
    kind: str = ""


_Step = tuple[Node | None, _Place, _Open | None, bool]


def symbols_in(grammar: Grammar, source: bytes) -> Parsed:
    """Return the symbols in ``source`` (UTF-8). Text with errors gives what could be read of it."""
    tree = parser(grammar.module, grammar.function).parse(source)
    walk = _Walk(grammar)
    walk.run(tree.root_node)
    found = sorted(walk.found, key=lambda one: one.place)
    symbols = (Symbol(one.kind, one.name, one.start, one.end, one.said.digest()) for one in found)
    return Parsed(tuple(symbols), tree.root_node.has_error)


class _Walk:
    """One pass over a tree, without recursion: a text may be nested deeper than Python can follow."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.found: list[_Open] = []

    def run(self, root: Node) -> None:
        """Visit every node; a step without a node ends the one whose digest it closes."""
        kinds, inside = self.grammar.kinds, self.grammar.inside
        todo: list[_Step] = [(child, _Place(), None, False) for child in reversed(root.children)]
        while todo:
            node, place, owner, known = todo.pop()
            if node is None:
                if owner is not None:
                    owner.said.update(b")")
                continue
            kind = node.type
            if "comment" in kind:
                continue
            told = self._open(node, place) if kind in kinds and not known else None
            if told is not None:
                owner, place = told, _Place(told.name, told.kind)
            elif kind in inside and (name := around(node, self.grammar)):
                place = _Place(f"{place.name}.{name}".lstrip("."), _surrounding(node))
            children = node.children
            if not children:
                if owner is not None:
                    owner.said.update(b"(" + kind.encode() + b" " + (node.text or b"") + b")")
                continue
            if owner is not None:
                owner.said.update(b"(" + kind.encode() + b" ")
            todo.append((None, place, owner, False))
            once = told is not None and kind == "decorated_definition"
            todo += [
                (child, place, owner, once and child.type.endswith("_definition"))
                for child in reversed(children)
            ]

    def _open(self, node: Node, place: _Place) -> _Open | None:
        told = named(node, self.grammar) if len(self.found) < MOST_SYMBOLS else None
        if told is None:
            return None
        kind, name = told
        whole = f"{place.name}.{name}" if place.name else name
        last = node.end_point.row + (1 if node.end_point.column or node.end_point == node.start_point else 0)
        opened = _Open(
            member(kind, place.kind),
            whole[:LONGEST_NAME],
            node.start_point.row + 1,
            max(last, node.start_point.row + 1),
            len(self.found),
        )
        self.found.append(opened)
        return opened


def _surrounding(node: Node) -> str:
    """As what a node that is no symbol counts for the functions in it: an ``impl`` as their type."""
    return TYPE if node.type == "impl_item" else ""
