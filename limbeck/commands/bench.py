"""``limbeck bench``: measure this build. Nothing of it touches the memory of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from limbeck.commands.forms import a_number_at_all
from limbeck.commands.options import BIGGEST
from limbeck.context import print_json
from limbeck.errors import NotAFolder

bench = typer.Typer(help="Measure this build; a throw-away database is used.", no_args_is_help=True)


@bench.command("recall")
def recall(
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="LIMBECK_BENCH_DATA", help="A folder or file of labelled data; see docs/recall.md."
        ),
    ] = None,
    no_embeddings: Annotated[bool, typer.Option("--no-embeddings", help="Keyword and files only.")] = False,
    half: Annotated[str, typer.Option(help="Which questions: all, even or odd.")] = "all",
    questions: Annotated[
        int | None,
        typer.Option(min=1, max=BIGGEST, help="Ask at most this many of a set, evenly over it."),
    ] = None,
    alone: Annotated[bool, typer.Option(help="Also ask each signal alone.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Write labelled sessions through ingest as the product does, ask their questions, and print what was found.

    Layouts: DevMemBench, commits with sessions, LoCoMo, LongMemEval, BEAM, REALTALK.
    """
    import sys

    from limbeck.bench import layouts
    from limbeck.bench.recall import lines, measure
    from limbeck.bench.recall_world import world

    halves = {"all": None, "even": 0, "odd": 1}
    if half not in halves:
        raise typer.BadParameter("--half is all, even or odd")
    if data is None:
        raise typer.BadParameter("say where the labelled data is: --data DIR, or LIMBECK_BENCH_DATA")
    embedder = None
    if not no_embeddings:
        from recall.embedding.minilm import bundled

        embedder = bundled()
    results = []
    for labelled in layouts.read(data):
        with world(embed=embedder is not None) as ready:
            result = measure(
                ready,
                labelled,
                embedder,
                half=halves[half],
                most=questions,
                alone=alone,
                report=lambda line: print(line, file=sys.stderr),
            )
        results.append(result)
        if not as_json:
            print("\n".join(lines(result)), flush=True)
    if as_json:
        print_json(results)
    return 0


@bench.command("redact")
def redact(
    each: Annotated[int, typer.Option(min=1, max=1000, help="Made-up values for each shape.")] = 20,
    code: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A folder of ordinary code; this Python's library by default.",
        ),
    ] = None,
    hostile: Annotated[bool, typer.Option(help="Also time hostile repeats.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Recall by kind of leak, false positives and growth under hostile input, the hook's net and with the worker's."""
    from limbeck.bench.redact import run

    if code is not None and not code.is_dir():
        raise NotAFolder(path=code)
    return run(each, code, hostile, as_json)


@bench.command("hook")
def hook(
    runs: Annotated[int, typer.Option(min=1, max=5000, help="Rounds; each times every case once.")] = 300,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Time the hook against `python -I -S -c pass` of the same interpreter, interleaved, on a queue of its own."""
    from limbeck.bench.hook import run

    return run(runs, as_json)


@bench.command("recall-scale")
def recall_scale(
    sizes: Annotated[
        str, typer.Option(help="Units of each project, by commas.")
    ] = "1000,10000,100000,889000",
    vectors_up_to: Annotated[
        int, typer.Option(min=0, max=2_000_000, help="Projects up to this size get vectors.")
    ] = 100_000,
    picture: Annotated[Path | None, typer.Option(help="Write the curve as an SVG here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Time recall in projects of several sizes in one database; units are generated and loaded by COPY."""
    from limbeck.bench import scale

    try:
        wanted = [int(size) for size in sizes.split(",")]
    except ValueError:
        raise typer.BadParameter("--sizes is whole numbers by commas") from None
    if not wanted or not all(100 <= size <= 2_000_000 for size in wanted):
        raise typer.BadParameter("a project has from 100 to 2,000,000 units")
    result = scale.measure(wanted, vectors_up_to)
    if picture is not None:
        picture.write_text(scale.picture(result), "utf-8")
    if as_json:
        print_json(result)
        return 0
    print(f"{result['units']:,} units, loaded by {result['loaded_by']} in {result['load_s']} s")
    for row in result["projects"]:
        ways = ", ".join(f"{k}: p50 {v['p50']} p95 {v['p95']} ms" for k, v in row.items() if k != "units")
        print(f"  project of {row['units']:>9,} units: {ways}")
    return 0


@bench.command("ingest")
def ingest(
    events: Annotated[
        int, typer.Option(min=1000, max=5_000_000, help="Observations; 2900000 make two million rows.")
    ] = 200_000,
    exchanges: Annotated[int, typer.Option(min=10, max=100_000, help="Texts of 2 KB.")] = 1000,
    seconds: Annotated[int, typer.Option(min=2, max=600, help="How long at 500 events a second.")] = 20,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Worker processes.")] = 2,
    seed: Annotated[int, typer.Option(min=0, max=BIGGEST, help="The same seed makes the same events.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Ingest made-up events with both nets on, beside a plain COPY of the same rows, on servers of its own."""
    from limbeck.bench.ingest import run

    return run(events, exchanges, seconds, processes, seed, as_json)


@bench.command("facts")
def facts(
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Only supersession, consolidation, code, sessions, phrases, safety, chat, handover or workshop; "
            "may be repeated."
        ),
    ] = None,
    timelines: Annotated[int, typer.Option(min=1, max=5000, help="How many timelines.")] = 500,
    statements: Annotated[int, typer.Option(min=50, max=5000, help="How many consolidation facts.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=BIGGEST, help="Another seed makes another set.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Whether facts stay true: supersession, consolidation, code proof, labelled sessions, planted orders, the cap."""
    from limbeck.bench.facts import run

    return run(only or (), timelines, statements, seed, as_json)


@bench.command("server")
def server(
    units: Annotated[int, typer.Option(min=1000, max=1_000_000, help="Units of the search index.")] = 100_000,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.2, max=60, callback=a_number_at_all, help="How long each operation is asked, each way."
        ),
    ] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Ask every operation that reads over REST and MCP, eight clients at once; and start an agent's process."""
    import sys

    from limbeck.bench.server import lines, measure

    result = measure(units, seconds, lambda line: print(line, file=sys.stderr))
    if as_json:
        print_json(result)
    else:
        print("\n".join(lines(result)))
    return 0


@bench.command("web")
def web(
    units: Annotated[int, typer.Option(min=1000, max=1_000_000, help="Units of the search index.")] = 100_000,
    times: Annotated[int, typer.Option(min=5, max=1000, help="How often each page is asked for.")] = 40,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> int:
    """Time and weigh every page of the viewer, and watch its feed while 200 events a second arrive.

    Ends with 1 where a page takes more than 100 ms (p95) or weighs more than 60 kB.
    """
    import sys

    from limbeck.bench.web import lines, measure

    result = measure(units, times, lambda line: print(line, file=sys.stderr))
    if as_json:
        print_json(result)
    else:
        print("\n".join(lines(result)))
    within = all(
        page["p95"] <= result["bound_ms"] and page["kb"] <= result["bound_kb"] for page in result["pages"]
    )
    return 0 if within else 1
