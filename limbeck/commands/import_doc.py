"""``limbeck import-doc``: source documents become Markdown, in versions, cut into passages that can be found."""

from __future__ import annotations

import getpass
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.options import AsJson, By, ProjectName
from limbeck.context import Context, opened, print_json
from limbeck.show import counted, day, say, table
from limbeck.steps import steps
from schema.errors import LimbeckError

if TYPE_CHECKING:
    from projection.documents.store import Document, Saved

MANAGED = (".okf", "use_cases")


def import_doc(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...", help="Markdown, text, HTML, PDF or Word files, or folders of them."
        ),
    ] = None,
    project: ProjectName = None,
    listing: Annotated[bool, typer.Option("--list", help="List what was imported.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Delete these documents (by name) instead.")
    ] = False,
    by: By = None,
    as_json: AsJson = False,
) -> int:
    """Import documents; one whose text has not changed makes no new version.

    What Limbeck generates or manages itself (.okf, pages of use cases) is left out.
    """
    if listing == bool(files):
        raise typer.BadParameter("name files to import, or --list to see what was imported")
    with opened() as opening:
        with opening.tenant() as connection:
            scope = str(opening.project(connection, project))
        if listing:
            return _list(opening, scope, as_json)
        with steps("looking for documents") as tell:
            named, told = _spread(files or [])
            for number, path in enumerate(named, 1):
                tell(f"reading {path}, {number} of {len(named)}")
                told.append(_one(opening, scope, path, remove, by))
            if any("document" in one or "removed" in one for one in told):
                from recall.documents import index_documents

                tell("bringing the index up to date")
                index_documents(opening.database, opening.client, scope)
    if as_json:
        print_json(told)
    else:
        for one in told:
            _say(one)
    return 1 if any("error" in one for one in told) else 0


def _spread(paths: list[Path]) -> tuple[list[Path], list[dict[str, Any]]]:
    """The files named, and those of known formats in the folders named, without what is ours; and what is refused."""
    from limbeck.inside import inside, require_own
    from projection.documents.formats import SUFFIXES

    found: list[Path] = []
    refused: list[dict[str, Any]] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        try:
            require_own(path)
        except LimbeckError as error:
            refused.append({"name": str(path), "error": str(error)})
            continue
        held = inside(path, lambda one: one.suffix.lower() in SUFFIXES)
        if held.told:
            refused.append({"name": str(path), "error": held.told, "links": len(held.leading_out)})
        found += [
            one
            for one in held.files
            if not set(MANAGED) & {*_parts(one, path), *_parts(one.resolve(), path.resolve())}
        ]
    return found, refused


def _parts(path: Path, folder: Path) -> tuple[str, ...]:
    return path.relative_to(folder).parts


def _one(opening: Context, project: str, path: Path, remove: bool, by: str | None) -> dict[str, Any]:
    """Import one file; what is wrong with it is told and stops no other."""
    try:
        return _remove(opening, project, path) if remove else _import(opening, project, path, by)
    except LimbeckError as error:
        return {"name": str(path), "error": str(error)}
    except OSError as error:
        return {"name": str(path), "error": f"{path} cannot be read: {error.strerror or error}."}


def _import(opening: Context, project: str, path: Path, by: str | None) -> dict[str, Any]:
    from limbeck.inside import require_own
    from projection.documents import store
    from projection.documents.apart import convert_apart
    from projection.documents.formats import MOST_BYTES
    from projection.pages.page import is_managed

    require_own(path)
    name = _name(path)
    if ".okf" in path.absolute().parts:
        return {"name": name, "skipped": "it is generated"}
    with path.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if is_managed(content):
        return {"name": name, "skipped": "it is the page of a use case; `limbeck sync` takes it over"}
    made = convert_apart(name, content)
    with opening.tenant() as connection:
        saved = store.save(
            connection, opening.client, project, name, made, by=by or getpass.getuser(), now=datetime.now(UTC)
        )
    return {"name": saved.name, "document": saved}


def _remove(opening: Context, project: str, path: Path) -> dict[str, Any]:
    from projection.documents import store

    with opening.tenant() as connection:
        gone = store.remove(connection, opening.client, project, _name(path) if path.exists() else str(path))
    return {"name": str(path), "removed": gone}


def _name(path: Path) -> str:
    """The path in the project, else the file's name."""
    from capture.project import find

    whole = path.absolute()
    root = find(str(whole.parent.resolve()), make_id=None).root
    inside = root is not None and whole.resolve().is_relative_to(root)
    return whole.resolve().relative_to(root or "/").as_posix() if inside else whole.name


def _say(one: dict[str, Any]) -> None:
    if "error" in one:
        print(f"limbeck: {one['error']}", file=sys.stderr)
    elif "skipped" in one:
        say(f"{one['name']}: left out, {one['skipped']}.")
    elif "removed" in one:
        say(f"{one['name']}: removed.")
    else:
        saved: Saved = one["document"]
        cleaned = f", {counted(saved.secrets, 'secret')} removed" if saved.secrets else ""
        if saved.is_new:
            told = f"version {saved.version}, {counted(saved.passages, 'passage')}, {saved.new} of them new{cleaned}"
        else:
            told = f"as version {saved.version}, {counted(saved.passages, 'passage')}; nothing changed"
        say(f"{saved.name}: {told}.")


def _list(opening: Context, project: str, as_json: bool) -> int:
    from projection.documents import store

    with opening.tenant() as connection:
        found: list[Document] = store.listed(connection, opening.client, [project], limit=1_000)
    if as_json:
        print_json([{name: getattr(one, name) for name in one.__slots__} for one in found])
    elif not found:
        print("No documents. `limbeck import-doc FILE...` imports some.")
    else:
        rows = [
            (one.name, one.title, one.format, str(one.version), f"{one.characters:,}", day(one.updated_at))
            for one in found
        ]
        table(("name", "title", "format", "version", "characters", "imported"), rows, prose=("title",))
    return 0
