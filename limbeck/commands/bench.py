"""``limbeck bench``: measure it here. Each measurement is a module of ``limbeck.bench`` with a function of its name."""

from __future__ import annotations

from importlib import import_module

import typer

MEASUREMENTS = {
    "hook": "What a hook adds to starting Python.",
    "redact": "What the nets catch, and what they catch wrongly.",
    "ingest": "Events a second from the stream to rows.",
    "facts": "Whether facts stay true.",
    "recall": "Whether the right things are found, and how fast.",
}

bench = typer.Typer(help="Measure it here.", no_args_is_help=True, rich_markup_mode=None)
for _name, _summary in MEASUREMENTS.items():
    _module = import_module(f"limbeck.bench.{_name}")
    bench.command(_name, short_help=_summary)(_module.run)
