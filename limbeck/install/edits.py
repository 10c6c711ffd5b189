"""One change of an agent's file, worked out before anything is written: so it can be refused as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from limbeck.install import files, record
from limbeck.install.record import Place, Record


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of the file at ``place``: its text ``before`` and ``after``, None where there is no file.

    ``notes`` are for the person.
    """

    place: Place
    before: str | None
    after: str | None
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.place.path)

    @property
    def changed(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after


def check(edit: Edit) -> None:
    """Raise ``SettingsNotWritable`` where ``edit`` would be refused by the system."""
    if edit.changed:
        files.require_writable(edit.path)


def write(home: Path, known: Record, edit: Edit, mode: int) -> None:
    """Make the change and note it in the record of ``home``; ``mode`` is for folders that were not there.

    The record is saved first: what was begun can be taken out again. Raises what ``files.replace`` raises, and then
    all is as it was.
    """
    folders = tuple(files.make_folder(edit.path.parent, mode)) or edit.place.folders
    record.save(home, known.having(replace(edit.place, folders=folders)))
    try:
        files.replace(edit.path, edit.before, edit.after)
    except BaseException:
        record.save(home, known)
        files.remove_empty(Path(made) for made in reversed(folders))
        raise


def take_out(home: Path, known: Record, edit: Edit) -> None:
    """Make the change that leaves nothing of ours, remove the folders that were made for it, and forget the place."""
    if edit.changed:
        files.replace(edit.path, edit.before, edit.after)
    if edit.after is None:
        files.remove_empty(Path(made) for made in reversed(edit.place.folders))
    record.save(home, known.lacking(edit.place.agent, edit.path))
