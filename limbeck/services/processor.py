"""Can this processor run the shipped pgvector? It is built for the builder's own kind of processor."""

from __future__ import annotations

import platform
from pathlib import Path

from limbeck.errors import ProcessorTooOld

NEEDED = {"x86_64": ("avx2", "fma", "bmi2"), "aarch64": ("sve",)}


def require_vector_instructions(
    cpuinfo: Path = Path("/proc/cpuinfo"), machine: str | None = None, system: str | None = None
) -> None:
    """Raise ProcessorTooOld where Linux says that an instruction set is missing; elsewhere we must try."""
    if (system or platform.system()) != "Linux" or not cpuinfo.is_file():
        return
    flags: set[str] = set()
    for line in cpuinfo.read_text(errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in {"flags", "Features"}:
            flags = set(value.split())
            break
    missing = [name for name in NEEDED.get(machine or platform.machine(), ()) if name not in flags]
    if missing:
        raise ProcessorTooOld(why=f"{', '.join(missing)} missing")
