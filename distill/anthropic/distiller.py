"""The model's distiller: parts in order, folded into one distillate, with the offline one to fall back on."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import Literal

from distill.anthropic.caller import DEFAULT_MODEL, OUTPUT_TOKENS, Caller, connect
from distill.anthropic.prompt import MOST_PARTS, PART_CHARACTERS, Part, parts, user_text
from distill.anthropic.reply import read
from distill.offline.distiller import OfflineDistiller
from distill.spend import Caps
from distill.store.spend import Ledger
from schema.database import Database
from schema.model import ModelRefused, ReplyCut, ReplyMalformed, SpendCapReached
from schema.records import Distillate, SessionEvidence

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnthropicDistiller:
    """Distils with a model. At the cap a session waits or is distilled offline, as ``at_cap`` says.

    A refused, cut or malformed reply is asked for once more where that can help; then the offline
    distiller does the session, so that it is never left without a summary.
    """

    caller: Caller
    at_cap: Literal["offline", "wait"] = "offline"
    budget: int = PART_CHARACTERS
    most_parts: int = MOST_PARTS
    offline: OfflineDistiller = field(default_factory=OfflineDistiller)

    @property
    def name(self) -> str:
        """The name kept with each summary."""
        return f"anthropic {self.caller.model}"

    def distil(self, evidence: SessionEvidence) -> Distillate:
        """Return the distillate. Raises ModelUnavailable, and SpendCapReached where sessions wait at the
        cap.
        """
        if not (evidence.exchanges or evidence.commits):
            return self.offline.distil(evidence)
        try:
            return self._asked(evidence)
        except SpendCapReached as reached:
            if self.at_cap == "wait":
                raise
            log.warning("%s Session %s is distilled offline.", reached, evidence.session)
        except (ModelRefused, ReplyCut, ReplyMalformed) as failure:
            log.warning("%s Session %s is distilled offline.", failure, evidence.session)
        return self.offline.distil(evidence)

    def _asked(self, evidence: SessionEvidence) -> Distillate:
        whole: Distillate | None = None
        for part in parts(evidence, budget=self.budget, most=self.most_parts):
            so_far = whole.summary if whole else ""
            found = self._part(evidence, part, so_far)
            whole = found if whole is None else _folded(whole, found)
        return whole or self.offline.distil(evidence)

    def _part(self, evidence: SessionEvidence, part: Part, so_far: str) -> Distillate:
        text = user_text(evidence, part, so_far)
        try:
            return read(self.caller.ask(evidence, text), part)
        except ReplyMalformed:
            return read(self.caller.ask(evidence, text), part)
        except ReplyCut:
            return read(self.caller.ask(evidence, text, OUTPUT_TOKENS * 2), part)


def build(
    database: Database,
    api_key: str,
    *,
    model: str | None = None,
    caps: Caps | None = None,
    at_cap: Literal["offline", "wait"] = "offline",
    base_url: str | None = None,
) -> AnthropicDistiller:
    """Return the distiller for every client of ``database``: its calls are paid from the evidence's
    client.
    """
    caller = Caller(connect(api_key, base_url), Ledger(database, caps or Caps()), model or DEFAULT_MODEL)
    return AnthropicDistiller(caller, at_cap=at_cap)


def _folded(earlier: Distillate, later: Distillate) -> Distillate:
    """One distillate of two parts: the later summary covers both, events and facts add up."""
    events = {event.key: event for event in (*earlier.events, *later.events)}
    drafts = {draft.key: draft for draft in (*earlier.drafts, *later.drafts)}
    return replace(
        later,
        title=earlier.title,
        events=tuple(events.values()),
        proposals=(*earlier.proposals, *later.proposals),
        drafts=tuple(drafts.values()),
    )
