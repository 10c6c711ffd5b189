"""How recall's time grows with the index: projects of several sizes side by side in one database."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from limbeck.bench import generated
from limbeck.bench.generated import Project, vocabulary
from limbeck.bench.recall import spread
from limbeck.bench.scratch import scratch_server
from limbeck.services.postgres import APPLICATION, OWNER
from recall.answer import Scope
from recall.embedding.minilm import DIMENSION, MODEL
from recall.search import recall
from schema.database import Database

SIZES = (1_000, 10_000, 100_000, 889_000)
QUESTIONS = 100
ASKED_WORDS = 6


class Drawn:
    """An embedder that draws a vector instead of computing one: the search alone is timed."""

    model, dimension = MODEL, DIMENSION

    def __init__(self) -> None:
        """Draw the vectors ahead, so that drawing is not timed."""
        self._vectors = generated.directions(QUESTIONS, seed=10**6)
        self._next = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the next vector, for one text."""
        self._next += 1
        one = self._vectors[self._next % QUESTIONS]
        return np.stack([one] * len(texts))


def measure(sizes: Sequence[int] = SIZES, vectors_up_to: int = 100_000) -> dict[str, Any]:
    """Load projects of ``sizes`` and ask each ``QUESTIONS`` questions as the application role; times in ms."""
    began = time.perf_counter()
    projects = generated.make(list(sizes))
    with scratch_server() as server:
        generated.load(server.url(OWNER).replace("+psycopg", ""), projects, vectors_up_to)
        loaded = time.perf_counter() - began
        database = Database(server.url(APPLICATION))
        try:
            rows = [_ask(database, project, project.units <= vectors_up_to) for project in projects]
        finally:
            database.close()
    return {
        "units": sum(sizes),
        "loaded_by": "COPY as the owner",
        "load_s": round(loaded, 1),
        "projects": rows,
    }


def _ask(database: Database, project: Project, vectors: bool) -> dict[str, Any]:
    names, random = vocabulary(), np.random.default_rng(3)
    figures: dict[str, Any] = {"units": project.units}
    for way, embedder in (("fused", Drawn() if vectors else None), ("keyword only", None)):
        seconds = []
        for _ in range(QUESTIONS):
            said = project.words[random.integers(0, project.units)]
            query = " ".join(names[word] for word in random.choice(said, ASKED_WORDS, replace=False).tolist())
            began = time.perf_counter()
            answer = recall(database, Scope(generated.CLIENT, (project.id,)), query, embedder=embedder)
            seconds.append(time.perf_counter() - began)
            if not answer.hits:
                raise AssertionError("a generated question found nothing")
        if way != "fused" or vectors:
            figures[way] = spread(seconds[5:])
    return figures


def picture(result: dict[str, Any]) -> str:
    """Draw p50 and p95 over the project's size (logarithmic) as an SVG."""
    points = [(row["units"], row.get("fused") or row["keyword only"]) for row in result["projects"]]
    top = max(70.0, *(took["p95"] * 1.1 for _, took in points))

    def at(units: int, ms: float) -> str:
        return f"{60 + 110 * (np.log10(units) - 3):.0f},{260 - 220 * ms / top:.0f}"

    def line(name: str, colour: str) -> str:
        path = " ".join(at(units, took[name]) for units, took in points)
        x, y = at(points[-1][0], points[-1][1][name]).split(",")
        return (
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{int(x) + 6}" y="{y}" fill="{colour}">{name}</text>'
        )

    ticks = "".join(
        f'<text x="{at(10**e, 0).split(",")[0]}" y="278" text-anchor="middle">{10**e:,}</text>'
        for e in (3, 4, 5, 6)
    )
    marks = "".join(
        f'<text x="52" y="{at(1000, ms).split(",")[1]}" text-anchor="end">{ms} ms</text>'
        for ms in (0, 30, 60)
    )
    goal = f'<line x1="60" x2="400" y1="{at(1000, 60).split(",")[1]}" y2="{at(1000, 60).split(",")[1]}" stroke="#bbb"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="460" height="300" font-family="sans-serif" font-size="11">'
        f'<rect width="460" height="300" fill="white"/>{goal}{ticks}{marks}{line("p50", "#2a6")}{line("p95", "#c42")}'
        '<text x="230" y="295" text-anchor="middle">units in the project (of 1,000,000 in the database)</text></svg>'
    )
