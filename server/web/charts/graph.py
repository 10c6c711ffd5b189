"""What led to what: a trace as columns of nodes with the one looked at in its place, each node a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from server.web.charts.svg import clipped, element, picture

COLUMN, NODE, HEIGHT, GAP, TOP, MOST = 236, 196, 46, 12, 30, 9


@dataclass(frozen=True, slots=True)
class Step:
    """One node: what it is, what it says, and where a click leads (None where it cannot be followed)."""

    id: str
    kind: str
    text: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """Nodes of one rank, under a heading."""

    heading: str
    steps: tuple[Step, ...]


def graph(columns: Sequence[Column], here: str) -> Markup:
    """The picture: columns left to right, every node joined to those of the next column; ``here`` is marked.

    A column shows at most nine nodes and says how many more there are: the list beside the picture holds all.
    """
    shown = [column for column in columns if column.steps]
    if not shown:
        return Markup("")
    tallest = max(min(len(column.steps), MOST) + (len(column.steps) > MOST) for column in shown)
    height = TOP + tallest * (HEIGHT + GAP)
    middles = [_middles(column, height) for column in shown]
    edges = [
        _edge(number, start, end)
        for number in range(len(shown) - 1)
        for start in middles[number]
        for end in middles[number + 1]
    ]
    nodes: list[Markup] = []
    for number, column in enumerate(shown):
        nodes.append(element("text", column.heading, x=number * COLUMN, y=16, class_="quiet"))
        for step, y in zip(column.steps, middles[number], strict=False):
            nodes.append(_node(step, number * COLUMN, y - HEIGHT / 2, step.id == here))
        if len(column.steps) > MOST:
            more = f"and {len(column.steps) - MOST} more, listed below"
            nodes.append(
                element("text", more, x=number * COLUMN, y=middles[number][-1] + HEIGHT, class_="quiet")
            )
    width = len(shown) * COLUMN - (COLUMN - NODE) + 4
    return picture(width, height + 4, "What led to what", *edges, *nodes, fill=False, group=True)


def _middles(column: Column, height: float) -> list[float]:
    count = min(len(column.steps), MOST)
    first = TOP + (height - TOP - count * (HEIGHT + GAP)) / 2 + HEIGHT / 2
    return [first + number * (HEIGHT + GAP) for number in range(count)]


def _edge(column: int, start: float, end: float) -> Markup:
    x, to = column * COLUMN + NODE, (column + 1) * COLUMN
    half = (x + to) / 2
    curve = f"M{x} {start:.0f}C{half:.0f} {start:.0f} {half:.0f} {end:.0f} {to} {end:.0f}"
    return element("path", d=curve, class_="edge")


def _node(step: Step, x: float, y: float, here: bool) -> Markup:
    kind = "node here" if here else "node"
    inside = (
        element("title", f"{step.kind}: {step.text}"),
        element("rect", x=x + 2, y=y, width=NODE - 2, height=HEIGHT, rx=6, class_=kind),
        element("text", step.kind, x=x + 12, y=y + 18, class_="quiet"),
        element("text", clipped(step.text, NODE - 36), x=x + 12, y=y + 35),
    )
    if step.href is None:
        return element("g", *inside)
    return element("a", *inside, href=step.href, aria_label=f"{step.kind}: {step.text}")
