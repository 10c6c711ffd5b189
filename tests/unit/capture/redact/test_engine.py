"""Properties of redaction: what is clean stays the same object, twice is once, markers are opaque."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from capture.redact import engine, marker, redact
from limbeck.bench.keep import KEEP
from limbeck.bench.samples import expand, leaks, sample
from limbeck.bench.shapes import SHAPES
from limbeck.bench.shapes_late import SHAPES as LATE
from limbeck.bench.shapes_more import SHAPES as MORE
from limbeck.bench.shapes_words import SHAPES as WORDS

PIECES = st.sampled_from(
    [
        "password=",
        "token: ",
        "Authorization: Bearer ",
        "://u:",
        "@h/",
        '"',
        "'",
        " ",
        "\n",
        "=",
        ":",
        ";",
        "&",
        "\\n",
        "\x00",
        "-----BEGIN PRIVATE KEY-----",
        "[REDACTED:password]",
        "[REDACTED:",
        "]",
        "ghp_",
        "Zk39qqd8fjAAAbbb77",
        "abc",
        "1234",
        "\u200b",
        "\x1b[31m",
        "\\u0041",
        '" + "',
        "curl -u a:",
        "mysql -p",
        "echo ",
        " | sudo -S",
        "İ",
        "ſecret",
        "%20",
        "eyJ",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=14).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_redacting_twice_changes_nothing(text):
    once, _ = redact(text)
    twice, counts = redact(once)
    assert twice is once
    assert not counts


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_a_marker_survives_in_any_surroundings(left, right):
    held = marker.marker("github-token")
    assert held in redact(left + held + right)[0]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_unchanged_text_is_the_same_object_and_counts_nothing(text):
    clean, counts = redact(text)
    assert (clean == text) == (not counts)
    assert counts or clean is text


def test_no_value_of_a_known_shape_survives():
    rng = random.Random(11)
    for shapes, most in ((SHAPES, 0.01), ((*MORE, *LATE, *WORDS), 0.03)):
        made = [sample(kind, template, rng) for kind, template in shapes for _ in range(5)]
        left = [one for one in made if leaks(one, redact(one.text)[0])]
        assert len(left) <= len(made) * most, left[:5]


def test_what_must_be_kept_is_kept():
    rng = random.Random(12)
    for template in KEEP:
        for _ in range(5):
            text = expand(template, rng)
            assert redact(text)[0] is text


def test_the_key_name_and_the_shape_stay_readable():
    value = "Zk39qqd8fj" + "Aa7"
    assert redact(f"DB_PASSWORD={value}")[0] == "DB_PASSWORD=[REDACTED:password]"
    assert redact(f"postgres://app:{value}@db/main")[0] == "postgres://app:[REDACTED:url-password]@db/main"
    assert redact(f"curl -u admin:{value} https://h")[0] == "curl -u admin:[REDACTED:curl-user] https://h"
    assert redact(f"X-Api-Key: {value}{value}")[0] == "X-Api-Key: [REDACTED:api-key]"


def test_nothing_in_the_text_switches_redaction_off():
    value = "Zk39qqd8fj" + "Aa7"
    for around in (
        "DB_PASSWORD={}  # pragma: allowlist secret",
        "DB_PASSWORD={} # gitleaks:allow betterleaks:allow nosec",
        "\x00DB_PASSWORD={}",
        "[REDACTED:password] DB_PASSWORD={}",
        "DB_PASSWORD=[REDACTED:password]{}",
        "<private>DB_PASSWORD={}",
    ):
        assert value not in redact(around.format(value))[0], around


def test_a_marker_of_no_rule_hides_nothing():
    token = "ghp_" + "a1b2c3d4e5f6" * 3
    assert token not in redact(f"[REDACTED:{token.lower()}] {token}")[0]


def test_an_error_inside_closes_the_field(monkeypatch):
    def broken(*_):
        raise RuntimeError

    monkeypatch.setattr(engine, "search", broken)
    assert redact("anything") == ("[REDACTED:error]", {"error": 1})
