"""How well redaction does: recall by kind of leak, false positives, growth under hostile repeats."""

from __future__ import annotations

import sys
import sysconfig
import time
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from capture.redact import Deadline, cues, engine, programs, redact, tokens_inner, typed
from limbeck.bench.keep import KEEP
from limbeck.bench.samples import Sample, expand, leaks, sample
from limbeck.bench.shapes import SHAPES
from limbeck.bench.shapes_code import SHAPES as CODE
from limbeck.bench.shapes_config import SHAPES as CONFIG
from limbeck.bench.shapes_late import SHAPES as LATE
from limbeck.bench.shapes_more import SHAPES as MORE
from limbeck.bench.shapes_shell import SHAPES as SHELL
from limbeck.bench.shapes_talk import SHAPES as TALK
from limbeck.bench.shapes_told import SHAPES as TOLD
from limbeck.bench.shapes_words import SHAPES as WORDS

Net = Callable[[str], tuple[str, dict[str, int]]]
RATIO_LIMIT = 2.6
_LOOK_AGAIN = 2.2
_SHORT_MS = 10
CODE_LIMIT_MB = 8.0
_WINDOW = 6000
_SMALL, _LARGE = 4096, 8192
_HOSTILE = (
    "QUJD",
    "ab12",
    "    ",
    "a b ",
    "://",
    "eyJ",
    '"a"+',
    "%20",
    "\\u0041",
    "-----BEGIN ",
    "aB3$",
    "<<<",
    "user a on >",
    "sed s/a/b1/",
    "recovery codes: 1a2b ",
    "insert into a (password) values ('a1',",
    'login("a", ',
    "'passwords': {'a': 'b1c2d3e4', ",
    "a:b12345@c.d ",
    "log in with a12 ",
    "enter the code 1234 ",
    "ssid key=",
    "password\n",
)


@dataclass(slots=True)
class Tally:
    """Values of one kind: how many there were, how many each net left."""

    total: int = 0
    hook_leaks: int = 0
    net_leaks: int = 0


@dataclass(slots=True)
class Report:
    """What the bench found; ``growth`` names the hostile inputs above the limit, with their ratio."""

    kinds: dict[str, Tally] = field(default_factory=dict)
    kept: int = 0
    damaged: list[str] = field(default_factory=list)
    code_bytes: int = 0
    hook_hits: dict[str, int] = field(default_factory=dict)
    net_hits: dict[str, int] = field(default_factory=dict)
    hostile: int = 0
    worst_ratio: float = 0.0
    worst_ms: float = 0.0
    growth: dict[str, float] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether nothing that must be kept was damaged and nothing hostile grew faster than allowed."""
        return not self.damaged and not self.growth


def measure(each: int = 20, seed: int = 7, code: Path | None = None, hostile: bool = True) -> Report:
    """Run it all: ``each`` samples of every shape, then ordinary code under ``code``, then hostile repeats.

    ``code`` is a folder of Python and JavaScript, this interpreter's standard library by default.
    """
    from capture.net import second_net

    rng = Random(seed)  # noqa: S311 - made-up values, no secrets
    report = Report()
    for made in samples(each, rng):
        tally = report.kinds.setdefault(made.kind, Tally())
        first = redact(made.text)[0]
        tally.total += 1
        tally.hook_leaks += leaks(made, first)
        tally.net_leaks += leaks(made, second_net(first)[0])
    for template in KEEP:
        for _ in range(each):
            text = expand(template, rng)
            report.kept += 1
            if second_net(redact(text)[0])[0] != text:
                report.damaged.append(template)
    _code(report, code or Path(sysconfig.get_path("stdlib")), second_net)
    if hostile:
        _hostile(report)
    return report


def samples(each: int, rng: Random) -> Iterator[Sample]:
    """``each`` samples of every typed token, bare in prose and assigned, and of every leak shape."""
    for _, template in token_templates():
        for number in range(each):
            token = expand(template, rng)
            around = ("see {} there", "KEY={}", '{{"k": "{}"}}', "{}")[number % 4]
            yield Sample("19-typed-token", around.format(token), secret_of(token))
    for _ in range(each):
        yield from encoded(expand("ghp_<w36>", rng), expand("password=<pw>", rng))
    for kind, template in (*SHAPES, *MORE, *LATE, *WORDS, *TOLD, *CONFIG, *SHELL, *CODE, *TALK):
        for _ in range(each):
            yield sample(kind, template, rng)


def encoded(token: str, assignment: str) -> Iterator[Sample]:
    """A token and an assignment in base64, hexadecimal and percent encoding, among other text."""
    for plain in (token, assignment):
        raw = plain.encode()
        percent = "".join(f"%{byte:02X}" for byte in raw)
        for text in (b64encode(raw).decode(), urlsafe_b64encode(raw).decode(), raw.hex(), percent):
            yield Sample("21-encoded", f"data: {text} end", text)


def token_templates() -> Iterator[tuple[str, str]]:
    """The name and the sample of every row of typed tokens."""
    for rows in typed.TABLES:
        yield from ((row[0], row[3]) for row in rows)
    yield from ((row[0], row[4]) for row in tokens_inner.ROWS)


def secret_of(token: str) -> str:
    """The part of a sample token that must be gone: its last 16 characters, or those before a host."""
    return token.partition("@demo")[0].partition("&issuer")[0][-16:]


def _code(report: Report, folder: Path, net: Net) -> None:
    hook_hits: Counter[str] = Counter()
    net_hits: Counter[str] = Counter()
    for window in windows(folder, int(CODE_LIMIT_MB * 1e6)):
        report.code_bytes += len(window)
        first, found = redact(window)
        hook_hits.update(found)
        net_hits.update(net(first)[1])
    report.hook_hits, report.net_hits = dict(hook_hits), dict(net_hits)


def windows(folder: Path, most: int) -> Iterator[str]:
    """The text of the code under ``folder`` in pieces of some kilobytes, at most ``most`` characters."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parent.parts
        if path.suffix not in (".py", ".js", ".ts") or any("test" in part for part in inside) or most <= 0:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        piece: list[str] = []
        size = 0
        for line in text.splitlines(keepends=True):
            piece.append(line)
            size += len(line)
            if size >= _WINDOW:
                yield "".join(piece)
                piece, most, size = [], most - size, 0
        if piece:
            most -= size
            yield "".join(piece)


