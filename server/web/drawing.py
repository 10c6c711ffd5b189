"""The templates, and what they may call."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from server.web import static, times
from server.web.addresses import to
from server.web.markdown import rendered
from server.web.shown import called, coded, line, plain, shown


@cache
def environment() -> Environment:
    """Every template is escaped; a name that a page did not give is an error."""
    made = Environment(
        loader=PackageLoader("server.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "shown": shown,
        "line": line,
        "coded": coded,
        "plain": plain,
        "called": called,
        "moment": times.moment,
        "day": times.day,
        "span": times.span,
        "duration": times.duration,
        "markdown": rendered,
        "number": lambda value: f"{value:,}",
        "counted": counted,
        "given": lambda fields, **more: {key: value for key, value in (fields | more).items() if value},
    }
    made.globals |= {"static": static.address, "to": to}
    return made


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: ``1 fact``, ``2 facts``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def drawn(template: str, **values: Any) -> str:
    """Return a page's HTML."""
    return environment().get_template(template).render(**values)
