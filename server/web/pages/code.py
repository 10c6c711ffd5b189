"""Code: where the work happens, which symbols changed lately, and which agent touched what."""

from __future__ import annotations

from datetime import timedelta

from starlette.responses import Response
from starlette.routing import Route

from server.web.charts.churn import File, churn
from server.web.endpoint import Site
from server.web.look import Look
from server.web.shown import plain

TILES = 40
LATELY = 30
COMMITS = 15
SPANS = {"7": "a week", "30": "a month", "90": "three months"}


def routes(site: Site) -> list[Route]:
    """The one page, of the project or of one file."""
    return [site.get("/code", page)]


def page(look: Look) -> Response:
    """The picture of a project's churn, or what touched the file in the address."""
    path = look.query.get("path")
    if path:
        return _file(look, path)
    days = look.query.get("days", "")
    since = look.now - timedelta(days=int(days)) if days in SPANS else None
    hot = look.ask("hotspots", project=look.project, since=since, limit=TILES)
    files = hot.files
    commits = look.ask(
        "get_commits", project=look.project, since=since, cursor=look.query.get("after"), limit=COMMITS
    )
    return look.page(
        "code.html",
        "Code",
        files=files,
        files_more=hot.more,
        picture=churn([File(plain(one.path), one.commits, one.added + one.deleted) for one in files]),
        commits=commits.commits,
        next=commits.next_cursor,
        symbols=look.ask("symbols_changed", project=look.project, since=since, limit=LATELY),
        agents=look.ask("agents_at_work", project=look.project, since=since, limit=LATELY),
        spans=SPANS,
        days=days,
    )


def _file(look: Look, path: str) -> Response:
    told = look.ask("get_file_history", project=look.project, path=path, limit=40)
    return look.page(
        "file.html",
        path,
        told=told,
        symbols=look.ask("symbols_changed", project=look.project, path=path, limit=LATELY),
    )