def hostile_seeds() -> list[str]:
    """What hostile inputs repeat: every keyword and literal, alone and with an equals sign, and some runs."""
    words = set(cues.KEYWORDS)
    words.update(literal for rows in typed.TABLES for row in rows for literal in row[1])
    words.update(literal for row in tokens_inner.ROWS for literal in row[1])
    return sorted({*words, *(word + "=" for word in words), *_HOSTILE})


def _hostile(report: Report) -> None:
    for key, _, _ in programs.all_programs():
        programs.program(key)
    for seed in hostile_seeds():
        report.hostile += 1
        ratio, slow = growth(seed, tries=1)
        if ratio > _LOOK_AGAIN:  # a busy machine looks like growth: only what stays is one
            ratio, slow = growth(seed, tries=40 if slow < _SHORT_MS else 7)
        report.worst_ratio = max(report.worst_ratio, ratio)
        report.worst_ms = max(report.worst_ms, slow)
        if ratio > RATIO_LIMIT:
            report.growth[seed] = round(ratio, 2)


def growth(seed: str, tries: int) -> tuple[float, float]:
    """How much longer 8 KB of ``seed`` take than 4 KB (best of ``tries``), and the milliseconds of 8 KB."""
    short, long = (seed * _SMALL)[:_SMALL], (seed * _LARGE)[:_LARGE]
    small, large = _seconds(short), float("inf")
    for _ in range(tries):  # in turns, so that both see the same load
        small, large = min(small, _seconds(short)), min(large, _seconds(long))
    return large / small if large > 0.002 else 1.0, large * 1000


def _seconds(text: str) -> float:
    start = time.process_time()
    engine.search(text, Deadline(60))
    return time.process_time() - start


def as_json(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {**asdict(report), "passed": report.passed}


def lines(report: Report) -> Iterable[str]:
    """The report as people read it."""
    yield f"{'kind':24} {'values':>7} {'hook %':>8} {'with net %':>11}"
    whole = Tally()
    for kind, tally in sorted(report.kinds.items()):
        yield _row(kind, tally)
        whole.total += tally.total
        whole.hook_leaks += tally.hook_leaks
        whole.net_leaks += tally.net_leaks
    yield _row("all", whole)
    damaged = sorted(set(report.damaged))
    yield f"must be kept: {report.kept} texts, {len(report.damaged)} damaged {damaged or ''}".rstrip()
    megabytes = report.code_bytes / 1e6
    for name, hits in (("hook", report.hook_hits), ("net adds", report.net_hits)):
        count = sum(hits.values())
        rate = count / max(megabytes, 0.001)
        yield f"ordinary code, {name}: {count} in {megabytes:.1f} MB, {rate:.2f} per MB {hits}"
    yield (
        f"hostile repeats: {report.hostile}, worst growth {report.worst_ratio:.2f} from 4 to 8 KB"
        f" (limit {RATIO_LIMIT}), slowest 8 KB {report.worst_ms:.0f} ms; above the limit: {report.growth or 'none'}"
    )


def _row(kind: str, tally: Tally) -> str:
    hook = 100 * (1 - tally.hook_leaks / tally.total)
    net = 100 * (1 - tally.net_leaks / tally.total)
    return f"{kind:24} {tally.total:>7} {hook:>8.1f} {net:>11.1f}"


def run(each: int, code: Path | None, hostile: bool, show_json: bool) -> int:
    """Measure and print; 1 where something that must be kept was damaged or a hostile input grew too fast."""
    import json

    report = measure(each=each, code=code, hostile=hostile)
    text = json.dumps(as_json(report), indent=2) if show_json else "\n".join(lines(report))
    sys.stdout.write(text + "\n")
    return 0 if report.passed else 1
