"""Writing SVG: elements as nested tuples of strings, every text and attribute escaped."""

from __future__ import annotations

from markupsafe import Markup, escape


def element(name: str, *inside: Markup | str, **attributes: object) -> Markup:
    """One element. An attribute's ``_`` reads as ``-`` (a trailing one is dropped), None leaves it out."""
    # Markup's own `format` takes five times as long, and a picture has hundreds of elements.
    written = "".join(
        f' {_name(key)}="{escape(_number(value))}"' for key, value in attributes.items() if value is not None
    )
    body = "".join(escape(part) for part in inside)
    return Markup(f"<{name}{written}>{body}</{name}>")  # noqa: S704 - names are ours, the rest is escaped


def picture(
    width: float, height: float, title: str, *inside: Markup, fill: bool = True, group: bool = False
) -> Markup:
    """A whole picture that says what it is to who cannot see it; ``group`` keeps what is inside reachable."""
    named = element("title", title)
    return element(
        "svg",
        named,
        *inside,
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="group" if group else "img",
        aria_label=title,
        class_="chart fill" if fill else "chart",
    )


def clipped(text: str, width: float, per_character: float = 6.6) -> str:
    """``text`` cut to about ``width`` pixels, an ellipsis where it was cut."""
    most = max(1, int(width / per_character))
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"


def _name(key: str) -> str:
    stripped = key.removesuffix("_")
    return stripped if stripped == "viewBox" else stripped.replace("_", "-")


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value)
