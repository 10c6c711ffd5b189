"""A purge looks at a text once, wherever it stands, and at every secret each time."""

from __future__ import annotations

import random
import string
from collections import Counter

import pytest

from limbeck import purge
from limbeck.purge import Net


def token():
    return "gh" + "p_" + "".join(random.SystemRandom().choices(string.ascii_letters + string.digits, k=36))


@pytest.fixture
def asked(monkeypatch):
    """What the nets were asked."""
    texts, nets = [], purge.second_net
    monkeypatch.setattr(purge, "second_net", lambda text: (texts.append(text), nets(text))[1])
    return texts


def test_a_clean_text_is_looked_at_once(asked):
    net, hits = Net(), Counter()
    for _ in range(3):
        assert net.cleaned({"src/app.py": ["a change of the app"]}, hits) == {
            "src/app.py": ["a change of the app"]
        }
    assert asked == ["src/app.py", "a change of the app"]
    assert not hits


def test_a_secret_is_counted_wherever_it_stands(asked):
    net, hits, secret = Net(), Counter(), token()
    for _ in range(2):
        assert secret not in net.cleaned(f"deploy with {secret}", hits)
    assert len(asked) == 2
    assert sum(hits.values()) == 2


def test_an_id_is_no_secret_and_is_not_looked_at(asked):
    ident = "01a22bf4-0000-7000-8000-000000000001"
    assert Net().cleaned([ident, "", None, 5], Counter()) == [ident, "", None, 5]
    assert asked == []


def test_what_is_known_is_bounded(asked, monkeypatch):
    monkeypatch.setattr(purge, "MOST_KNOWN", 2)
    net, hits = Net(), Counter()
    for text in ("one text", "two texts", "three texts", "three texts"):
        net.cleaned(text, hits)
    assert asked == ["one text", "two texts", "three texts"]
    assert net._clean == {"three texts"}
    long = "word " * 200
    net.cleaned([long, long], hits)
    assert asked.count(long) == 2
