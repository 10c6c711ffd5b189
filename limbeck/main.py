"""The command line. A command's module is loaded only when that command runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Annotated, Any

import typer

from limbeck.output import output
from limbeck.running import explained
from limbeck.usage import readable
from limbeck.visible import visible

# name -> (module:function, the line `limbeck --help` shows)
COMMANDS: dict[str, tuple[str, str]] = {
    "up": ("limbeck.commands.up:up", "Start everything in the background and wait until it answers."),
    "down": ("limbeck.commands.down:down", "Stop what `up` started."),
    "status": ("limbeck.commands.status:status", "What runs, and what became of every captured event."),
    "demo": ("limbeck.commands.demo:demo", "The whole of it on real input, in a temporary home."),
    "sessions": ("limbeck.commands.sessions:sessions", "The sessions the mirror holds."),
    "observations": ("limbeck.commands.observations:observations", "Tool calls in compact form."),
    "quarantine": ("limbeck.commands.quarantine:quarantine", "Events that could not be stored."),
    "add": ("limbeck.commands.add:add", "A message or a meeting note becomes part of the memory."),
    "trace": ("limbeck.commands.trace:trace", "Where something came from, and what it led to."),
    "hotspots": ("limbeck.commands.hotspots:hotspots", "The files that change most."),
    "retain": ("limbeck.commands.retain:retain", "Drop old evidence; what it came to stays."),
    "import": ("limbeck.commands.import_:import_", "Old transcripts of Claude Code and Codex become memory."),
    "recall": (
        "limbeck.commands.recall:recall",
        "Ask what the memory knows; every answer says where it comes from.",
    ),
    "remember": ("limbeck.commands.remember:remember", "Keep something under a key."),
    "memory": ("limbeck.commands.memory:memory", "Saved memories: list, search, save, delete; on and off."),
    "forget": ("limbeck.commands.forget:forget", "Forget a key, or something for good, wherever it is kept."),
    "facts": ("limbeck.commands.facts:facts", "What is true of the project, with its history."),
    "review": ("limbeck.commands.review:review", "Proposals that wait for a person's decision."),
    "drafts": (
        "limbeck.commands.drafts:drafts",
        "Proposals for the backlog: approve, edit, merge, reject, classify.",
    ),
    "items": (
        "limbeck.commands.items:items",
        "Use cases and items: their life, and what was done.",
    ),
    "rescan": ("limbeck.commands.rescan:rescan", "The whole tree against every fact."),
    "okf": (
        "limbeck.commands.okf:okf",
        "The memory as an open bundle of Markdown files: export, sync, import, check.",
    ),
    "import-doc": (
        "limbeck.commands.import_doc:import_doc",
        "Documents become passages that can be found and mapped.",
    ),
    "sync": (
        "limbeck.commands.sync:sync",
        "Use cases as Markdown pages, kept alike with the backlog both ways.",
    ),
    "spend": ("limbeck.commands.spend:spend", "What the model cost, against its caps."),
    "install": ("limbeck.commands.install:install", "Hooks into an agent's settings, or into git."),
    "uninstall": ("limbeck.commands.uninstall:uninstall", "Take the hooks out again, leaving all as it was."),
    "doctor": (
        "limbeck.commands.doctor:doctor",
        "Follow every installed hook to the database; say what is wrong.",
    ),
    "hook-preview": (
        "limbeck.commands.hook_preview:hook_preview",
        "What a hook would send, without sending it.",
    ),
    "redact": ("limbeck.commands.redact:redact", "What would leave of a text: secrets replaced by markers."),
    "spool": ("limbeck.commands.spool:spool", "Events that wait on this machine's disk: status, drain."),
    "ship": ("limbeck.commands.ship:ship", "Empty this machine's spool into the queue; `up` does it too."),
    "bench": (
        "limbeck.commands.bench:bench",
        "Measure this build on labelled data, in a throw-away database.",
    ),
    "purge": ("limbeck.commands.purge:purge", "Clean what is stored with today's patterns."),
    "token": ("limbeck.commands.token:token", "Who may ask the server: create, list, revoke."),
    "serve": ("limbeck.commands.serve:serve", "Run the server in the foreground: REST and MCP."),
    "mcp": ("limbeck.commands.mcp:mcp", "MCP over standard input and output, for an agent to start."),
    "call": ("limbeck.commands.call:call", "Run any operation of the server as this machine's owner."),
    "open": ("limbeck.commands.open:open_", "Open the server's pages in a browser."),
    "config": ("limbeck.commands.config:config", "The settings in force: list, get, set, unset."),
    "migrate": ("limbeck.commands.migrate:migrate", "Bring the database to this version's schema."),
    "worker": ("limbeck.commands.worker:worker", "Run a worker in the foreground."),
    "schedule": ("limbeck.commands.schedule:schedule", "Run the periodic tasks of a team in the foreground."),
    "health": ("limbeck.commands.health:health", "Whether this machine's worker or schedule lives."),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave the process: 0 done, 1 refused or failed with a sentence, 2 wrong usage.

    Wrong usage is what cannot be right whatever is stored. It is looked at before anything is opened.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    wanted = next((word for word in words if not word.startswith("-")), None)
    command = readable(typer.main.get_command(application(wanted)))
    try:
        with output():
            command.main(words, prog_name="limbeck")
    except Exception as error:
        told = explained(error)
        print(f"limbeck: {visible(str(told))}", file=sys.stderr)  # noqa: T201 - the one place that tells a person
        sys.exit(2 if told.usage else 1)


def application(wanted: str | None) -> typer.Typer:
    """The command line with the ``wanted`` command loaded and only the names and summaries of the others."""
    app = typer.Typer(
        help="Memory for coding agents: what they did, distilled to what is true now.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for name, (target, summary) in COMMANDS.items():
        if name != wanted:
            app.command(name, help=summary, short_help=summary)(_not_loaded)
            continue
        found = _find(target)
        if isinstance(found, typer.Typer):
            for below in found.registered_commands:
                if below.callback is not None and not hasattr(below.callback, "__wrapped__"):
                    below.callback = _with_exit_code(below.callback)
            app.add_typer(found, name=name, short_help=summary)
        else:
            app.command(name, short_help=summary)(_with_exit_code(found))
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"limbeck {version('limbeck')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version.")
    ] = False,
) -> None:
    """Memory for coding agents: what they did, distilled to what is true now."""
    del version  # its callback has answered


def _find(target: str) -> Any:
    """The function of a command, or the application of one that has commands of its own."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _with_exit_code(function: Callable[..., Any]) -> Callable[..., None]:
    @wraps(function)
    def run(*arguments: Any, **options: Any) -> None:
        code = function(*arguments, **options)
        if code:
            raise typer.Exit(code)

    return run


def _not_loaded() -> None:
    """Stand in for a command that was not asked for."""


if __name__ == "__main__":
    main()
