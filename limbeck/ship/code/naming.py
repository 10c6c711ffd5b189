"""What a node of a syntax tree is called: its own name, and what it is called by those around it."""

from __future__ import annotations

import re

from tree_sitter import Node

from limbeck.ship.code.grammars import CLASS, FUNCTION, METHOD, Grammar

LONGEST_NAME = 160
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_VALUES = {"variable_declarator": "value", "assignment_expression": "right", "field_definition": "value",
           "public_field_definition": "value"}  # fmt: skip
_BODIES = frozenset({"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"})
_NAMED = frozenset({"identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name",
                    "template_function", "type_identifier"})  # fmt: skip
_GENERIC = re.compile(r"<.*|\[.*", re.DOTALL)


def named(node: Node, grammar: Grammar) -> tuple[str, str] | None:
    """Return kind and name of a node that is a symbol, None for any other."""
    kind = grammar.kinds.get(node.type) if node.is_named else None
    if kind is None:
        return None
    if node.type == "decorated_definition":
        inner = node.child_by_field_name("definition")
        return named(inner, grammar) if inner is not None else None
    if node.type in _VALUES:
        return _assigned(node, kind)
    if node.type in _BODIES:
        name = _text(node.child_by_field_name("name")) or _typedef(node)
        return (kind, name) if name and node.child_by_field_name("body") is not None else None
    if node.type == "function_definition" and grammar.module in ("tree_sitter_c", "tree_sitter_cpp"):
        name = _declared(node)
        return (METHOD if "." in name else kind, name) if name else None
    name = _text(node.child_by_field_name("name"))
    if node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")):
        name = f"{_receiver(receiver)}.{name}"
    return (kind, name) if name else None


def around(node: Node, grammar: Grammar) -> str:
    """Return the name that a node which is no symbol gives to those inside it, '' where it gives none."""
    field = grammar.inside.get(node.type) if node.is_named else None
    return _GENERIC.sub("", _text(node.child_by_field_name(field))) if field else ""


def _assigned(node: Node, kind: str) -> tuple[str, str] | None:
    """A function or a class that is the value of a name."""
    value = node.child_by_field_name(_VALUES[node.type])
    if value is None or (value.type not in _FUNCTIONS and value.type != "class"):
        return None
    fields = ("name", "property", "left")
    name = next((text for one in fields if (text := _text(node.child_by_field_name(one)))), "")
    if not name:
        return None
    return (CLASS if value.type == "class" else kind), name


def _typedef(node: Node) -> str:
    parent = node.parent
    if parent is None or parent.type != "type_definition":
        return ""
    return _text(parent.child_by_field_name("declarator"))


def _declared(node: Node) -> str:
    """The name inside a declarator of C or C++."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type not in _NAMED:
        further = inner.child_by_field_name("declarator")
        inner = further or next((one for one in inner.named_children if "declarator" in one.type or one.type in _NAMED),
                                None)  # fmt: skip
    return _text(inner).replace("::", ".").removeprefix(".")


def _receiver(node: Node) -> str:
    """The type that a method of Go belongs to."""
    waiting = list(node.named_children)
    while waiting:
        one = waiting.pop(0)
        if one.type == "type_identifier":
            return _text(one)
        waiting += one.named_children
    return ""


def _text(node: Node | None) -> str:
    raw = node.text if node is not None else None
    return " ".join(raw.decode("utf-8", "replace").split())[:LONGEST_NAME] if raw else ""


def member(kind: str, outer: str) -> str:
    """Return the kind of a symbol that lies in one of kind ``outer``: a function of a class is a method."""
    return METHOD if kind == FUNCTION and outer not in ("", FUNCTION, METHOD) else kind
