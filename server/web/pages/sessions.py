"""Sessions: what each came to, and one session the way it went."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from server.web.endpoint import Site
from server.web.look import Look
from server.web.timeline import told

PAGE = 30
ENTRIES = 100
CHARS = 4_000
AGENTS = ("claude", "codex", "cursor", "gemini")  # and whichever else is on the page
STATES = ("active", "idle", "ended", "distilled", "reopened")


def routes(site: Site) -> list[Route]:
    """The list, one session, and asking for it to be distilled again."""
    return [
        site.get("/sessions", page),
        site.get("/sessions/{id}", one),
        site.post("/sessions/{id}/distil", again),
    ]


def page(look: Look) -> Response:
    """Sessions, the latest first."""
    query = look.query
    state = query.get("state")
    found = look.ask(
        "list_sessions",
        project=look.project,
        agent=query.get("agent"),
        state=state if state in STATES else None,
        cursor=query.get("after"),
        limit=PAGE,
    )
    return look.page(
        "sessions.html",
        "Sessions",
        sessions=found.sessions,
        next=found.next_cursor,
        states=STATES,
        agents=sorted(
            {one.agent for one in found.sessions}.union(AGENTS, {query["agent"]} if "agent" in query else ())
        ),
        narrowed="agent" in query or "state" in query,
    )


def one(look: Look) -> Response:
    """A session's timeline beside what it came to."""
    name = str(look.request.path_params["id"])
    found = look.ask("get_session", id=name)
    way = look.ask(
        "get_session_timeline",
        id=found.session.id,
        cursor=look.query.get("after"),
        limit=ENTRIES,
        max_chars=CHARS,
    )
    title = found.session.title or f"Session of {found.session.agent}"
    return look.page(
        "session.html",
        title,
        session=found.session,
        events=found.events,
        facts=found.facts,
        steps=told(way.entries),
        next=way.next_cursor,
    )


def again(look: Look) -> Response:
    """Hand it to the distiller once more."""
    name = str(look.request.path_params["id"])
    look.ask("redistil_session", id=name)
    return look.back(f"/sessions/{name}", "again")
