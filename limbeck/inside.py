"""What lies in a folder that others may have filled: a link in it that leads out is not followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from capture.project import find
from limbeck.errors import LeadsOut

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Inside:
    """The files of a folder, and the links in it that lead out of it."""

    folder: Path
    files: tuple[Path, ...]
    leading_out: tuple[Path, ...]

    @property
    def told(self) -> str:
        """A sentence on the links that were not followed; empty where there are none."""
        if not self.leading_out:
            return ""
        names = ", ".join(str(one.relative_to(self.folder)) for one in self.leading_out[:SHOWN])
        more = ", ..." if len(self.leading_out) > SHOWN else ""
        count = len(self.leading_out)
        links = f"{count} symbolic link leads" if count == 1 else f"{count} symbolic links lead"
        return (
            f"{links} out of {self.folder} and {'was' if count == 1 else 'were'} not followed: {names}{more}. "
            "Name a target itself to read it."
        )


def inside(folder: Path, wanted: Callable[[Path], bool]) -> Inside:
    """Return the ``wanted`` files below ``folder``, in order. Linked folders are not entered."""
    real = folder.resolve()
    files, leading_out = [], []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() and not _within(path, real):
            if path.is_dir() or wanted(path):
                leading_out.append(path)
        elif wanted(path) and path.is_file():
            files.append(path)
    return Inside(folder, tuple(files), tuple(leading_out))


def require_own(path: Path) -> None:
    """Raise LeadsOut where a link leads ``path`` out of the project it is named in, else out of its folder."""
    whole = path.absolute()
    found = find(str(whole.parent), make_id=None)
    root = Path(found.root) if found.common is not None and found.root else whole.parent
    if not _within(whole, root.resolve()):
        raise LeadsOut(path=path, folder=root)


def _within(path: Path, real: Path) -> bool:
    try:
        return path.resolve().is_relative_to(real)
    except (OSError, RuntimeError):  # a circle of links
        return False
