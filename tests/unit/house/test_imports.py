"""Who may import what, beyond the layers: the standard library alone in hooks, nothing heavy before it is needed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

from .conftest import ROOT

SERVER_NET = "capture/net.py"
HEAVY = {
    *("celery", "kombu", "sqlalchemy", "alembic", "psycopg", "redis", "anthropic", "numpy", "detect_secrets"),
    *("dateparser", "pydantic"),
}
LOAD_ALL = """
import json, sys
from limbeck.main import COMMANDS, application
found = {}
for name in COMMANDS:
    application(name)
    for module in {name.partition(".")[0] for name in sys.modules} & set(json.loads(sys.argv[1])):
        found.setdefault(module, name)
print(json.dumps(found))
"""


def imported(text: str) -> set[str]:
    """The top-level names that a module imports anywhere in it; relative ones are its own package's."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def foreign(texts, package, allowed):
    """What the modules of ``package`` import besides the standard library and ``allowed``."""
    admitted = sys.stdlib_module_names | allowed
    modules = [name for name in texts if name.startswith(f"{package}/") and name.endswith(".py")]
    assert modules
    found = {name: imported(texts[name]) - admitted for name in modules if name != SERVER_NET}
    return {name: names for name, names in found.items() if names}


def test_hooks_need_the_standard_library_and_capture_alone(texts):
    assert foreign(texts, "hooks", {"hooks", "capture"}) == {}


def test_capture_needs_the_standard_library_alone_but_for_the_servers_net(texts):
    assert foreign(texts, "capture", {"capture"}) == {}


def test_the_check_sees_an_import_inside_a_function():
    assert imported("def f():\n    import redis.client\n    from . import x\n    from a.b import c\n") == {
        "redis",
        "a",
    }


def test_no_command_imports_anything_heavy_before_it_runs():
    """Every command's module is loaded in one process, as `limbeck NAME --help` would load it."""
    import json

    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALL, json.dumps(sorted(HEAVY))],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert json.loads(done.stdout) == {}
