"""``limbeck okf``: what is known of a project as an open bundle of Markdown files, and back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.options import AsJson, ProjectName
from limbeck.context import Context, opened, print_json
from limbeck.show import counted, say
from limbeck.steps import Tell, steps
from schema.errors import DatabaseConflict, LimbeckError

if TYPE_CHECKING:
    from projection.okf.tree import Done

FOLDER = ".okf"
READING = "reading what is known"
okf = typer.Typer(help="The project's memory as an open bundle of Markdown files.", no_args_is_help=True)
Bundle = Annotated[Path, typer.Argument(metavar="DIR", help="The bundle's own folder.")]


@okf.command("export")
def export(folder: Bundle, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Write the bundle into a new or empty folder, or over an earlier bundle of the same project."""
    with opened() as opening, steps(READING) as tell:
        with opening.tenant() as connection:
            scope = opening.project(connection, project)
        done = _write(opening, folder, str(scope), tell)
    _told(folder, done, as_json)


@okf.command("sync")
def sync(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="The bundle's folder; else .okf in the project's root."),
    ] = None,
    project: ProjectName = None,
    keep: Annotated[
        bool | None,
        typer.Option("--keep/--no-keep", help="Whether `limbeck up` keeps this folder up to date."),
    ] = None,
    all_kept: Annotated[bool, typer.Option("--kept", help="Bring every kept folder up to date.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring a bundle up to date: changed files are written, stale ones removed, files of others left alone."""
    from limbeck import keeping

    if all_kept:
        if folder is not None or project is not None or keep is not None:
            raise typer.BadParameter("--kept takes neither a folder nor another option")
        if _all_kept(as_json):
            raise typer.Exit(1)
        return
    with opened() as opening, steps(READING) as tell:
        with opening.tenant() as connection:
            scope = str(opening.project(connection, project))
        place = folder if folder is not None else _default_folder()
        if keep is False:
            keeping.drop(opening.settings.home, place)
        done = _write(opening, place, scope, tell)
        if keep:
            keeping.keep(opening.settings.home, place, scope)
    _told(place, done, as_json)


@okf.command("import")
def import_(folder: Bundle, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Take over a bundle's facts into a project that has none: every version, with the state it had, and their checks.

    Facts alone: a bundle shows events, summaries and the backlog as pages for reading and holds nothing to make them
    again from. The pages of its use cases go in with `limbeck sync`, others as documents with `limbeck import-doc`.
    """
    from distill.store.adopt import Checked, adopt
    from projection.errors import NotABundle
    from projection.okf.clean import clean_facts
    from projection.okf.tree import read, verified

    files = read(folder)
    verified(folder, files)
    versions, checks = _lifecycle(folder, files)
    told = [Checked(one.fact, one.freshness, one.sha, one.at) for one in checks]
    with opened() as opening, steps(f"taking over {counted(len(versions), 'version')}") as tell:
        try:
            with opening.tenant() as connection:
                scope = _target(opening, connection, project)
                taken = adopt(connection, opening.client, scope, clean_facts(versions), told)
        except DatabaseConflict as error:
            why = f"its facts do not fit together ({error.fields['why']})"
            raise NotABundle(folder=folder, why=why) from error
        tell("bringing the index up to date")
        opening.index_facts(scope)
    current = sum(one.current for one in versions)
    if as_json:
        print_json({"project": scope, "versions": taken, "current": current})
    else:
        say(f"Took over {counted(current, 'current fact')}, {counted(taken, 'version')} in all.")


@okf.command("check")
def check(folder: Bundle, as_json: AsJson = False) -> None:
    """Hold a folder against the rules of the Open Knowledge Format; 1 where one is broken."""
    from projection.okf.check import ERROR
    from projection.okf.check import check as findings_of
    from projection.okf.render import MANIFEST
    from projection.okf.tree import read, verified

    with steps("reading the folder") as tell:
        files = read(folder)
        tell(f"checking {counted(len(files), 'file')}")
        findings = findings_of(files)
    errors = sum(one.level == ERROR for one in findings)
    changed = ""
    if MANIFEST in files:
        try:
            verified(folder, files)
        except LimbeckError as error:
            changed = str(error)
    if as_json:
        plain = [{name: getattr(one, name) for name in one.__slots__} for one in findings]
        print_json(
            {"files": len(files), "errors": errors, "findings": plain, "manifest": changed or "as listed"}
        )
    else:
        for one in findings:
            say(f"{one.path}:{one.line}: {one.level} {one.rule}: {one.why}")
        if changed:
            say(changed)
        pages = sum(path.endswith(".md") for path in files)
        warned = counted(len(findings) - errors, "warning")
        say(f"{counted(pages, 'page')}: {counted(errors, 'error')}, {warned}.")
    if errors or changed:
        raise typer.Exit(1)


def _write(opening: Context, folder: Path, project: str, tell: Tell) -> Done:
    from limbeck.keeping import alone_in
    from projection.okf.generation import generate
    from projection.okf.tree import reconcile

    with alone_in(opening.settings.home, folder):
        made = generate(opening.database, opening.client, project, datetime.now(UTC))
        tell(f"writing {counted(len(made.files), 'file')}")
        return reconcile(folder, made.files, made.manifest)


def _all_kept(as_json: bool) -> bool:
    """Every kept folder that is not as the database has it; one that fails stops no other. True where one did."""
    from limbeck import keeping
    from projection.okf.generation import current
    from projection.okf.tree import generation

    told: list[dict[str, Any]] = []
    with opened() as opening, steps(READING) as tell:
        for name, project in sorted(keeping.kept(opening.settings.home).items()):
            folder = Path(name)
            try:
                with opening.tenant() as connection:
                    wanted = current(connection, opening.client, project)
                if wanted is not None and wanted == generation(folder):
                    continue
                tell(f"{READING}, for {name}")
                done = _write(opening, folder, project, tell)
                told.append({"folder": name, "written": len(done.written), "removed": len(done.removed)})
            except (LimbeckError, OSError) as error:
                told.append({"folder": name, "error": str(error)})
    if as_json:
        print_json(told)
    for one in () if as_json else told:
        say(
            f"{one['folder']}: " + (one.get("error") or f"{one['written']} written, {one['removed']} removed")
        )
    return any("error" in one for one in told)


def _default_folder() -> Path:
    """``documents/.okf`` where the project has a folder of documents, else ``.okf``, in the project's root."""
    from capture.project import find

    root = Path(find(str(Path.cwd().resolve()), make_id=None).root or Path.cwd())
    return root / "documents" / FOLDER if (root / "documents").is_dir() else root / FOLDER


def _told(folder: Path, done: Done, as_json: bool) -> None:
    if as_json:
        told = {
            "folder": str(folder),
            "written": done.written,
            "removed": done.removed,
            "unchanged": done.unchanged,
        }
        print_json(told)
    else:
        written, removed = len(done.written), len(done.removed)
        say(
            f"{folder}: {counted(written, 'file')} written, {removed} removed, {done.unchanged} as they were."
        )


def _lifecycle(folder: Path, files: dict[str, bytes]) -> tuple[list[Any], list[Any]]:
    from projection.errors import NotABundle
    from projection.okf import lifecycle

    names = sorted(n for n in files if n.startswith(f"{lifecycle.FOLDER}/") and n.endswith(".jsonl"))
    if not names:
        why = f"it has no {lifecycle.FOLDER}/ with the facts' lifecycle; pages alone go in with `limbeck import-doc`"
        raise NotABundle(folder=folder, why=why)
    versions, checks = [], []
    for name in names:
        found = lifecycle.read(name, files[name].decode("utf-8", "replace"))
        versions += found[0]
        checks += found[1]
    return versions, checks


def _target(opening: Context, connection: Any, project: str | None) -> str:
    """The project named, else the one of this folder, which becomes known where it is not."""
    from capture.project import find
    from schema.projects import keys, lookup, named, register

    if project is not None:
        return named(connection, opening.client, project)
    place = find(str(Path.cwd().resolve()))
    known = keys({"remote": place.remote, "id": place.id, "root": place.root})
    found = lookup(connection, opening.client, known)
    if found is None:
        found = register(connection, opening.client, known, remote=place.remote, root=place.root)
    return found
