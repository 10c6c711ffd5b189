"""A team's few weeks, told to the real pipeline: envelopes, drain, offline distiller, index."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from capture.envelope import encode
from capture.ids import new_id
from distill.offline.distiller import OfflineDistiller
from recall.run import index_session
from schema.database import Database
from workers import distil
from workers.drain import drain
from workers.stream import Stream, connect

SHOP = {"common": "/srv/shop/.git", "root": "/srv/shop", "remote": "git.example/team/shop"}
BOOKS = {"common": "/srv/books/.git", "root": "/srv/books", "remote": "git.example/team/books"}


@dataclass
class Teller:
    """Tells events of one client, each a little later than the one before."""

    database: Database
    redis_url: str
    client: str
    at: datetime = field(default_factory=lambda: datetime.now(UTC) - timedelta(days=21))

    def __post_init__(self) -> None:
        self.database.add_client(self.client)
        self.stream = Stream(connect(self.redis_url), self.client)
        self.stream.prepare()
        self.due: list[str] = []

    def tell(self, kind: str, session: str, body: dict[str, Any], **fields: Any) -> None:
        self.at += timedelta(seconds=fields.pop("after", 20))
        made = {
            "v": 1,
            "id": new_id(),
            "at": int(self.at.timestamp() * 1000),
            "agent": fields.pop("agent", "claude"),
            "origin": "hook",
            "hv": "0.1.0",
            "kind": kind,
            "event": kind,
            "session": session,
            "turn": fields.pop("turn", None),
            "cwd": "/srv",
            "project": fields.pop("project", SHOP),
            "body": body,
        } | fields
        envelope = {key: value for key, value in made.items() if value is not None}
        self.stream.redis.xadd(self.stream.key, {"e": encode(envelope)})

    def prompt(self, session: str, text: str, **fields: Any) -> None:
        self.tell("prompt", session, {"text": text, "chars": len(text)}, **fields)

    def reply(self, session: str, text: str, **fields: Any) -> None:
        self.tell("reply", session, {"text": text, "chars": len(text), "reason": "stop"}, **fields)

    def call(self, session: str, tool: str, outcome: str = "ok", **fields: Any) -> None:
        names = ("shape", "target", "exit", "ms", "files")
        body = {"tool": tool, "outcome": outcome} | {n: fields.pop(n) for n in names if n in fields}
        self.tell("tool", session, body, call=f"call-{new_id()}", **fields)

    def commit(self, session: str, message: str, files: dict[str, tuple[int, int]], **fields: Any) -> str:
        sha = hashlib.sha1(f"{message}{self.at}".encode(), usedforsecurity=False).hexdigest()
        body = {
            "sha": sha,
            "parents": [],
            "message": message,
            "branch": "main",
            "author": fields.pop("author", "Ada Quist"),
            "committed": int(self.at.timestamp() * 1000),
            "files": [{"path": p, "added": a, "deleted": d} for p, (a, d) in files.items()],
            "manifests": fields.pop("manifests", []),
            "languages": fields.pop("languages", {"Python": 4000, "TypeScript": 900}),
            "languages_before": {},
            "enriched": True,
        }
        self.tell("commit", session, body, **({"agent": "git"} | fields))
        return sha

    def end(self, session: str, **fields: Any) -> None:
        self.tell("session.end", session, {"reason": "other"}, **fields)

    def settle(self) -> None:
        """Drain the stream, distil what has ended, index it."""
        told: list[tuple[str, str]] = []
        while drain(
            self.database, self.stream, then=lambda *one: told.append(one), quiet_after=timedelta(minutes=5)
        ).entries:
            pass
        runtime = SimpleNamespace(database=self.database, distiller=OfflineDistiller())
        for task, identifier in told:
            if task == "session.distil":
                distil.session(runtime, self.client, identifier)
                index_session(self.database, self.client, identifier)


def team(teller: Teller, settle: bool = True) -> None:
    """Three sessions over two projects: a decision, a bug found and fixed, a change of mind, proposals."""
    one, two, three = "s-postgres", "s-auth", "s-rust"
    teller.prompt(one, "Orders get lost when two clerks save at once. What do we do about SQLite?")
    for _ in range(3):
        teller.call(one, "Bash", "failed", shape="pytest -q", exit=1, ms=4210, after=15)
    teller.call(one, "Read", target="backend/orders.py", ms=12)
    teller.call(one, "Edit", target="backend/orders.py", files=["backend/orders.py"], ms=31)
    teller.call(one, "Bash", shape="pytest -q", ms=3980)
    teller.commit(
        one,
        "Move the orders from SQLite to Postgres",
        {"backend/orders.py": (64, 41), "pyproject.toml": (2, 1)},
    )
    teller.reply(
        one,
        "We decided to use Postgres instead of SQLite because several clerks write at once and SQLite locks the whole "
        "file. The orders test failed before and passes now.",
    )
    teller.prompt(
        one,
        "Good. Convention: every endpoint returns JSON with snake_case keys. My key is [REDACTED:github-token], "
        "do not keep it.",
    )
    teller.reply(
        one,
        "Noted: every endpoint returns JSON with snake_case keys.\n\n"
        "Follow-up: move the report job to Postgres as well.",
    )
    teller.end(one)
    teller.at += timedelta(days=5)
    teller.prompt(two, "Sign-in throws people out every few minutes. Find out why.", agent="codex")
    teller.call(two, "shell", shape="rg -n session", ms=40, agent="codex")
    teller.call(two, "shell", "failed", shape="pytest tests/test_auth.py", exit=1, ms=2210, agent="codex")
    teller.call(two, "apply_patch", files=["backend/auth.py", "web/session.ts"], ms=60, agent="codex")
    teller.call(two, "shell", shape="pytest tests/test_auth.py", ms=2100, agent="codex")
    teller.commit(
        two,
        "Renew sessions while they are used\n\nfixes BU3001",
        {"backend/auth.py": (22, 9), "web/session.ts": (31, 4)},
    )
    teller.reply(
        two,
        "The session cookie expired after five minutes regardless of use. We decided to renew sessions on every "
        "request. The access token lifetime is 15 minutes.\n\n"
        "Bug: signing out in one tab leaves the other one signed in.\n"
        "Feature: remember the last shelf a clerk worked on.",
        agent="codex",
    )
    teller.end(two, agent="codex")
    teller.at += timedelta(days=7)
    teller.prompt(
        three, "The service needs far less memory. Move the backend from Python to Rust.", agent="gemini"
    )
    teller.call(
        three, "write_file", target="backend/main.rs", files=["backend/main.rs"], ms=22, agent="gemini"
    )
    teller.call(
        three,
        "run_shell_command",
        shape="cargo test",
        ms=18_400,
        agent="gemini",
        subagent={"id": "a1", "type": "tester"},
    )
    teller.call(
        three,
        "run_shell_command",
        shape="cargo test",
        ms=9_100,
        agent="gemini",
        subagent={"id": "a1", "type": "tester"},
    )
    teller.tell(
        "subagent",
        three,
        {"text": "All 41 tests pass in Rust.", "chars": 26, "cut": False},
        agent="gemini",
        subagent={"id": "a1", "type": "tester"},
    )
    teller.commit(
        three,
        "Rewrite the backend in Rust",
        {
            "backend/main.rs": (310, 0),
            "backend/orders.py": (0, 88),
            "backend/auth.py": (0, 71),
            "Cargo.toml": (14, 0),
        },
        languages={"Rust": 3100, "TypeScript": 930},
    )
    teller.reply(
        three,
        "The backend is now written in Rust instead of Python. Postgres stays the database.",
        agent="gemini",
    )
    teller.end(three, agent="gemini")
    teller.prompt("s-books", "Which encoding do the exports use?", project=BOOKS)
    teller.reply(
        "s-books",
        "Convention: exports are UTF-8 with a byte order mark, because the archive's reader needs it.",
        project=BOOKS,
    )
    teller.commit(
        "s-books", "Write exports with a byte order mark", {"export/write.py": (12, 3)}, project=BOOKS
    )
    teller.end("s-books", project=BOOKS)
    if settle:
        teller.settle()
