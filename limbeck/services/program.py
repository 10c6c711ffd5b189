"""How a Python process of ours is started, so that nobody's folder or variable can change what it imports."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_RUN = (
    "import runpy, sys; root, module = sys.argv[1:3]; del sys.argv[1:3]; "
    "root in sys.path or sys.path.insert(0, root); "
    "runpy.run_module(module, run_name='__main__', alter_sys=True)"
)


def python_command(module: str, *arguments: str) -> list[str]:
    """The command that runs ``module`` isolated: no PYTHON* variable, no current folder."""
    return [sys.executable, "-I", "-c", _RUN, str(ROOT), module, *arguments]
