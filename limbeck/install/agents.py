"""Register our hooks with an agent, and take them out again: twice is once, and out is as it was before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hooks.registration import Registration
from limbeck.install import files, record
from limbeck.install.command import Command, handler
from limbeck.install.places import Scope, scope_files
from limbeck.install.record import Place
from limbeck.install.settings import Document, Trace
from limbeck.install.tomlhooks import TomlHooks, declares_hooks


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one file (or git hook): ``changed`` is False where it was already so."""

    path: Path
    changed: bool
    notes: tuple[str, ...] = ()


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


def install(entry: Registration, scope: Scope, home: Path, command: Command, *, windows: bool) -> Result:
    """Register ``command`` for every event of ``entry``, in the stead of what of ours stood there before."""
    wanted = {event: handler(entry, event, command, windows=windows) for event in entry.timeouts}
    notes = (entry.note,) if entry.note else ()
    with record.locked(home):
        path = chosen_file(entry, scope).absolute()
        known = record.load(home)
        place = known.place(entry.agent, path)
        before = files.read(path)
        editor = document(entry, path, before or "")
        present = editor.installed() if (before or "").strip() else []
        if len(present) == len(wanted) and {found.event: found.handler for found in present} == wanted:
            return Result(path, False, notes)
        if present:
            editor.remove(place.trace if place else Trace())
        trace = editor.add(wanted)
        created = place.created if place and present else before is None
        mode = files.NEW_FOLDER if scope.project is None else files.SHARED_FOLDER
        folders = tuple(files.make_folder(path.parent, mode)) or (place.folders if place else ())
        record.save(home, known.having(Place(entry.agent, str(path), created, folders, trace)))
        try:
            files.replace(path, before, editor.text)
        except BaseException:
            record.save(home, known)
            files.remove_empty(Path(made) for made in reversed(folders))
            raise
    return Result(path, True, notes)


def uninstall(entry: Registration, scope: Scope, home: Path) -> list[Result]:
    """Take our handlers out of every file of the scope; a file that held nothing else before is removed."""
    results = []
    with record.locked(home):
        for path in (path.absolute() for path in scope_files(entry, scope)):
            known = record.load(home)
            place = known.place(entry.agent, path)
            before = files.read(path)
            if before is not None and before.strip():
                editor = document(entry, path, before)
                editor.remove(place.trace if place else Trace())
                emptied = not editor.text.strip() and (place is None or place.created)
                if editor.text != before:
                    files.replace(path, before, None if emptied else editor.text)
                    results.append(Result(path, True))
                if emptied and place:
                    files.remove_empty(Path(made) for made in reversed(place.folders))
            if place is not None:
                record.save(home, known.lacking(entry.agent, path))
    return results
