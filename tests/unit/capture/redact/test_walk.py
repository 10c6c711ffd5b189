"""JSON values are walked; long texts are redacted first and cut afterwards."""

import random

from capture.redact import redact, redact_window
from capture.redact.walk import redact_value
from limbeck.bench.samples import password, token

SECRET = password(random.Random(5))
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


def test_values_are_redacted_wherever_they_nest():
    value = {"a": [{"b": f"password={SECRET}"}, 1, None, True, 2.5], "c": {"d": [TOKEN]}}
    clean, counts = redact_value(value)
    assert SECRET not in str(clean)
    assert clean["a"][1:] == [1, None, True, 2.5]
    assert clean["c"]["d"] == ["[REDACTED:github-token]"]
    assert sum(counts.values()) == 2


def test_a_key_gives_its_value_context():
    clean, counts = redact_value({"db_password": SECRET, "note": "plain", "password": "changeme"})
    assert clean == {"db_password": "[REDACTED:password]", "note": "plain", "password": "changeme"}
    assert counts == {"password": 1}


def test_a_secret_beside_it_does_not_change_what_a_session_is_called():
    session = "3c1d2f40-7a51-4f0e-9d6b-0a1b2c3d4e5f-codex"
    assert redact_value({"session": session, "turn": TOKEN})[0] == {
        "session": session,
        "turn": "[REDACTED:github-token]",
    }


def test_a_key_that_is_a_secret_is_redacted():
    assert redact_value({TOKEN: 1})[0] == {"[REDACTED:github-token]": 1}


def test_clean_values_come_back_as_the_same_object():
    value = {"a": ["b", {"c": 1}], "d": None}
    assert redact_value(value)[0] is value


def test_what_is_too_deep_is_closed():
    value = "leaf"
    for _ in range(200):
        value = [value]
    clean, counts = redact_value(value)
    assert counts == {"depth": 1}
    assert "leaf" not in str(clean)


def test_long_numbers_under_a_password_key_go():
    assert redact_value({"password": 90412345, "port": 5432})[0] == {
        "password": "[REDACTED:password]",
        "port": 5432,
    }


def test_a_window_is_redacted_before_it_is_cut():
    rng = random.Random(9)
    for _ in range(200):
        secret = token(rng)
        text = "x" * rng.randint(0, 60) + f" token={secret} " + "word " * 600
        for limit in (20, 40, 60, 80):
            clean, _, full, cut = redact_window(text, limit)
            assert (full, cut) == (len(text), True)
            kept = clean.split(" [cut:")[0]
            assert len(kept) <= limit
            assert secret[:6] not in kept
            assert f"of {len(text)} characters" in clean


def test_a_short_text_is_not_cut():
    assert redact_window("plain words", 100) == ("plain words", {}, 11, False)
    text = f"password={SECRET}"
    assert redact_window(text, 100)[0] == redact(text)[0]


def test_a_cut_never_splits_a_marker():
    text = f"aaaa password={SECRET} " + "word " * 900
    for limit in range(10, 45):
        clean = redact_window(text, limit)[0].split(" [cut:")[0]
        assert clean.count("[") == clean.count("]")
