"""Made-up events for the benchmark of ingest: the same seed and start give the same events."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import Any

from capture.envelope import encode

SESSIONS = 24
REPEATED = 0.28  # the share that repeats what the same session did a moment ago
FRESH = 0.5  # of the rest, the share whose target or shape was never seen before in the run
CALLS = 1500  # what a session makes, more or less, before another takes its place
APART_MS = 40
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
VOCABULARY = (
    "account address audit auth basket billing broker build cache cart catalog channel client config contact "
    "coupon dashboard device document event export feature filter gateway handler history import index invoice "
    "job label ledger limit listing locale mailer member metric model notice order outbox parser payment policy "
    "price profile queue quota rate receipt record refund region report review role route rule sample schedule "
    "schema search service session setting shipment signup stock store stream supplier sync table task template "
    "tenant ticket timer tracker transfer upload user vendor view voucher warehouse webhook widget worker"
)
WORDS = VOCABULARY.split()
PROSE = (
    "The handler reads the whole body before it answers, so a slow client holds a worker. I moved the limit into "
    "the gateway and kept the old setting as a fallback.",
    "def total(lines: list[Line]) -> Decimal:\n    return sum((one.price * one.amount for one in lines), Decimal(0))",
    "Please look at why the report is empty on Mondays; the query joins on the local date and the job runs in UTC.",
    "```sql\nSELECT region, count(*) FROM orders WHERE placed_at >= now() - interval '7 days' GROUP BY region\n```",
    "We decided to keep Postgres as the only store, because two sources of truth were wrong twice last year.",
    "for attempt in range(retries):\n    try:\n        return fetch(url)\n    except OSError:\n        continue",
)


class Events:
    """An endless stream of envelopes, one every 40 ms of event time, from ``SESSIONS`` sessions at once."""

    def __init__(self, seed: int, start_ms: int) -> None:
        """``start_ms`` is the time of the first event, in Unix milliseconds."""
        self._random = random.Random(seed)  # noqa: S311 - a benchmark's choice, no secret
        self._at = start_ms
        self._sessions = [self._ident() for _ in range(SESSIONS)]
        self._known: deque[dict[str, Any]] = deque(maxlen=4000)
        self._last: dict[str, dict[str, Any]] = {}
        self.unseen = 0
        self.made = 0

    def observations(self, count: int) -> Iterator[bytes]:
        """Yield ``count`` encoded tool calls."""
        for _ in range(count):
            session = self._session()
            body = self._body(session)
            yield encode(self._envelope("tool", session, body) | {"call": self._call()})

    def exchanges(self, count: int, size: int = 2048) -> Iterator[bytes]:
        """Yield ``count`` encoded prompts and replies of about ``size`` bytes of prose and code, none alike."""
        for number in range(count):
            session = self._random.choice(self._sessions)
            text = ""
            while len(text) < size:
                text += f"{self._random.choice(PROSE)} {' '.join(self._random.choices(WORDS, k=6))}.\n\n"
            text = text[:size]
            kind = ("prompt", "reply")[number % 2]
            yield encode(self._envelope(kind, session, {"text": text, "chars": len(text)}))

    def _session(self) -> str:
        place = self._random.randrange(SESSIONS)
        if self._random.randrange(CALLS) == 0:
            self._last.pop(self._sessions[place], None)
            self._sessions[place] = self._ident()
        return self._sessions[place]

    def _body(self, session: str) -> dict[str, Any]:
        chance = self._random.random()
        self.made += 1
        if chance < REPEATED and session in self._last:
            return self._last[session]
        if not self._known or self._random.random() < FRESH:
            self.unseen += 1
            body = self._fresh()
            self._known.append(body)
        else:
            body = self._known[self._random.randrange(len(self._known))]
        self._last[session] = body
        return body

    def _fresh(self) -> dict[str, Any]:
        choose = self._random
        path = f"{'/'.join(choose.choices(WORDS, k=2))}/{choose.choice(WORDS)}_{self.unseen}"
        outcome = choose.choices(("ok", "failed", "unknown"), (80, 12, 8))[0]
        common: dict[str, Any] = {"outcome": outcome, "ms": choose.randrange(5, 4000)}
        kind = choose.randrange(4)
        if kind == 0:
            return {"tool": choose.choice(("Read", "Edit", "Write")), "target": f"src/{path}.py", **common}
        if kind == 1:
            return {
                "tool": "Bash",
                "shape": f"pytest -q tests/{path}.py -k _",
                "exit": int(outcome == "failed"),
                **common,
            }
        if kind == 2:
            return {"tool": "Bash", "shape": f"cd _ && rg -n _ {path} | head -n _", **common}
        return {"tool": "Edit", "target": f"web/{path}.ts", "files": [f"web/{path}.ts"], **common}

    def _envelope(self, kind: str, session: str, body: dict[str, Any]) -> dict[str, Any]:
        self._at += APART_MS
        return {
            "v": 1,
            "id": self._ident(),
            "at": self._at,
            "agent": "claude",
            "origin": "hook",
            "hv": "0.1.0",
            "kind": kind,
            "event": "PostToolUse" if kind == "tool" else kind,
            "session": session,
            "turn": session[:24] + f"{self._at // 120_000 % 10**12:012d}",
            "cwd": "/home/dev/shop",
            "project": {
                "common": "/home/dev/shop/.git",
                "root": "/home/dev/shop",
                "remote": "git.example/team/shop",
                "id": "0190a1b2-0000-7000-8000-00000000c0de",
            },
            "body": body,
        }

    def _call(self) -> str:
        return "toolu_01" + "".join(self._random.choices(LETTERS, k=22))

    def _ident(self) -> str:
        value = ((self._at & (1 << 48) - 1) << 80) | (7 << 76) | (2 << 62) | self._random.getrandbits(60)
        digits = f"{value:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
