"""``limbeck redact``: what would leave this machine of a text."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from limbeck.commands.forms import words
from schema.errors import LimbeckError

Net = Callable[[str], tuple[str, dict[str, int]]]


class Nets(StrEnum):
    """Which nets the text goes through."""

    HOOK = "hook"
    WORKER = "worker"
    BOTH = "both"


class FileUnreadable(LimbeckError):
    """The file {path} cannot be read: {why}."""


class NoSuchField(LimbeckError):
    """Line {number} of {name} has no field {field}, so nothing in it was redacted and it is not printed. Name a field
    that every line has."""


class NotAJsonLine(LimbeckError):
    """Line {number} of {name} is not a JSON object: {why}. --jsonl wants one object on each line."""


def redact(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Standard input where none is named.")
    ] = None,
    net: Annotated[
        Nets,
        typer.Option(help="hook: before anything leaves; worker: the server's second net; both in turn."),
    ] = Nets.BOTH,
    jsonl: Annotated[
        str | None,
        typer.Option(
            "--jsonl",
            metavar="FIELD",
            callback=words,
            help="Lines of JSON: redact this field, keep the rest.",
        ),
    ] = None,
    counts: Annotated[bool, typer.Option("--counts", help="Tell on standard error what was found.")] = False,
) -> int:
    """Print each text as it would leave: secrets replaced by markers, everything else as it is."""
    clean = net_of(net)
    total: Counter[str] = Counter()
    for name, stream in _open(files or []):
        if jsonl is None:
            text, found = clean(_text(stream.read()))
            total.update(found)
            _print(text)
            continue
        for number, line in enumerate(stream, 1):
            _print(_line(_text(line), number, name, jsonl, clean, total))
    if counts:
        print(json.dumps(dict(sorted(total.items()))), file=sys.stderr)
    return 0


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))


def net_of(net: Nets) -> Net:
    """The function that takes a text through ``net``."""
    from capture.redact import redact as hook

    if net is Nets.HOOK:
        return hook
    from capture.net import second_net

    if net is Nets.WORKER:
        return second_net

    def both(text: str) -> tuple[str, dict[str, int]]:
        first, found = hook(text)
        second, missed = second_net(first)
        return second, dict(Counter(found) + Counter(missed))

    return both


def _open(files: list[Path]) -> Iterator[tuple[str, BinaryIO]]:
    if not files:
        yield "standard input", sys.stdin.buffer
    for path in files:
        with _reading(path) as stream:
            yield str(path), stream


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    try:
        stream = path.open("rb")
    except OSError as error:
        raise FileUnreadable(path=path, why=error.strerror or error) from error
    with stream:
        yield stream


def _line(line: str, number: int, name: str, field: str, clean: Net, total: Counter[str]) -> str:
    body = line.rstrip("\r\n")
    if not body.strip():
        return line
    try:
        record: Any = json.loads(body)
    except ValueError as error:
        raise NotAJsonLine(number=number, name=name, why=error) from error
    if not isinstance(record, dict):
        raise NotAJsonLine(number=number, name=name, why=f"it is a {type(record).__name__}")
    if field not in record:
        raise NoSuchField(number=number, name=name, field=field)
    record[field], found = _value(record[field], clean)
    total.update(found)
    if not found:
        return line
    return json.dumps(record, ensure_ascii=False) + line[len(body) :]


def _value(value: Any, clean: Net) -> tuple[Any, dict[str, int]]:
    if isinstance(value, str):
        return clean(value)
    from capture.redact.walk import redact_value

    return redact_value(value)
