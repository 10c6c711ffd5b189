"""People talking of their daily life, in LoCoMo's and BEAM's layouts: what they tell is written by hand
(``talk_*.txt``), and asked about in other words; the chatter around it comes from templates.

Of every pastime there is idle talk in many sessions, by both friends, so that a session is not told by its topic.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SESSIONS, APART = 27, 9
GREETINGS = (
    "Hey {friend}, how have you been?",
    "Hi {friend}! Long time no chat.",
    "{friend}! How was your week?",
)
ANSWERS = ("All good, a bit tired. You?", "Busy as ever, but fine!", "Can't complain. Tell me, what is new?")
LEADS = ("How is the {topic} going?", "Anything new with the {topic}?", "And the {topic}, {friend}?")
ECHOES = (
    "No way! I did not see that coming, {friend}.",
    "That is so you, {friend}. I love it.",
    "Oh {friend}! Tell me everything next time.",
    "Haha, the {topic} keeps you busy then.",
)
IDLE = (
    "I keep thinking about {friend}'s {topic}, it must take so much time.",
    "My cousin asked me about the {topic} again, I told her to ask you.",
    "Not much to tell about the {topic} today, same as ever.",
    "I might do something with the {topic} at the weekend, let's see.",
    "Do you still have time for the {topic}? I hardly do.",
)
BYES = ("I have to run, talk soon!", "Bye for now, take care!", "Let's talk next week, hugs!")


def told(name: str) -> list[tuple[str, ...]]:
    """The rows of one file, their cells stripped."""
    lines = (HERE / f"talk_{name}.txt").read_text("utf-8").splitlines()
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines if line and line[0] != "#"]


def locomo(
    *names: str, seed: int = 3, sessions: int = SESSIONS, rows: int | None = None
) -> list[dict[str, Any]]:
    """The conversations ``names`` as LoCoMo's file holds them; another ``seed`` puts them into other sessions.

    With ``rows`` so many things of each are told.
    """
    return [
        _conversation(
            name, random.Random(f"{name}{seed}").sample(told(name), rows or len(told(name))), seed, sessions
        )
        for name in names
    ]


def _conversation(name: str, rows: list[tuple[str, ...]], seed: int, sessions: int) -> dict[str, Any]:
    chance = random.Random(f"{name}{seed}")
    rows = chance.sample(rows, len(rows))
    people = sorted({who for who, *_ in told(name)})
    topics = [(who, topic) for who, topic, *_ in rows]
    fields: dict[str, Any] = {"speaker_a": people[0], "speaker_b": people[1]}
    qa: list[dict[str, Any]] = []
    at = datetime(2023, 1, 15, 13, 56)
    for session in range(1, sessions + 1):
        mine = rows[(session - 1) * len(rows) // sessions : session * len(rows) // sessions]
        said: list[tuple[str, str]] = []
        one, other = chance.sample(people, 2)
        said += [
            (one, chance.choice(GREETINGS).format(friend=other)),
            (other, chance.choice(ANSWERS)),
        ]
        pieces: list[tuple[str, ...] | None] = [*mine, None, None, None, None]
        for row in chance.sample(pieces, len(pieces)):
            if row is None:
                said += _idle(people, topics, chance)
                continue
            who, topic, words, question = row
            friend = people[1 - people.index(who)]
            if chance.random() < 0.5:
                said.append((friend, chance.choice(LEADS).format(topic=topic, friend=who)))
            said.append((who, words))
            place = f"D{session}:{len(said)}"
            qa.append({"question": question, "answer": len(said), "evidence": [place], "category": 4})
            said.append((friend, chance.choice(ECHOES).format(topic=topic, friend=who)))
        said.append((one, chance.choice(BYES)))
        fields[f"session_{session}_date_time"] = _written(at)
        fields[f"session_{session}"] = [
            {"speaker": who, "dia_id": f"D{session}:{place}", "text": words}
            for place, (who, words) in enumerate(said, start=1)
        ]
        at += timedelta(days=chance.randint(1, 2 * APART), hours=1)
    return {"sample_id": f"talk-{name}", "conversation": fields, "qa": qa}


def _idle(
    people: list[str], topics: list[tuple[str, str]], chance: random.Random
) -> Iterator[tuple[str, str]]:
    owner, topic = chance.choice(topics)
    speaker = chance.choice(people)
    yield speaker, chance.choice(IDLE).format(friend=owner, topic=topic)
    yield people[1 - people.index(speaker)], chance.choice(ANSWERS)


def _written(at: datetime) -> str:
    return f"{at:%I:%M} {'pm' if at.hour >= 12 else 'am'} on {at.day} {at:%B}, {at.year}"


REQUESTS = (
    "{said} Can you help me plan the rest of the week around that?",
    "Quick note before we start: {said} What should I keep in mind?",
    "I was sorting my papers. {said} Could you give me some ideas on how to go on from here?",
)
SMALL_TALK = (
    "Could you recommend something light to cook tonight? I have rice, two eggs and spinach.",
    "How do I write a friendly reminder to a neighbour who is always loud?",
    "What is a good way to learn names at a party? I always forget them at once.",
    "Please explain what a mortgage broker does, in simple words.",
    "Give me a packing list for three days in the mountains in spring.",
)
ADVICE = (
    "Start with what is fixed and write it down where you see it every day.",
    "Leave some room for surprises, since plans rarely survive the week unchanged.",
    "Talk it over with whoever it concerns before you settle on anything final.",
    "It helps to look back after a fortnight and see what you would do otherwise.",
    "Small steps that you repeat are worth more than one large effort.",
    "If money plays a part, compare at least three offers and sleep over it.",
)


def beam(
    seed: int = 3, long: bool = True, rows: int | None = None
) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Statements and, weeks later, what replaced them, told to an assistant: the chat and its questions.

    Replies are long, as BEAM's are, and repeat the person's words; with ``long`` off they are a sentence.
    """
    chance = random.Random(seed)
    told_of = told("updates")[:rows]
    batches: list[dict[str, Any]] = []
    ids: dict[str, int] = {}
    count = 0
    for number, side in enumerate((0, 1), start=1):
        groups = []
        for row in chance.sample(told_of, len(told_of)):
            for words in (row[side], None):
                if words is None and chance.random() < 0.5:
                    continue
                asked = chance.choice(REQUESTS).format(said=words) if words else chance.choice(SMALL_TALK)
                if words:
                    ids[words] = count
                anchor = {"time_anchor": f"{('March', 'June')[side]}-15-2024"} if not groups else {}
                mark = f" ->-> {number},{len(groups) + 1}"
                groups.append(
                    [
                        {"role": "user", "id": count, "content": asked + mark, **anchor},
                        {
                            "role": "assistant",
                            "id": count + 1,
                            "content": _reply(words or asked, long, chance),
                        },
                    ]
                )
                count += 2
        batches.append({"batch_number": number, "turns": groups})
    questions = [
        {
            "question": asked,
            "answer": new,
            "source_chat_ids": {"original_info": [ids[old]], "updated_info": [ids[new]]},
        }
        for old, new, asked in told_of
    ]
    return batches, {"knowledge_update": questions}


def _reply(words: str, long: bool, chance: random.Random) -> str:
    begin = f"Thanks for telling me: {words[0].lower()}{words[1:]}"
    if not long:
        return f"{begin} Noted."
    points = "\n".join(
        f"{place}. **{chance.choice(ADVICE)}** {chance.choice(ADVICE)}" for place in range(1, 12)
    )
    return f"{begin} Here is how I would go about it.\n\n{points}\n\nShall we go into one of these?"
