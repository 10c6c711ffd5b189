"""What each setting means to a person, and which running parts take a change of it.

Parts are those of the supervisor by name: ``worker``, ``distiller`` and ``server`` are started again, ``hooks`` read it
from ``hook.json``, ``supervisor`` itself at once. Where none is named, it holds from the next ``limbeck up``.
"""

from __future__ import annotations

from dataclasses import dataclass

WORKER, DISTILLER, SERVER, HOOKS, SUPERVISOR = "worker", "distiller", "server", "hooks", "supervisor"
_WORKERS = frozenset({WORKER, DISTILLER})
_HOOKS = frozenset({HOOKS})
_SERVER = frozenset({SERVER})
_START: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a setting is for, in one sentence, and the parts that take it."""

    says: str
    parts: frozenset[str]


MEANINGS = {
    "client": Meaning("Whose memory it is: the client that everything here belongs to.", _START),
    "database_url": Meaning("A Postgres of your own, in place of the one that comes with Limbeck.", _START),
    "database_owner_url": Meaning(
        "The same database as its owner, for migrations, retention and purging.", _START
    ),
    "redis_url": Meaning(
        "A Redis or Valkey of your own, in place of the one that comes with Limbeck.", _START
    ),
    "distiller": Meaning(
        "Who distils sessions: auto is the model where a key is set, else the offline distiller.", _WORKERS
    ),
    "anthropic_api_key": Meaning("With it auto distils by the model.", _WORKERS),
    "anthropic_url": Meaning("Another address that speaks the model's protocol.", _WORKERS),
    "model": Meaning("The model's name, where the usual one is not wanted.", _WORKERS),
    "daily_usd": Meaning("What the model may cost a day.", _WORKERS),
    "session_usd": Meaning("What the model may cost for one session.", _WORKERS),
    "at_cap": Meaning("At the cap sessions are distilled offline, or wait for the next day.", _WORKERS),
    "embeddings": Meaning(
        "Who turns text into vectors: offline ships with Limbeck, off searches by words alone. A change embeds "
        "anew what is there.",
        _WORKERS,
    ),
    "embeddings_url": Meaning("Another address in OpenAI's format.", _WORKERS),
    "embeddings_model": Meaning("The embedding model's name, where the usual one is not wanted.", _WORKERS),
    "embeddings_dimension": Meaning("How many numbers a vector of that model has.", _WORKERS),
    "embeddings_key": Meaning("For voyage, and for openai at its own address.", _WORKERS),
    "idle_minutes": Meaning(
        "A session without an end is distilled after so many minutes without an event.", _WORKERS
    ),
    "classify_tokens": Meaning(
        "A project is read for drafts once so many tokens are new; 0 leaves it to a person.", _WORKERS
    ),
    "retain_days": Meaning(
        "After so many days old evidence goes by itself, in whole months that are distilled; 0 keeps it.",
        _WORKERS,
    ),
    "retain_audit_days": Meaning(
        "After so many days lines of the audit log go by themselves; 0 keeps them.", _WORKERS
    ),
    "worker_processes": Meaning("How many batches of events are taken in at once.", _WORKERS),
    "inject": Meaning(
        "What hooks tell an agent: nothing, a brief when a session begins, or also what is known of each prompt.",
        _HOOKS | {SUPERVISOR},
    ),
    "queue_high_water": Meaning(
        "Above so many waiting events hooks write to the spool.", _SERVER | {SUPERVISOR}
    ),
    "spool_megabytes": Meaning("How large the spool on disk may grow.", _HOOKS),
    "ignore_paths": Meaning("Files that are not captured, one pattern a line, as in a .gitignore.", _HOOKS),
    "ignore_tools": Meaning("Tools whose calls are not captured, one pattern a line.", _HOOKS),
    "ignore_projects": Meaning(
        "Projects that are not captured, by remote or folder, one pattern a line.", _HOOKS
    ),
    "ignore_subagents": Meaning("Types of subagents that are not captured, one pattern a line.", _HOOKS),
    "server": Meaning("Whether `limbeck up` runs the server.", _START),
    "server_host": Meaning("The address the server listens at.", _SERVER),
    "server_port": Meaning("The port the server listens at; 0 is any free one.", _SERVER),
    "server_hosts": Meaning("Further host names it answers to, one a line.", _SERVER),
    "server_proxies": Meaning("Proxies whose word for a caller's address it takes, one a line.", _SERVER),
    "server_rate": Meaning("Requests a minute with one token; 0 is no limit.", _SERVER),
    "server_tools": Meaning(
        "Which tools agents are told of: core is the few of every day, all is every one.", _SERVER
    ),
    "remote_url": Meaning("The team's server that keeps this machine's memory.", _START),
    "token": Meaning("The token that speaks for this machine there.", _START),
    "log_level": Meaning("How much the logs say.", _WORKERS | _SERVER),
}
