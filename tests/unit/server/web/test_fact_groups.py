"""Under which headings the page of facts shows them."""

from __future__ import annotations

from types import SimpleNamespace

from server.web.pages.facts import grouped


def fact(subject, attribute, statement):
    return SimpleNamespace(subject=subject, attribute=attribute, statement=statement)


def test_a_rule_stands_under_no_words_that_read_as_its_opposite():
    queue = fact("queue", "choice", "The queue is Redis.")
    never = fact("we write down migrations", "rule", "We never write down migrations.")
    always = fact("we write tests first", "rule", "Always write tests first.")
    web = fact("web", "choice", "The frontend is Svelte.")
    assert grouped([queue, never, always, web]) == [
        ("queue", [queue]),
        ("", [never, always]),
        ("web", [web]),
    ]
