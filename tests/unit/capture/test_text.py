from __future__ import annotations

import random
import string

from capture.config import Limits
from capture.event import Call, Event
from capture.observation import envelope
from capture.patch import patched_files
from capture.policy import Policy
from capture.project import Project
from capture.text import SHORT, spoken, tidy


def token() -> str:
    """A fake token of a known kind."""
    rng = random.Random(11)
    return "gh" + "p_" + "".join(rng.choice(string.ascii_letters + string.digits) for _ in range(36))


def test_a_text_is_redacted_then_cut_and_says_so() -> None:
    counts: dict[str, int] = {}
    body = spoken(f"use {token()} now " + "word " * 1000, 100, counts)
    assert token()[:12] not in str(body["text"])
    assert body["cut"] is True
    assert body["chars"] == 4 + 40 + 5 + 5000
    assert str(body["text"]).endswith(f"of {body['chars']} characters kept]")
    assert counts == {"github-token": 1}


def test_no_piece_of_a_secret_is_left_at_the_cut() -> None:
    for at in range(60, 101):
        kept = str(spoken("w " * (at // 2) + token() + " w" * 2000, 100, {})["text"])
        assert token()[:8] not in kept


def test_every_string_of_an_envelope_is_redacted() -> None:
    counts: dict[str, int] = {}
    secret = token()
    made = tidy(
        {"a": secret, "b": {"c": ["x", f"/home/{secret}/y"]}, "n": 5, "t": True, "long": "z" * 5000}, counts
    )
    assert secret not in str(made)
    assert made["n"] == 5
    assert made["t"] is True
    assert len(str(made["long"])) == SHORT
    assert counts["github-token"] == 2


def test_each_field_of_an_event_is_clean() -> None:
    secret = token()
    event = Event(
        "claude",
        secret,
        "tool",
        session=secret,
        turn=secret,
        call=secret,
        subagent={"id": secret, "type": secret},
        cwd=f"/home/{secret}",
        tool=Call(
            secret, command=f"cat {secret}.py", path=f"/home/{secret}/a.py", files=[secret], server=secret
        ),
        extra={},
        needs="rollout",
        transcript=f"/home/{secret}.jsonl",
    )
    project = Project(f"/r/{secret}", f"/c/{secret}", None, f"host/{secret}", secret)
    made = envelope(event, project, Policy(), Limits(), ident="i", at=1)
    assert made is not None
    assert secret[4:20] not in str(made)
    assert "needs" not in made  # a path that cannot be told cannot be read


def test_touched_files_that_the_policy_leaves_out() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n*** Add File: secret/b.py\n*** Move to: c.py\n*** End Patch"
    )
    assert patched_files(patch) == ["a.py", "secret/b.py", "c.py"]
    event = Event(
        "codex", "PostToolUse", "tool", cwd="/p", tool=Call("apply_patch", files=patched_files(patch))
    )
    made = envelope(event, Project("/p"), Policy(paths=["secret/"]), Limits(), ident="i", at=1)
    assert made is not None
    assert made["body"] == {"tool": "apply_patch", "files": ["a.py", "c.py"], "outcome": "unknown"}


def test_a_huge_patch_is_read_for_its_headers_only() -> None:
    patch = "*** Begin Patch\n" + "".join(f"*** Update File: f{n}.py\n+x\n" for n in range(5000))
    assert len(patched_files(patch)) == 100
