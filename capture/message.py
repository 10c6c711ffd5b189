"""A message or a meeting note as an envelope: what a person or a connector hands over, redacted like the rest."""

from __future__ import annotations

from capture.config import Limits
from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.event import Event
from capture.observation import envelope
from capture.policy import Policy
from capture.private import drop_private
from capture.project import Project
from capture.text import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "api"
KINDS = ("message", "note")
MOST = 100_000
SECONDS = 5.0


def seal(
    kind: str,
    text: str,
    told: Mapping[str, str],
    project: Project,
    policy: Policy,
    *,
    ident: str,
    at: int,
) -> bytes | None:
    """Return the encoded envelope of a ``message`` or ``note``; None where the policy keeps the project private.

    ``told`` may hold ``title`` and ``source``. ``ident`` is its id and ``at`` the time in Unix milliseconds. At
    most 100,000 characters of ``text`` are kept, fewer where the envelope would be too large.
    """
    from capture.redact import Deadline, redact_window

    if kind not in KINDS:
        raise ValueError(f"{kind} is neither a message nor a note")
    event = Event(AGENT, kind, "message", cwd=project.root, extra=dict(told))
    limit = MOST
    while True:
        made = envelope(event, project, policy, Limits(), ident=ident, at=at)
        if made is None:
            return None
        kept, found, _, cut = redact_window(drop_private(text), limit, deadline=Deadline(SECONDS))
        body = made["body"] if isinstance(made["body"], dict) else {}
        made["origin"] = "api"
        made["body"] = {**body, "text": kept, "chars": len(text), **({"cut": True} if cut else {})}
        held = made.get("redactions")
        counts = dict(held) if isinstance(held, dict) else {}
        add(counts, found)
        if counts:
            made["redactions"] = dict(sorted(counts.items()))
        try:
            return encode(made)
        except OversizedEnvelope:
            limit //= 2
