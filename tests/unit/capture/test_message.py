"""Messages and notes: redacted, bounded, and left out where the project is private."""

from __future__ import annotations

import random
import string

import pytest

from capture.envelope import MOST_BYTES, decode
from capture.ids import new_id
from capture.message import seal
from capture.policy import Policy
from capture.project import Project

PROJECT = Project("/home/u/shop", remote="git.example/team/shop")
IDENT = new_id()
TOKEN = "ghp_" + "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=36))


def made(text, kind="note", policy=None, **told):
    line = seal(kind, text, told, PROJECT, policy or Policy(), ident=IDENT, at=1_700_000_000_000)
    return None if line is None else decode(line)


def test_a_note_keeps_what_was_said_and_where_from():
    found = made("We ship on Mondays.", title="weekly", source="#releases")
    assert (found["agent"], found["origin"], found["kind"], found["event"]) == (
        "api",
        "api",
        "message",
        "note",
    )
    assert found["body"] == {
        "title": "weekly",
        "source": "#releases",
        "text": "We ship on Mondays.",
        "chars": 19,
    }
    assert (found["id"], found["project"]["remote"]) == (IDENT, "git.example/team/shop")
    assert "redactions" not in found


def test_secrets_leave_neither_the_text_nor_the_title():
    found = made(f"the token is {TOKEN}, keep it", title=f"about {TOKEN}")
    assert TOKEN not in repr(found)
    assert sum(found["redactions"].values()) == 2


@pytest.mark.parametrize("sign", ["a", "\u00e9", "\u20ac", "\U0001f600"])
def test_a_long_text_is_cut_to_the_size_of_an_envelope(sign):
    words = f"{sign * 7} " * 40_000
    line = seal("note", words, {}, PROJECT, Policy(), ident=IDENT, at=1)
    assert len(line) <= MOST_BYTES
    body = decode(line)["body"]
    assert (body["cut"], body["chars"]) == (True, len(words))
    assert len(body["text"]) > 20_000


def test_a_private_project_gives_nothing():
    assert made("hello", policy=Policy(projects=("git.example/team/shop",))) is None


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match="neither"):
        made("hello", kind="rumour")
