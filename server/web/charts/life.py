"""A fact's life: when it was true (across) against when we knew it (down)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup

from server.web.charts.svg import clipped, element, picture

WIDTH, LEFT, RIGHT, TOP, ROW = 760, 96, 20, 34, 40


@dataclass(frozen=True, slots=True)
class Version:
    """One believed version: its text, when it was true and when we knew it. An open end is None."""

    text: str
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None


def life(versions: Sequence[Version], now: datetime) -> Markup:
    """The picture: one bar a version, oldest knowledge on top; what is believed no longer is dashed.

    Empty where there is no version.
    """
    if not versions:
        return Markup("")
    ordered = sorted(versions, key=lambda version: (version.recorded_at, version.valid_from))
    start = min(version.valid_from for version in ordered)
    end = max(now, *(version.valid_to or now for version in ordered))
    reach = max(end - start, timedelta(minutes=1))
    room = (WIDTH - LEFT - RIGHT) / 1.04

    def across(at: datetime) -> float:
        return LEFT + room * ((at - start) / reach)

    height = TOP + ROW * len(ordered) + 28
    bars = [
        _bar(version, TOP + ROW * number, across, WIDTH - RIGHT) for number, version in enumerate(ordered)
    ]
    line = across(now)
    frame = (
        element("text", "we knew it", x=0, y=14, class_="quiet"),
        element("text", "it was true from … to", x=LEFT, y=14, class_="quiet"),
        element("line", x1=line, x2=line, y1=TOP - 8, y2=height - 24, class_="now-line"),
        element("text", "now", x=line, y=TOP - 12, class_="quiet", text_anchor="middle"),
        *_dates(start, end, across, height),
    )
    title = f"{len(ordered)} version{'s' if len(ordered) > 1 else ''} of this fact over time"
    return picture(WIDTH, height, title, *frame, *bars)


def _bar(version: Version, y: float, across: Callable[[datetime], float], edge: float) -> Markup:
    x = across(version.valid_from)
    end = edge if version.valid_to is None else across(version.valid_to)
    width = max(4.0, end - x)
    believed = version.retired_at is None
    kind = ("held now" if version.valid_to is None else "held") if believed else "gone"
    until = "open" if version.valid_to is None else f"{version.valid_to:%d %b %Y %H:%M}"
    told = f"{version.text}: true from {version.valid_from:%d %b %Y %H:%M} to {until}" + (
        "" if believed else f"; believed until {version.retired_at:%d %b %Y %H:%M}"
    )
    inside = width > 90
    return element(
        "g",
        element("title", told),
        element("text", f"{version.recorded_at:%d %b %H:%M}", x=0, y=y + 19, class_="quiet"),
        element("rect", x=x, y=y, width=width, height=ROW - 12, rx=4, class_=kind),
        element(
            "text",
            clipped(version.text, width - 16 if inside else edge - LEFT),
            x=x + 8 if inside else min(x, edge - 6),
            y=y + 19,
            text_anchor="start" if inside or x < WIDTH / 2 else "end",
            dx=0 if inside else (width + 8 if x < WIDTH / 2 else -8),
        ),
    )


def _dates(
    start: datetime, end: datetime, across: Callable[[datetime], float], height: float
) -> list[Markup]:
    form = "%d %b %Y" if end - start > timedelta(days=2) else "%d %b %H:%M"
    marks = [element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=height - 24, y2=height - 24, class_="axis")]
    for number in range(4):
        at = start + (end - start) * number / 3
        anchor = "start" if number == 0 else "end" if number == 3 else "middle"
        marks.append(
            element("text", f"{at:{form}}", x=across(at), y=height - 6, text_anchor=anchor, class_="quiet")
        )
    return marks
