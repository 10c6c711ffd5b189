"""What of the ranked units is handed out: their words, harmless, cut to the room there is, with their provenance."""

from __future__ import annotations

from sqlalchemy import Connection

from recall import candidates
from recall.answer import Answer, Hit
from recall.candidates import TURN_KIND, Candidate
from recall.fence import harmless
from recall.fusion import ranks
from recall.gather import Asked, Found
from recall.present import Room, within
from recall.ranking import Ranked
from recall.shelves import plain
from schema.doubts import doubts

NOTHING = "Nothing relevant was found."


def nothing(asked: Asked, found: Found) -> Answer:
    """The answer where nothing is relevant."""
    question = asked.question
    return Answer(question.text, (), found.ran, question.window, asked.history, NOTHING)


def answered(
    conn: Connection,
    asked: Asked,
    found: Found,
    best: Ranked,
    placed: list[tuple[int, Candidate]],
    room: Room,
) -> Answer:
    """Fetch the words of the units ``placed`` and cut them to ``room``; a cut text says how long it was."""
    client, scores = asked.scope.client, best.scores or {}
    numbers = [unit.unit for _, unit in placed]
    bodies = candidates.bodies(conn, client, numbers)
    fresh = candidates.freshness(conn, client, [unit.ref for _, unit in placed if unit.kind == "fact"])
    against = doubts(conn, client, [unit.ref for _, unit in placed if unit.kind == "fact" and unit.current])
    whole = candidates.told_lengths(conn, client, [unit.ref for _, unit in placed if unit.kind == TURN_KIND])
    texts = {number: harmless(body.text) for number, body in bodies.items()}
    lengths = {unit.unit: max(whole.get(unit.ref, 0), len(texts[unit.unit])) for _, unit in placed}
    fitted = within(texts, numbers, room.tokens, room.chars, lengths)
    ranked = {name: ranks(listed) for name, listed in found.lists.items()}
    hits = tuple(
        Hit(
            kind=plain(unit.kind),
            ref=unit.ref,
            project=unit.project,
            title=harmless(bodies[unit.unit].title),
            text=fitted[unit.unit],
            chars=lengths[unit.unit],
            cut=fitted[unit.unit] != texts[unit.unit],
            at=unit.at,
            place=place,
            score=round(scores.get(unit.unit, 0.0), 4),
            session=unit.session,
            files=bodies[unit.unit].files,
            standing=unit.standing,
            slot=unit.slot,
            current=unit.current,
            valid_from=unit.valid_from,
            valid_to=unit.valid_to,
            freshness=fresh.get(unit.ref) if unit.kind == "fact" else None,
            doubt=harmless(against[unit.ref].told) if unit.ref in against else None,
            evidence=bodies[unit.unit].evidence,
            signals={name: places[unit.unit] for name, places in ranked.items() if unit.unit in places},
        )
        for place, unit in placed
        if unit.unit in fitted
    )
    return Answer(
        asked.question.text,
        hits,
        found.ran,
        asked.question.window,
        asked.history,
        " ".join(best.notes),
        left_out=len(placed) - len(hits),
    )
