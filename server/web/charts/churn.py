"""Where the work happens: files as tiles, as large as they are often changed, as warm as they are turned over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from server.web.charts.svg import clipped, element, picture

WIDTH, HEIGHT = 960, 360


@dataclass(frozen=True, slots=True)
class File:
    """A file with the commits that touched it and the lines they added and took away."""

    path: str
    commits: int
    lines: int


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float


def churn(files: Sequence[File]) -> Markup:
    """The picture of ``files``, the most changed first; empty where there is none."""
    shown = [file for file in files if file.commits > 0]
    if not shown:
        return Markup("")
    most = max(file.lines for file in shown) or 1
    boxes = squarified([file.commits for file in shown], Box(0, 0, WIDTH, HEIGHT))
    tiles = [_tile(file, box, most) for file, box in zip(shown, boxes, strict=True)]
    title = f"{len(shown)} files by how many commits touched them; warmer means more lines changed"
    return picture(WIDTH, HEIGHT, title, *tiles)


def squarified(weights: Sequence[float], room: Box) -> list[Box]:
    """Cut ``room`` into boxes with areas as ``weights`` (each above 0, largest first), as square as rows allow."""
    boxes: list[Box] = []
    rest, left = list(weights), room
    while rest:
        total = sum(rest)
        count = _best_row(rest, left, total)
        row, rest = rest[:count], rest[count:]
        placed, left = _lay(row, left, total)
        boxes += placed
    return boxes


def _best_row(weights: Sequence[float], room: Box, total: float) -> int:
    best, worst = 1, float("inf")
    for count in range(1, len(weights) + 1):
        ratio = max(
            max(b.width / b.height, b.height / b.width) for b in _lay(weights[:count], room, total)[0]
        )
        if ratio > worst:
            break
        best, worst = count, ratio
    return best


def _lay(row: Sequence[float], room: Box, total: float) -> tuple[list[Box], Box]:
    share = sum(row) / total
    boxes, offset = [], 0.0
    wide = room.width >= room.height
    thick = (room.width if wide else room.height) * share
    for weight in row:
        long = (room.height if wide else room.width) * weight / sum(row)
        boxes.append(
            Box(room.x, room.y + offset, thick, long) if wide else Box(room.x + offset, room.y, long, thick)
        )
        offset += long
    if wide:
        return boxes, Box(room.x + thick, room.y, room.width - thick, room.height)
    return boxes, Box(room.x, room.y + thick, room.width, room.height - thick)


def _tile(file: File, box: Box, most: int) -> Markup:
    heat = min(4, int(5 * (file.lines / most) ** 0.5))
    commits = f"{file.commits} commit{'s' if file.commits != 1 else ''}"
    parts = [
        element("title", f"{file.path}: {commits}, {file.lines:,} lines changed"),
        element(
            "rect",
            x=box.x,
            y=box.y,
            width=box.width,
            height=box.height,
            rx=4,
            class_=f"tile heat{heat}",
        ),
    ]
    if box.width > 56 and box.height > 26:
        name = file.path.rsplit("/", 1)[-1]
        parts.append(element("text", clipped(name, box.width - 16), x=box.x + 8, y=box.y + 19))
    if box.width > 84 and box.height > 44:
        parts.append(element("text", commits, x=box.x + 8, y=box.y + 36))
    return element("g", *parts)
