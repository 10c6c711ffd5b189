"""The story: a small shop service decides on Postgres, moves its backend to Rust, and changes its login."""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from limbeck.demo.payloads import Claude, Codex, Payload

FIRST = {
    "pyproject.toml": """\
[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["flask>=3"]
""",
    "backend/app.py": """\
import sqlite3

from flask import Flask

app = Flask(__name__)


@app.get("/orders")
def orders():
    with sqlite3.connect("shop.db") as db:
        return [row[0] for row in db.execute("SELECT name FROM orders")]
""",
    "backend/auth.py": """\
def check(token: str) -> bool:
    return token == "letmein"
""",
}
ON_POSTGRES = {
    "pyproject.toml": FIRST["pyproject.toml"].replace('"flask>=3"', '"flask>=3", "psycopg>=3.2"'),
    "backend/app.py": """\
import psycopg

from flask import Flask

app = Flask(__name__)


@app.get("/orders")
def orders():
    with psycopg.connect("dbname=shop") as db:
        return [row[0] for row in db.execute("SELECT name FROM orders")]
""",
}
IN_RUST: dict[str, str | None] = {
    "Cargo.toml": """\
[package]
name = "shop"
version = "0.2.0"
edition = "2024"

[dependencies]
axum = "0.8"
tokio-postgres = "0.7"
""",
    "backend/main.rs": """\
use axum::{routing::get, Json, Router};

async fn orders() -> Json<Vec<String>> {
    let rows = db().await.query("SELECT name FROM orders", &[]).await.unwrap();
    Json(rows.iter().map(|row| row.get(0)).collect())
}

async fn db() -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect("dbname=shop", tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::main]
async fn main() {
    let app = Router::new().route("/orders", get(orders));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
""",
    "backend/auth.rs": """\
pub fn check(token: &str, now: u64) -> bool {
    decode(token).map(|claims| claims.expires > now).unwrap_or(false)
}
""",
    "pyproject.toml": None,
    "backend/app.py": None,
    "backend/auth.py": None,
}
AUTH: dict[str, str | None] = {
    "backend/auth.rs": """\
pub const LIFETIME_SECONDS: u64 = 900;

pub fn check(token: &str, now: u64) -> bool {
    decode(token).map(|claims| claims.issued + LIFETIME_SECONDS > now).unwrap_or(false)
}
""",
}
QUESTIONS = (
    "why did we choose Postgres?",
    "what is the backend written in?",
    "what changed in auth?",
)


@dataclass(frozen=True, slots=True)
class Hook:
    """An agent runs its hook with this payload."""

    agent: str
    payload: Payload


@dataclass(frozen=True, slots=True)
class Commit:
    """Files are written (None: removed) and committed; the installed git hooks run."""

    message: str
    files: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Say:
    """A line for the person who watches."""

    text: str


Step = Hook | Commit | Say


def fake_token() -> str:
    """A value shaped like an access token, made now and used nowhere."""
    letters = string.ascii_letters + string.digits
    return "gh" + "p_" + "".join(secrets.choice(letters) for _ in range(36))


def story(repository: Path, token: str) -> Iterator[Step]:
    """Every step in order; ``token`` rides in one command and in one prompt."""
    yield Commit("Start the shop service", dict(FIRST))
    yield from _decide(Claude(repository), token)
    yield from _move(Codex(repository))
    yield from _login(Claude(repository))


def _decide(agent: Claude, token: str) -> Iterator[Step]:
    yield Say("session one, Claude Code: SQLite gives way to Postgres; a test fails, then passes")
    yield Hook(agent.agent, agent.start())
    yield Hook(
        agent.agent, agent.prompt("Orders get lost when two clerks save at once. What do we do about SQLite?")
    )
    for _ in range(3):
        yield Hook(
            agent.agent, agent.bash("pytest -q tests/test_orders.py", fails="Exit code 1\n1 failed, 4 passed")
        )
    push = f"curl -H 'Authorization: Bearer {token}' https://ci.example/hooks"
    yield Hook(agent.agent, agent.bash(push))
    yield Hook(agent.agent, agent.edit("backend/app.py", "import sqlite3", "import psycopg"))
    for _ in range(2):
        yield Hook(agent.agent, agent.bash("pytest -q tests/test_orders.py"))
    yield Commit("Move the orders from SQLite to Postgres", dict(ON_POSTGRES))
    yield Hook(agent.agent, agent.bash('git commit -qam "Move the orders from SQLite to Postgres"'))
    yield Hook(
        agent.agent,
        agent.reply(
            "We decided to use Postgres instead of SQLite because several clerks write at once and SQLite locks the "
            "whole file. The orders test failed before and passes now."
        ),
    )
    yield Hook(
        agent.agent,
        agent.prompt(
            f"Good. Convention: every endpoint returns JSON with snake_case keys. My token is {token}, do not keep it."
        ),
    )
    yield Hook(agent.agent, agent.reply("Noted: every endpoint returns JSON with snake_case keys."))
    yield Hook(agent.agent, agent.end())


def _move(agent: Codex) -> Iterator[Step]:
    yield Say("session two, Codex: the backend moves from Python to Rust")
    yield Hook(agent.agent, agent.start())
    yield Hook(
        agent.agent, agent.prompt("The service needs far less memory. Move the backend from Python to Rust.")
    )
    yield Hook(agent.agent, agent.patch("backend/main.rs", "", "use axum::Router;"))
    for _ in range(2):
        yield Hook(agent.agent, agent.bash("cargo test"))
    yield Commit("Rewrite the backend in Rust\n\nfixes the memory use of the service", dict(IN_RUST))
    yield Hook(agent.agent, agent.bash('git commit -qam "Rewrite the backend in Rust"'))
    yield Hook(
        agent.agent,
        agent.reply("The backend is now written in Rust instead of Python. Postgres stays the database."),
    )
    yield Hook(agent.agent, agent.end())


def _login(agent: Claude) -> Iterator[Step]:
    yield Say("session three, Claude Code: the login changes, and the terminal is closed without a goodbye")
    yield Hook(agent.agent, agent.start())
    yield Hook(agent.agent, agent.prompt("Sessions live too long. Shorten them in auth."))
    yield Hook(
        agent.agent, agent.edit("backend/auth.rs", "claims.expires > now", "claims.issued + 900 > now")
    )
    yield Hook(agent.agent, agent.bash("cargo test auth"))
    yield Commit("Auth: tokens now expire after 15 minutes", dict(AUTH))
    yield Hook(agent.agent, agent.bash('git commit -qam "Auth: tokens now expire after 15 minutes"'))
    yield Hook(
        agent.agent,
        agent.reply(
            "Auth changed: we decided that auth tokens expire after 15 minutes, since stolen ones stayed valid."
        ),
    )
