"""What the registered commands point at: the stub and bundle in the home, and the interpreter they are
built for."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path

from capture.observation import HOOK_VERSION
from hooks.bundle import STUB, build
from limbeck.install import interpreter, record
from limbeck.install.errors import InterpreterUnusable


def refresh(home: Path) -> tuple[str, str]:
    """Write the stub and the bundle of this version into ``home``; return the interpreter and the stub's
    path.

    The interpreter of an earlier installation is kept while it works, so that the commands' text stays the
    same. Raises ``InterpreterUnusable``.
    """
    with record.locked(home):
        known = record.load(home)
        earlier = Path(known.interpreter) if known.interpreter else None
        python = earlier if earlier and interpreter.usable(earlier) else interpreter.current()
        build(home, python)
        record.save(home, dataclasses.replace(known, interpreter=str(python), version=HOOK_VERSION))
    return str(python), str(home.absolute() / "hooks" / STUB)


def renew(home: Path) -> None:
    """For `up`, after an upgrade: do what ``refresh`` does where something was installed from ``home``.

    An interpreter that will not do is left to the doctor.
    """
    if (home / "hooks" / STUB).exists():
        with suppress(InterpreterUnusable):
            refresh(home)
