"""The package runs under ``-I -S`` and loads nothing heavy before it needs it."""

import os
import subprocess
import sys
from pathlib import Path

import capture

ROOT = Path(capture.__file__).parent.parent
CODE = """
import sys
sys.path.insert(0, {root!r})
import capture.redact
heavy = {{"re", "json", "enum", "typing", "dataclasses", "collections", "functools", "os", "site"}}
print(sorted(heavy & set(sys.modules)))
from capture.redact import redact
print(redact("DB_PASSWORD=" + "Zk39qqd8fj" + "Aa7")[0])
"""


def test_importing_it_loads_no_regular_expressions():
    python = os.path.realpath(sys.executable)
    made = subprocess.run(
        [python, "-I", "-S", "-c", CODE.format(root=str(ROOT))], capture_output=True, text=True, check=True
    )
    assert made.stdout.splitlines() == ["[]", "DB_PASSWORD=[REDACTED:password]"]
