"""Run the demonstration: act the story, watch it being distilled, ask, and look for the planted token."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from limbeck.demo.scenario import QUESTIONS, Commit, Hook, Say, fake_token, story
from limbeck.demo.search import places
from limbeck.demo.stage import Stage
from limbeck.errors import DemoFailed
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.settings import load

PATIENCE_S = 90.0
LOOK_EVERY_S = 0.25

Tell = Callable[[str], None]


def run(stage: Stage, tell: Tell) -> dict[str, Any]:
    """Run everything on a ``stage`` whose services are up; returns what was shown, for scripts.

    Raises DemoFailed where a part does not do what it must.
    """
    token = fake_token()
    acted = _act(stage, stage.prepare(), token, tell)
    sums = _settle(stage, tell)
    facts = stage.answer("facts", "--history")
    answers = {question: stage.answer("recall", question) for question in QUESTIONS}
    home = Home.at(stage.home)
    settings = load(stage.environment)
    found = places(token, {stage.folder, home.state}, addresses(settings, home))
    brief = stage.answer("call", "bootstrap_session")["fenced"]
    return {
        "acted": acted,
        "sums": sums,
        "facts": facts,
        "answers": answers,
        "brief": brief,
        "token": found,
    }


def _act(stage: Stage, commands: dict[str, dict[str, str]], token: str, tell: Tell) -> dict[str, int]:
    acted = {"hooks": 0, "commits": 0}
    for step in story(stage.repository, token):
        if isinstance(step, Say):
            if acted["hooks"]:
                tell(_told(stage.answer("status")["counts"]))
            tell(step.text)
        elif isinstance(step, Hook):
            if stage.hook(step, commands[step.agent][step.payload["hook_event_name"]]):
                tell("the session begins with a brief of what the ones before came to")
            acted["hooks"] += 1
        elif isinstance(step, Commit):
            stage.commit(step)
            acted["commits"] += 1
    return acted


def _told(counts: dict[str, int]) -> str:
    return "  ".join(
        f"{name} {counts[name]}" for name in ("received", "stored", "merged", "pending", "spooled")
    )


def _settle(stage: Stage, tell: Tell) -> dict[str, Any]:
    """Wait until everything is stored and every session distilled; tells each change."""
    deadline = time.monotonic() + PATIENCE_S
    shown = ""
    while time.monotonic() < deadline:
        status, sessions = stage.answer("status"), stage.answer("sessions")
        counts = status["counts"]
        distilled = sum(session["state"] == "distilled" for session in sessions)
        now = f"{_told(counts)}; sessions distilled {distilled} of {len(sessions)}"
        if now != shown:
            tell(now)
            shown = now
        if sessions and distilled == len(sessions) and not counts["pending"] and not counts["spooled"]:
            return dict(counts)
        time.sleep(LOOK_EVERY_S)
    raise DemoFailed(what="the distillation", why=f"after {PATIENCE_S:.0f} s: {shown}")
