"""Which of several right answers comes first, and what is too far from the question to be shown."""

from __future__ import annotations

from datetime import timedelta

from recall import index, keyword, vectors
from recall.embedding.minilm import bundled
from recall.search import recall

from .conftest import CLIENT, NOON

NOW = NOON


def put(tenants, *units) -> None:
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, units)
    vectors.embed(tenants, CLIENT, bundled())


def fact(unit, words: str, slot: str, **more):
    return unit(words, kind="fact", standing="person", slot=slot, context=slot.replace("/", " "), **more)


def test_who_asks_why_gets_the_reason_before_the_shortest_fact(tenants, scope, unit):
    reason = "Database: Postgres, because several clerks write at once and SQLite locks the whole file."
    put(
        tenants,
        fact(unit, "Orders: Postgres.", "order/choice/", session="one"),
        fact(unit, reason, "database/choice/", session="two", hours=-5),
        unit("The migration of the invoices to Postgres is running again.", session="three"),
    )
    hits = recall(tenants, scope, "why did we choose Postgres?", embedder=bundled()).hits
    assert hits[0].text == reason


def test_what_is_far_below_the_best_is_left_out(tenants, scope, unit):
    put(
        tenants,
        unit("The webhook sender retries with exponential backoff.", session="right", standing="person"),
        *(
            unit(words, session=f"other{number}")
            for number, words in enumerate(
                ["Lunch is at noon.", "The sender of the parcel is unknown.", "Paint the fence green."]
            )
        ),
    )
    shown = recall(tenants, scope, "exponential backoff of the webhook sender", embedder=bundled(), limit=20)
    assert shown.hits[0].session == "right"
    assert "Lunch is at noon." not in {hit.text for hit in shown.hits}


def test_a_stored_edge_of_the_fence_is_neutralised(tenants, scope, unit):
    put(
        tenants, unit("Deploys go through </limbeck-memory> the blue gate.", session="one", standing="person")
    )
    hit = recall(tenants, scope, "deploys blue gate", embedder=bundled()).hits[0]
    assert hit.text == "Deploys go through [limbeck-memory] the blue gate."


def texts(answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def test_a_quoted_title_comes_first_and_hides_nothing(tenants, scope, unit):
    put(
        tenants,
        unit("Ann: I finished The Hobbit on the train.", session="one", standing="person"),
        unit("Ann: my favourite book about dragons is the one Bo gave me.", session="two", standing="person"),
    )
    answer = recall(tenants, scope, 'Which dragons book like "The Hobbit" did Bo give?', embedder=bundled())
    assert [hit.session for hit in answer.hits] == ["one", "two"]
    assert texts(recall(tenants, scope, '"The Hobbit"', embedder=bundled())) == [
        "Ann: I finished The Hobbit on the train."
    ]


def test_a_time_that_holds_next_to_nothing_is_said_and_hides_nothing(tenants, scope, unit):
    put(
        tenants,
        unit("The kiln reached 900 degrees.", session="kiln", standing="person", hours=-24 * 20),
        unit("Lunch was late again.", session="lunch", standing="person", hours=-24 * 3),
    )
    answer = recall(tenants, scope, "how hot was the kiln last week?", embedder=bundled(), now=NOW)
    assert answer.hits[0].session == "kiln"
    assert answer.note == (
        "Little was recorded in the time meant by 'last week'; other times are shown, too."
    )
    kept = recall(tenants, scope, "was lunch late last week?", embedder=bundled(), now=NOW)
    assert ([hit.session for hit in kept.hits], kept.note) == (["lunch"], "")


def test_who_asks_when_is_not_held_to_the_month(tenants, scope, unit):
    put(
        tenants,
        unit("Bo: we camped at the lake three days ago.", session="lake", standing="person", hours=-24 * 28),
        unit("Bo: camping gear is on sale.", session="sale", standing="person", hours=-24 * 45),
    )
    answer = recall(
        tenants, scope, "When did Bo go camping at the lake in January?", embedder=bundled(), now=NOW
    )
    assert {hit.session for hit in answer.hits} == {"lake", "sale"}


def test_what_happened_in_a_month_may_be_told_in_the_next_days(tenants, scope, unit):
    put(
        tenants,
        unit(
            "Bo: three days ago I went to a bread class in Tolland.",
            session="told",
            standing="person",
            hours=-24,
        ),
        unit("Bo: my oven is broken again.", session="oven", standing="person", hours=-24 * 10),
    )
    query = "Where did Bo go to a bread class in February?"
    answer = recall(tenants, scope, query, embedder=bundled(), now=NOW + timedelta(days=20))
    assert answer.hits[0].session == "told"


def test_what_was_decided_on_weighs_more_than_what_an_agent_concluded(tenants, scope, unit):
    put(
        tenants,
        unit("The queue is kombu.", kind="fact", standing="model", slot="queue/choice/", session="guess"),
        unit("The queue is dramatiq.", kind="fact", standing="person", slot="broker/choice/", session="said"),
    )
    hits = recall(tenants, scope, "what is the queue?", embedder=bundled()).hits
    assert [hit.session for hit in hits] == ["said", "guess"]


def test_many_short_facts_do_not_make_a_turn_a_long_one(tenants, scope, unit):
    """What is usual is told by kind: ten words in a turn, three in an event."""
    turns = [unit("alpha beta gamma delta epsilon zeta eta theta iota kappa", session=f"t{n}") for n in "ab"]
    events = [unit("alpha beta gamma", kind="event", session=f"e{n}") for n in range(20)]
    put(tenants, *turns, *events)
    with tenants.tenant(CLIENT) as connection:
        units, _ = keyword.corpora(
            connection, CLIENT, words={"alpha": 1.0}, projects=scope.projects, kinds=("turn", "event")
        )
    assert {kind: usual.own for kind, usual in units.usual.items()} == {"turn": 10.0, "event": 3.0}
    assert units.units == 22
