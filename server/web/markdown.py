"""Markdown as HTML for previews: no HTML of the writer's own, no picture, no address that runs something."""

from __future__ import annotations

from html import unescape
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

from server.web.shown import HIDING

LONGEST = 400_000
SITES = {"http", "https"}
CLOSE = 2  # rounds of decoding a link is looked at after


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
        """Whether a link may stand as one: to a site it names, to a person, or to a place beside the page."""
        try:
            return _harmless(url)
        except ValueError:
            return False


def _harmless(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme in SITES:
        return bool(parts.hostname) and "\\" not in url
    if parts.scheme:
        return parts.scheme == "mailto" and not parts.netloc
    # Browsers drop blanks and controls, take a backslash for a slash, and go to another site after two of them.
    path = url.partition("#")[0].partition("?")[0]
    for _ in range(CLOSE):
        path = unescape(unquote(path))
    read = "".join(sign for sign in path if sign > " ").replace("\\", "/")
    return "//" not in read and not urlsplit(read).scheme


def _reader() -> MarkdownIt:
    return _Reader("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
