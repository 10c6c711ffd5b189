"""Markdown as HTML for previews: no HTML of the writer's own, no picture, no address that runs something."""

from __future__ import annotations

from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

from server.web.shown import HIDING

LONGEST = 400_000
SCHEMES = {"", "http", "https", "mailto"}


def rendered(text: str) -> Markup:
    """Return ``text`` as HTML. Tags in it are shown as they stand; links may go to http, https and mailto."""
    cut = text[:LONGEST]
    visible = HIDING.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", cut.replace("\r\n", "\n"))
    html = Markup(_reader().render(visible))  # noqa: S704 - the reader escapes; its HTML is off
    if len(text) > LONGEST:
        html += Markup("<p>Cut: {} of {} characters shown.</p>").format(f"{LONGEST:,}", f"{len(text):,}")
    return Markup('<div class="prose" dir="auto">{}</div>').format(html)


class _Reader(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Whether a link may stand as one."""
        try:
            return urlsplit(url.strip()).scheme.lower() in SCHEMES
        except ValueError:
            return False


def _reader() -> MarkdownIt:
    return _Reader("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
