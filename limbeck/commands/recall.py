"""``limbeck recall``: one question, answered from memory with provenance."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.options import AsJson, Everywhere, ProjectName, at_time
from limbeck.context import opened, print_json
from limbeck.show import moment

if TYPE_CHECKING:
    from recall.answer import Answer, Hit

KINDS = "fact, event, summary, commit, memory, item, message, turn, session"


def recall(
    query: Annotated[str, typer.Argument(help='The question. Words in "double quotes" must appear just so.')],
    kind: Annotated[
        list[str] | None, typer.Option(help=f"Only this kind ({KINDS}); may be repeated.")
    ] = None,
    file: Annotated[list[str] | None, typer.Option(help="A file you work in; may be repeated.")] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Look from this time: 2026-03-01 or 'last week'.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Show superseded facts too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many distinct sessions.")] = 5,
    budget: Annotated[int, typer.Option(min=50, max=100_000, help="How many tokens of text.")] = 2000,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    no_embeddings: Annotated[bool, typer.Option("--no-embeddings", help="Keyword and files only.")] = False,
    index: Annotated[bool, typer.Option("--index", help="Only each result's beginning.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show each signal's rank and score.")] = False,
    as_json: AsJson = False,
) -> int:
    """Ask what the memory knows: current facts first, each result with where it comes from."""
    from limbeck.embeddings import embeddings_of
    from recall.answer import Scope
    from recall.embedding.choose import chosen
    from recall.search import KINDS as KNOWN
    from recall.search import recall as search

    for name in kind or ():
        if name not in KNOWN:
            raise typer.BadParameter(f"there is no kind {name!r}; the kinds are {KINDS}")
    with opened() as context:
        with context.tenant() as connection:
            here = context.project(connection, project, everywhere)
        answer = search(
            context.database,
            Scope(context.client, None if here is None else (here,)),
            query,
            kinds=kind,
            files=file or (),
            as_of=at_time(as_of),
            history=history,
            limit=limit,
            budget=budget,
            index_only=index,
            embedder=None if no_embeddings else chosen(embeddings_of(context.settings)),
        )
    if as_json:
        print_json(_plain(answer))
    else:
        _print(answer, explain)
    return 0


def _plain(answer: Answer) -> dict[str, Any]:
    return asdict(answer)


def _print(answer: Answer, explain: bool) -> None:
    if answer.note:
        print(answer.note)
    if answer.window is not None:
        print(
            f"Time meant by {answer.window.phrase!r}: {answer.window.start:%Y-%m-%d} to {answer.window.end:%Y-%m-%d}"
        )
    for number, hit in enumerate(answer.hits, start=1):
        print(f"{number}. {_label(hit)}")
        for line in (hit.title, hit.text):
            if line.strip():
                print("   " + line.strip().replace("\n", "\n   "))
        print("   " + _provenance(hit))
        if explain:
            signals = ", ".join(f"{name} #{s.rank} ({s.score:.3f})" for name, s in hit.signals.items())
            print(f"   score {hit.score:.3f}: {signals}")
    if answer.left_out:
        print(f"{answer.left_out} more did not fit the budget; raise --budget to see them.")
    if explain:
        print("signals: " + ", ".join(f"{name}: {state}" for name, state in answer.signals.items()))


def _label(hit: Hit) -> str:
    marks = [hit.kind]
    if hit.standing:
        marks.append(f"known from {hit.standing}")
    if hit.freshness:
        marks.append(hit.freshness)
    if not hit.current:
        marks.append(f"outdated since {moment(hit.valid_to)}" if hit.valid_to else "outdated")
    return f"[{', '.join(marks)}] {moment(hit.valid_from or hit.at)}"


def _provenance(hit: Hit) -> str:
    parts = [f"{hit.kind} {hit.ref}"]
    if hit.session:
        parts.append(f"session {hit.session}")
    parts.extend(dict.fromkeys(f"commit {e.commit[:10]}" for e in hit.evidence if e.commit))
    if hit.files:
        parts.append("files " + ", ".join(hit.files[:3]) + (" ..." if len(hit.files) > 3 else ""))
    return "from " + "; ".join(parts)
