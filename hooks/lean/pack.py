"""Make the bundle for the interpreter that runs this file: ``python -I -S pack.py SOURCE BUNDLE``.

SOURCE is the directory that holds our packages. Modules are compiled without docstrings, annotations and
type-checking blocks; patterns are stored as ``re`` compiled them. The beginning names the interpreter, and
every part has a checksum, so that nothing is loaded which this very interpreter has not written.
"""

from __future__ import annotations

import _imp
import ast
import importlib.util
import marshal
import os
import sys
from array import array
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import CodeType

START = "hooks.run"
LEAN = ("os", "json", "socket")
PATTERNS = "patterns"
SHARED = ("_json", "_socket", "binascii", "fcntl", "math")
NEVER = "hooks.bundle"
MOST_HEAD = 65536


def main(source: Path, bundle: Path) -> None:
    """Write the bundle for this interpreter; readable by us alone, whole or not at all."""
    sys.path.insert(0, str(source))
    draft = bundle.with_suffix(f".{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(packed(_boot(source), _pieces(source), _programs(), _shared()))
    draft.replace(bundle)


def packed(
    boot: bytes, pieces: dict[str, dict[str, CodeType]], programs: dict[str, bytes], shared: dict[str, str]
) -> bytes:
    """Return the bundle: who may load it, a checksum and the length of its tables, the tables, the parts.

    The patterns come last, and where they lie, counted from the first, is a part of its own, which only what
    redacts reads. The other places are counted from the file's beginning, which the length of the tables moves; so
    they are laid out until that length stands still.
    """
    key = (sys.version + str(sys.implementation.cache_tag)).encode()
    homes = {name: root for root, codes in pieces.items() for name in codes}
    parts = {root: marshal.dumps(codes) for root, codes in pieces.items()}
    parts[PATTERNS] = marshal.dumps(_places(programs, 0))
    body, before = b"", -1
    while len(body) != before:
        before = len(body)
        places = _places(parts, len(key) + 16 + len(body))
        body = marshal.dumps((boot, homes, places, shared))
    if len(key) + 16 + len(body) > MOST_HEAD:
        raise ValueError("the tables are longer than what a stub reads at once")
    head = key + _imp.source_hash(1, body) + len(body).to_bytes(8, "little")
    return b"".join([head, body, *parts.values(), *programs.values()])


def _places(pieces: dict[str, bytes], start: int) -> dict[str, tuple[int, int, bytes]]:
    places = {}
    for name, piece in pieces.items():
        places[name] = (start, len(piece), _imp.source_hash(1, piece))
        start += len(piece)
    return places


def _boot(source: Path) -> bytes:
    return marshal.dumps(_compiled(source / "hooks" / "lean" / "boot.py", "boot"))


def _pieces(source: Path) -> dict[str, dict[str, CodeType]]:
    """The modules by piece: what the start needs, and then together what the same later imports need."""
    agents = [f"hooks.{path.parent.name}.adapter" for path in sorted((source / "hooks").glob("*/adapter.py"))]
    roots, owners = [START, *agents], dict.fromkeys(LEAN, (START,))
    paths = {name: source / "hooks" / "lean" / f"{name}.py" for name in LEAN}
    for root in roots:
        reached = _reached(source, root)
        paths |= reached
        for name in reached:
            owners[name] = (*owners.get(name, ()), root)
        later = {name for path in reached.values() for name in _imported(path, deep=True)}
        roots += sorted(
            name for name in later if name not in roots and _path(source, name) and name not in reached
        )
    pieces: dict[tuple[str, ...], dict[str, CodeType]] = {}
    for name, needing in owners.items():
        shared = (START,) if START in needing else needing
        pieces.setdefault(shared, {})[name] = _stripped_code(_compiled(paths[name], name))
    return {next(iter(codes)): codes for codes in pieces.values()}


def _reached(source: Path, root: str) -> dict[str, Path]:
    """The files of our modules that importing ``root`` imports."""
    found: dict[str, Path] = {}
    names = [root]
    while names:
        name = names.pop()
        path = _path(source, name)
        if name not in found and path is not None:
            found[name] = path
            names += [name.rpartition(".")[0], *_imported(path, deep=False)]
    return found


def _stripped_code(code: CodeType) -> CodeType:
    """Without the line numbers, which nobody will see."""
    constants = tuple(_stripped_code(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_qualname=code.co_name, co_consts=constants)


def _path(source: Path, name: str) -> Path | None:
    base = source.joinpath(*name.split("."))
    return next(
        (path for path in (base.with_suffix(".py"), base / "__init__.py") if name and path.is_file()), None
    )


def _imported(path: Path, deep: bool) -> Iterator[str]:
    """Our modules named in the imports of a file."""
    tree = _stripped(path)
    for node in ast.walk(tree) if deep else tree.body:
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        yield from (name for name in names if name.split(".")[0] in ("capture", "hooks") and name != NEVER)


def _compiled(path: Path, name: str) -> CodeType:
    code: CodeType = compile(_stripped(path), f"<{name}>", "exec", dont_inherit=True, optimize=2)
    return code


def _stripped(path: Path) -> ast.Module:
    tree = _Strip().visit(ast.parse(path.read_text("utf-8")))
    return ast.fix_missing_locations(tree) if isinstance(tree, ast.Module) else ast.Module([], [])


class _Strip(ast.NodeTransformer):
    """Take out what only readers and type checkers need."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [statement for one in node.orelse if (statement := self.visit(one)) is not None]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A pattern's own text: the bundle holds what ``re`` made of it."""
        if isinstance(node.func, ast.Name) and node.func.id == "Program" and len(node.args) > 1:
            node.args[1] = ast.Constant("")
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        """Of a row of typed tokens (its name, a tuple of literals, texts) what stands behind the literals, too."""
        if len(node.elts) > 3 and isinstance(node.elts[1], ast.Tuple):
            node.elts[2:] = [ast.Constant("") if _is_text(one) else one for one in node.elts[2:]]
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _programs() -> dict[str, bytes]:
    """Every pattern that redaction declares, as numbers."""
    from capture.redact.programs import all_programs

    return {key: marshal.dumps(_program(source, flags)) for key, source, flags in all_programs()}


def _program(source: str, flags: int) -> tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]:
    parser, compiler = import_module("re._parser"), import_module("re._compiler")
    parsed = parser.parse(source, flags)
    code = array("I", compiler._code(parsed, flags))
    names = dict(parsed.state.groupdict)
    indexes: list[str | None] = [None] * parsed.state.groups
    for name, index in names.items():
        indexes[index] = name
    return flags | parsed.state.flags, code.tobytes(), parsed.state.groups - 1, names, tuple(indexes)


def _shared() -> dict[str, str]:
    """Where this interpreter keeps the C modules that are not built in."""
    found = {}
    for name in SHARED:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin and Path(spec.origin).is_file():
            found[name] = spec.origin
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
