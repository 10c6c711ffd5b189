"""Register our hooks with an agent, and take them out again: twice is once, and out is as it was before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hooks.registration import Registration
from limbeck.install import edits, files, record
from limbeck.install.command import Command, handler
from limbeck.install.edits import Edit
from limbeck.install.places import Scope, scope_files
from limbeck.install.record import Place, Record
from limbeck.install.settings import Document, Trace
from limbeck.install.tomlhooks import TomlHooks, declares_hooks


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one file (or git hook): ``changed`` is False where it was already so.

    ``left``: it is another's and stands where ours would.
    """

    path: Path
    changed: bool
    notes: tuple[str, ...] = ()
    left: bool = False


def document(entry: Registration, path: Path, text: str) -> Document | TomlHooks:
    """Return the editor for one of an agent's files, by the file's name."""
    return TomlHooks(str(path), text) if path.suffix == ".toml" else Document(str(path), text, entry)


def chosen_file(entry: Registration, scope: Scope) -> Path:
    """Return the file to register in: the TOML one where it declares hooks and there is no hooks file."""
    first, *others = scope_files(entry, scope)
    toml = next((path for path in others if path.suffix == ".toml"), None)
    if toml is not None and not first.exists():
        text = files.read(toml)
        if text is not None and declares_hooks(text, str(toml)):
            return toml
    return first


def planned(
    entry: Registration, scope: Scope, known: Record, command: Command, *, windows: bool
) -> Edit | None:
    """Return the edit that registers ``command`` for every event of ``entry``; None where it is so already.

    What of ours stood there before goes. Raises what says why the file cannot be edited.
    """
    wanted = {event: handler(entry, event, command, windows=windows) for event in entry.timeouts}
    path = chosen_file(entry, scope).absolute()
    place = known.place(entry.agent, path)
    before = files.read(path)
    editor = document(entry, path, before or "")
    present = editor.installed() if (before or "").strip() else []
    if len(present) == len(wanted) and {found.event: found.handler for found in present} == wanted:
        return None
    if present:
        editor.remove(place.trace if place else Trace())
    trace = editor.add(wanted)
    created = place.created if place and present else before is None
    folders = place.folders if place else ()
    return Edit(Place(entry.agent, str(path), created, folders, trace), before, editor.text)


def install(entry: Registration, scope: Scope, home: Path, command: Command, *, windows: bool) -> Result:
    """Register ``command`` for every event of ``entry``, in the stead of what of ours stood there before."""
    notes = (entry.note,) if entry.note else ()
    with record.locked(home):
        known = record.load(home)
        edit = planned(entry, scope, known, command, windows=windows)
        if edit is None:
            return Result(chosen_file(entry, scope).absolute(), False, notes)
        mode = files.NEW_FOLDER if scope.project is None else files.SHARED_FOLDER
        edits.write(home, known, edit, mode)
    return Result(edit.path, True, notes)


def planned_out(entry: Registration, scope: Scope, known: Record) -> list[Edit]:
    """Return the edits that take our handlers out of every file of the scope that holds some or is known to.

    A file that held nothing else before goes.
    """
    found = []
    for path in (path.absolute() for path in scope_files(entry, scope)):
        place = known.place(entry.agent, path)
        before = after = files.read(path)
        if before is not None and before.strip():
            editor = document(entry, path, before)
            editor.remove(place.trace if place else Trace())
            emptied = not editor.text.strip() and (place is None or place.created)
            after = None if emptied else editor.text
        if place is not None or before != after:
            found.append(Edit(place or Place(entry.agent, str(path)), before, after))
    return found


def uninstall(entry: Registration, scope: Scope, home: Path) -> list[Result]:
    """Take our handlers out of every file of the scope; a file that held nothing else before is removed."""
    with record.locked(home):
        found = planned_out(entry, scope, record.load(home))
        for edit in found:
            edits.take_out(home, record.load(home), edit)
    return [Result(edit.path, True) for edit in found if edit.changed]
