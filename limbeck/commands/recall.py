"""``limbeck recall``: one question, answered from memory with provenance."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from limbeck.commands.hints import not_distilled
from limbeck.commands.options import TIMES, AsJson, Everywhere, ProjectName, at_time
from limbeck.context import opened, print_json
from limbeck.show import moment, say
from schema.kinds import KINDS as KNOWN

if TYPE_CHECKING:
    from recall.answer import Answer

KINDS = ", ".join(KNOWN)


def recall(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION", help='The question. Words in "double quotes" must appear just so.'
        ),
    ],
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=f"Only this kind ({KINDS}); may be repeated."),
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A file you work in; may be repeated.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help=f"Look from this time: {TIMES}.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Show superseded facts too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many distinct sessions.")] = 5,
    budget: Annotated[int, typer.Option(min=50, max=100_000, help="How many tokens of text.")] = 2000,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    no_embeddings: Annotated[bool, typer.Option("--no-embeddings", help="Keyword and files only.")] = False,
    index: Annotated[bool, typer.Option("--index", help="Only each result's beginning.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show each signal's rank and score.")] = False,
    as_fenced: Annotated[
        bool | None,
        typer.Option("--fenced/--plain", help="Inside a fence that marks it as data; what a pipe gets."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Ask what the memory knows: current facts first, each result with where it comes from."""
    from limbeck.embeddings import embeddings_of
    from limbeck.server import owner
    from recall.answer import Scope
    from recall.embedding.choose import chosen
    from recall.question import parse
    from recall.search import recall as search

    parse(" ".join(words), datetime.now(UTC))
    for name in kind or ():
        if name not in KNOWN:
            raise typer.BadParameter(f"there is no kind {name!r}; the kinds are {KINDS}")
    seen_from = at_time(as_of)
    with opened() as context:
        with context.tenant() as connection:
            here = context.project(connection, project, everywhere)
        answer = search(
            context.database,
            Scope(context.client, None if here is None else (here,), owner.name()),
            " ".join(words),
            kinds=kind,
            files=file or (),
            as_of=seen_from,
            history=history,
            limit=limit,
            budget=budget,
            index_only=index,
            embedder=None if no_embeddings else chosen(embeddings_of(context.settings)),
        )
        hint = ""
        if answer.nothing:
            with context.tenant() as connection:
                hint = not_distilled(connection, context.client, here, context.settings.idle_minutes)
    if as_json:
        print_json(asdict(answer) | ({"hint": hint} if hint else {}))
        return 0
    if answer.hits and (as_fenced or (as_fenced is None and not explain and not sys.stdout.isatty())):
        from recall.fence import fenced

        say(fenced(answer))
        return 0
    _print(answer, explain)
    if hint:
        print(hint)
    return 0


def _print(answer: Answer, explain: bool) -> None:
    from recall.fence import label, origin, told, worded

    if answer.note:
        say(answer.note)
    if answer.window is not None:
        say(told(answer.window))
    if explain and answer.hits:
        say(
            "Results are grouped by session, at most three of each; sessions stand in the order of their best one."
        )
    for number, hit in enumerate(answer.hits, start=1):
        say(f"{number}. {label(hit, moment)}")
        for line in worded(hit.title, hit.text):
            say("   " + line.replace("\n", "\n   "))
        say("   from " + origin(hit))
        if explain:
            signals = ", ".join(f"{name} #{s.rank} ({s.score:.3f})" for name, s in hit.signals.items())
            say(f"   session #{hit.place}, score {hit.score:.3f}: {signals}")
    if answer.left_out:
        say(f"{answer.left_out} more did not fit the budget; raise --budget to see them.")
    if explain:
        say("signals: " + ", ".join(f"{name}: {state}" for name, state in answer.signals.items()))
