"""Conversion in a process of its own: what a hostile file does there costs a bounded time and memory, and no more."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from projection.documents.formats import MOST_BYTES, Converted, convert
from projection.errors import UnreadableDocument

SECONDS = 60
MEGABYTES = 1536
_ROOT = Path(__file__).resolve().parents[2]
_RUN = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from projection.documents.apart import child; child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))"
)


def convert_apart(
    name: str, content: bytes, *, seconds: int = SECONDS, megabytes: int = MEGABYTES
) -> Converted:
    """``convert`` in a child that is ended after ``seconds``. Raises UnreadableDocument."""
    if len(content) > MOST_BYTES:
        return convert(name, content)
    command = [sys.executable, "-I", "-c", _RUN, str(_ROOT), name, str(seconds), str(megabytes)]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=seconds + 10, check=False)
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(name=name, why=f"reading it took longer than {seconds} s") from error
    try:
        told = json.loads(done.stdout)
    except ValueError as error:
        why = f"reading it took more than {seconds} s or {megabytes} MB"
        raise UnreadableDocument(name=name, why=why) from error
    if "why" in told:
        raise UnreadableDocument(name=name, why=told["why"])
    return Converted(**told)


def child(name: str, seconds: int, megabytes: int) -> None:
    """The child's side: bounds of its own, the document on standard input, the answer as JSON."""
    _bound(seconds, megabytes)
    try:
        told = asdict(convert(name, sys.stdin.buffer.read()))
    except UnreadableDocument as error:
        told = {"why": error.fields["why"]}
    except MemoryError:
        told = {"why": f"reading it took more than {megabytes} MB"}
    except Exception as error:  # whatever a library raises for a file that was made to break it
        told = {"why": f"it is damaged ({type(error).__name__})"}
    sys.stdout.write(json.dumps(told))


def _bound(seconds: int, megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: the time alone bounds it
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    if sys.platform != "darwin":  # where an address space cannot be bounded
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024**2,) * 2)
