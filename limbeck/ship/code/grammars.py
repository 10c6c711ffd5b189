"""The grammars there are: which one reads a file, which of its nodes are symbols, what lizard calls the language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module

from tree_sitter import Language, Parser

FUNCTION, METHOD, CLASS, TYPE = "function", "method", "class", "type"


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language: the module with its grammar, the name of the function in it, and kinds by type of node.

    ``inside`` are nodes that are no symbols but whose name, in the field given, belongs to the symbols in them.
    ``lizard`` is a file's name by which lizard knows the language.
    """

    name: str
    module: str
    lizard: str
    kinds: Mapping[str, str]
    function: str = "language"
    inside: Mapping[str, str] = field(default_factory=dict)


_SCRIPT = {
    "function_declaration": FUNCTION, "generator_function_declaration": FUNCTION, "class_declaration": CLASS,
    "class": CLASS, "method_definition": METHOD, "variable_declarator": FUNCTION, "assignment_expression": FUNCTION,
    "field_definition": METHOD,
}  # fmt: skip
_TYPED = {
    **_SCRIPT, "abstract_class_declaration": CLASS, "interface_declaration": TYPE, "type_alias_declaration": TYPE,
    "enum_declaration": TYPE, "public_field_definition": METHOD,
}  # fmt: skip
_C = {
    "function_definition": FUNCTION, "struct_specifier": TYPE, "union_specifier": TYPE, "enum_specifier": TYPE,
}  # fmt: skip
_JAVA = {
    "class_declaration": CLASS, "record_declaration": CLASS, "interface_declaration": TYPE, "enum_declaration": TYPE,
    "annotation_type_declaration": TYPE, "method_declaration": METHOD, "constructor_declaration": METHOD,
}  # fmt: skip
_CSHARP = {
    **_JAVA, "struct_declaration": TYPE, "local_function_statement": FUNCTION, "destructor_declaration": METHOD,
    "operator_declaration": METHOD,
}  # fmt: skip
_PHP = {
    "function_definition": FUNCTION, "class_declaration": CLASS, "interface_declaration": TYPE,
    "trait_declaration": TYPE, "enum_declaration": TYPE, "method_declaration": METHOD,
}  # fmt: skip
_RUBY = {"module": CLASS, "class": CLASS, "method": FUNCTION, "singleton_method": FUNCTION}
_RUST = {
    "function_item": FUNCTION, "struct_item": TYPE, "enum_item": TYPE, "union_item": TYPE, "trait_item": TYPE,
    "macro_definition": FUNCTION,
}  # fmt: skip
_GO = {"function_declaration": FUNCTION, "method_declaration": METHOD, "type_spec": TYPE}
_PYTHON = {"decorated_definition": FUNCTION, "function_definition": FUNCTION, "class_definition": CLASS}

_NAMESPACES = {"internal_module": "name", "module": "name"}
PYTHON = Grammar("Python", "tree_sitter_python", "a.py", _PYTHON)
JAVASCRIPT = Grammar("JavaScript", "tree_sitter_javascript", "a.js", _SCRIPT)
JSX = Grammar("JavaScript", "tree_sitter_javascript", "a.jsx", _SCRIPT)
TYPESCRIPT = Grammar(
    "TypeScript", "tree_sitter_typescript", "a.ts", _TYPED, "language_typescript", inside=_NAMESPACES
)
TSX = Grammar("TypeScript", "tree_sitter_typescript", "a.tsx", _TYPED, "language_tsx", inside=_NAMESPACES)
GO = Grammar("Go", "tree_sitter_go", "a.go", _GO)
RUST = Grammar("Rust", "tree_sitter_rust", "a.rs", _RUST, inside={"impl_item": "type", "mod_item": "name"})
JAVA = Grammar("Java", "tree_sitter_java", "A.java", _JAVA)
RUBY = Grammar("Ruby", "tree_sitter_ruby", "a.rb", _RUBY)
C = Grammar("C", "tree_sitter_c", "a.c", _C)
CPP = Grammar("C++", "tree_sitter_cpp", "a.cpp", {**_C, "class_specifier": CLASS})
CSHARP = Grammar("C#", "tree_sitter_c_sharp", "a.cs", _CSHARP)
PHP = Grammar("PHP", "tree_sitter_php", "a.php", _PHP, "language_php")

BY_ENDING = {
    "py": PYTHON, "pyi": PYTHON, "js": JAVASCRIPT, "cjs": JAVASCRIPT, "mjs": JAVASCRIPT, "jsx": JSX,
    "ts": TYPESCRIPT, "mts": TYPESCRIPT, "cts": TYPESCRIPT, "tsx": TSX, "go": GO, "rs": RUST, "java": JAVA,
    "rb": RUBY, "c": C, "h": C, "cc": CPP, "cpp": CPP, "cxx": CPP, "hpp": CPP, "hh": CPP, "cs": CSHARP, "php": PHP,
}  # fmt: skip


def grammar_of(path: str) -> Grammar | None:
    """Return the grammar that reads the file at ``path``, None where there is none for its language."""
    name = path.rpartition("/")[2]
    return BY_ENDING.get(name.rpartition(".")[2].lower()) if "." in name else None


@lru_cache(maxsize=32)
def parser(module: str, function: str) -> Parser:
    """Return the parser of a grammar; it is loaded the first time."""
    return Parser(Language(getattr(import_module(module), function)()))
