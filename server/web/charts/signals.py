"""Why a result stands where it does: each signal's part of the score as a bar."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from server.web.charts.svg import element, picture

WIDTH, ROW, LEFT = 300, 22, 78
KNOWN = {"semantic", "keyword", "graph"}
FUSION = 60


def signals(ranks: Mapping[str, int]) -> Markup:
    """The picture of ``ranks`` (signal -> its place, from 1): a bar as long as 1/(60 + place); empty without."""
    if not ranks:
        return Markup("")
    parts = {name: 1 / (FUSION + rank) for name, rank in ranks.items()}
    most = 1 / (FUSION + 1)
    rows = []
    for number, (name, part) in enumerate(sorted(parts.items(), key=lambda item: -item[1])):
        y = number * ROW
        rows.append(element("text", name, x=0, y=y + 14, class_="quiet"))
        rows.append(
            element(
                "rect",
                x=LEFT,
                y=y + 4,
                width=max(2.0, (WIDTH - LEFT - 44) * part / most),
                height=12,
                rx=2,
                class_=name if name in KNOWN else "other",
            )
        )
        rows.append(element("text", f"#{ranks[name]}", x=WIDTH, y=y + 14, text_anchor="end"))
    title = "Signals: " + ", ".join(f"{name} place {rank}" for name, rank in ranks.items())
    return picture(WIDTH, ROW * len(parts), title, *rows, fill=False)
