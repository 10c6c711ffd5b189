"""Two friends' chats in LoCoMo's layout, made from templates: names, captions, dates and what is told days later.

Every pastime comes up in several sessions, of either friend, so that only who, what and when together tell which.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

PASTIMES = {
    "pottery": ("a kick wheel", "a glaze fair", "a green teapot with a chipped spout"),
    "kayaking": ("a dry bag", "a river clean-up", "a red kayak tied on a small trailer"),
    "chess": ("a travel board", "a blitz evening", "an old man thinking over a chess board"),
    "baking": ("a stone for the oven", "a sourdough class", "three round loaves on a windowsill"),
    "astronomy": ("a tripod", "a star party", "a telescope pointing at an orange moon"),
    "climbing": ("chalk and a rope", "a bouldering contest", "a girl hanging from a grey rock"),
    "knitting": ("bamboo needles", "a yarn swap", "a purple scarf around a snowman"),
    "cycling": ("a dynamo lamp", "a hill ride", "two bicycles leaning at a lighthouse"),
}
TOWNS = ("Fairholm", "Osterby", "Lindau", "Crestwick", "Marrow Bay", "Tolland", "Wexcombe", "Hartsea")
REASONS = (
    "her aunt left her one",
    "a podcast talked about it",
    "the doctor said to slow down",
    "it rained all week",
)
WHEN = (("yesterday", 1), ("last weekend", 4), ("three days ago", 3), ("the other day", 2))
GREETINGS = (
    "Hey, how have you been?",
    "Long time no see! What is new?",
    "Good to hear from you!",
    "Hi! Busy week?",
)
ECHOES = (
    "Wow, {pastime} again! That sounds like such a good time, {name}.",
    "I love that you keep at {pastime}, {name}. How did it feel?",
    "That is great, {name}! I should try {pastime} with you one day.",
)
SESSIONS, APART = 24, 11


def chats(conversations: int = 2, seed: int = 5) -> list[dict[str, Any]]:
    """Return conversations as LoCoMo's file holds them."""
    pairs = (("Ann", "Bo"), ("Mia", "Theo"), ("Iris", "Sam"))
    return [_conversation(*pairs[n % 3], f"made-{n}", random.Random(seed + n)) for n in range(conversations)]


def _conversation(one: str, other: str, name: str, chance: random.Random) -> dict[str, Any]:
    told = [
        (who, pastime, kind)
        for who in (one, other)
        for pastime in PASTIMES
        for kind in ("start", "buy", "go", "photo")
    ]
    chance.shuffle(told)
    fields: dict[str, Any] = {"speaker_a": one, "speaker_b": other}
    qa: list[dict[str, Any]] = []
    begin = datetime(2023, 1, 15, 13, 56)
    for session in range(1, SESSIONS + 1):
        at = begin + timedelta(days=APART * (session - 1))
        mine = told[(session - 1) * len(told) // SESSIONS : session * len(told) // SESSIONS]
        turns = [(one, chance.choice(GREETINGS), None), (other, "All good here, and you?", None)]
        for who, pastime, kind in mine:
            friend = other if who == one else one
            words, caption, question, category = _happening(who, pastime, kind, at, chance)
            turns.append((who, words, caption))
            qa.append({"question": question, "evidence": [f"D{session}:{len(turns)}"], "category": category})
            turns.append((friend, chance.choice(ECHOES).format(pastime=pastime, name=who), None))
        turns.append((one, "I have to run, talk soon!", None))
        fields[f"session_{session}_date_time"] = f"{at:%I:%M %p} on {at.day} {at:%B, %Y}".lower().replace(
            f"{at:%B}".lower(), f"{at:%B}"
        )
        fields[f"session_{session}"] = [
            {"speaker": who, "dia_id": f"D{session}:{place}", "text": words}
            | ({"blip_caption": f"a photo of {caption}"} if caption else {})
            for place, (who, words, caption) in enumerate(turns, start=1)
        ]
    return {"sample_id": name, "conversation": fields, "qa": qa}


def _happening(
    who: str, pastime: str, kind: str, at: datetime, chance: random.Random
) -> tuple[str, str | None, str, int]:
    """What was said, the photo's caption, a question that it answers, and LoCoMo's number of its sort."""
    thing, event, photo = PASTIMES[pastime]
    if kind == "start":
        reason = chance.choice(REASONS)
        return f"So I picked up {pastime}, since {reason}.", None, f"Why did {who} begin {pastime}?", 1
    if kind == "buy":
        return f"I finally got {thing} for my {pastime}!", None, f"What did {who} buy for {pastime}?", 4
    if kind == "photo":
        return (
            "Look at this one from Sunday!",
            photo,
            f"What does {who}'s picture of {photo.split()[-1]} show?",
            1,
        )
    town, (word, days) = chance.choice(TOWNS), chance.choice(WHEN)
    day = at - timedelta(days=days)
    words = f"{word.capitalize()} I went to {event} in {town}. So worth it."
    asked = chance.choice(
        (
            f"When did {who} go to {event} in {town}?",
            f"When did {who} go to {event} in {day:%B}?",
            f"Where did {who} go to {event} in {day:%B}?",
            f"What did {who} do in {town} on {day.day} {day:%B}, {day.year}?",
            f'What did {who} say of "{event}"?',
        )
    )
    return words, None, asked, 2
