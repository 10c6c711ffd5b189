"""Skills of ours in the folder where an agent reads skills: put there, renewed, taken out.

What somebody else wrote under the same name stays, and so does one of ours that was changed since.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hooks.registration import Registration
from limbeck.install import edits, files, record
from limbeck.install.agents import Result
from limbeck.install.edits import Edit
from limbeck.install.errors import AgentPlaceMissing, SettingsUnreadable
from limbeck.install.places import Scope, user_folder
from limbeck.install.plugin import skills
from limbeck.install.record import Place, Record
from limbeck.install.settings import Trace

FILE = "SKILL.md"
_THEIRS = "The skill {name} of limbeck's is not installed: {path} is there already, and stays as it is."


@dataclass(frozen=True, slots=True)
class Plan:
    """What installing or taking out comes to: files to write, files that are as they should be, files left alone."""

    edits: tuple[Edit, ...] = ()
    present: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell of those that were there already."""
        return tuple(_THEIRS.format(name=_name(path), path=path) for path in self.left)


def folder_of(entry: Registration, scope: Scope) -> Path | None:
    """Return the folder an agent reads skills from in this scope, None where it reads none that we know of."""
    if entry.skills is None:
        return None
    if scope.project is None:
        return (user_folder(entry, scope) / entry.skills.user_folder).absolute()
    if not scope.project.is_dir():
        raise AgentPlaceMissing(path=scope.project)
    return (scope.project / entry.skills.project_folder).absolute()


def planned(entry: Registration, scope: Scope, known: Record) -> Plan:
    """Return what it takes to have every skill of ours in the agent's folder."""
    folder = folder_of(entry, scope)
    if folder is None or entry.skills is None:
        return Plan()
    wanted: list[Edit] = []
    present: list[Path] = []
    left: list[Path] = []
    for name, text in skills().items():
        path = folder / name / FILE
        place, before = known.place(_owner(entry), path), _read(path)
        command = folder.parent / entry.skills.commands / f"{name}.md"
        if before == text:
            present.append(path)
        elif entry.skills.commands and command.exists():
            left.append(command)
        elif before is None and (place is not None or not _occupied(path.parent)):
            wanted.append(_edit(entry, path, place, None, text))
        elif place is not None and before == place.trace.appended:
            wanted.append(_edit(entry, path, place, before, text))
        else:
            left.append(path if path.exists() else path.parent)
    return Plan(tuple(wanted), tuple(present), tuple(left))


def install(entry: Registration, scope: Scope, home: Path) -> list[Result]:
    """Put the skills into the agent's folder; what is not ours stays and is told. Twice is once."""
    with record.locked(home):
        plan = planned(entry, scope, record.load(home))
        for edit in plan.edits:
            mode = files.NEW_FOLDER if scope.project is None else files.SHARED_FOLDER
            edits.write(home, record.load(home), edit, mode)
    done = {edit.path: True for edit in plan.edits} | dict.fromkeys(plan.present, False)
    results = [Result(path, changed) for path, changed in sorted(done.items())]
    left = zip(plan.left, plan.notes, strict=True)
    return [*results, *(Result(path, False, (note,), left=True) for path, note in left)]


def planned_out(entry: Registration, scope: Scope, known: Record) -> Plan:
    """Return the edits that take our skills out, those last put in first; those that were changed since are left."""
    folder = folder_of(entry, scope)
    if folder is None:
        return Plan()
    owner, texts = _owner(entry), skills()
    paths = {folder / name / FILE for name in texts}
    paths |= {Path(place.path) for place in known.places if place.agent == owner and _inside(place, folder)}
    found: list[Edit] = []
    left: list[Path] = []
    for path in sorted(paths, reverse=True):
        place, before = known.place(owner, path), _read(path)
        written = {place.trace.appended if place else "", texts.get(_name(path), "")} - {""}
        ours = before in written
        if place is None and not ours:
            continue
        if before is not None and not ours:
            left.append(path)
        kept = place or Place(owner, str(path), True, (str(path.parent),))
        found.append(Edit(kept, before, None if ours else before))
    return Plan(tuple(found), left=tuple(left))


def uninstall(entry: Registration, scope: Scope, home: Path) -> tuple[list[Path], list[Path]]:
    """Take our skills out; return the files that went, and those of ours that stay because they were changed."""
    with record.locked(home):
        plan = planned_out(entry, scope, record.load(home))
        for edit in plan.edits:
            edits.take_out(home, record.load(home), edit)
    return [edit.path for edit in plan.edits if edit.changed], list(plan.left)


def _edit(entry: Registration, path: Path, place: Place | None, before: str | None, text: str) -> Edit:
    folders = place.folders if place else ()
    return Edit(Place(_owner(entry), str(path), True, folders, Trace(appended=text)), before, text)


def _read(path: Path) -> str | None:
    """The text, None where there is no file; what cannot be read as text is none of ours, and read as empty."""
    try:
        return files.read(path)
    except SettingsUnreadable:
        return ""


def _occupied(folder: Path) -> bool:
    """Whether somebody has something at the place of a skill's folder."""
    if not folder.is_dir():
        return folder.exists() or folder.is_symlink()
    return any(folder.iterdir())


def _inside(place: Place, folder: Path) -> bool:
    return Path(place.path).parent.parent == folder


def _name(path: Path) -> str:
    return path.parent.name if path.name == FILE else path.stem


def _owner(entry: Registration) -> str:
    return f"{entry.agent} skill"
