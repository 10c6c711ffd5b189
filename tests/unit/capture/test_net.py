"""The second net: its gates skip nothing a plugin would find, its finds are guarded, counted and bounded."""

import random

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from hypothesis import given, settings
from hypothesis import strategies as st

from capture import net
from capture.redact import Deadline
from limbeck.bench.keep import KEEP
from limbeck.bench.samples import expand

CLASSES = {plugin.__name__: plugin for plugin in get_mapping_from_secret_type_to_class().values()}
PARTS = [
    "AKC",
    "AP6",
    "AKIA",
    "aws_key='",
    "AccountKey=",
    "http://",
    "://a:b@c",
    "cloudant_pw: ",
    "cl-key=",
    "M",
    ".",
    "ghp_",
    "glpat-",
    "GR1348941",
    "api_key = ",
    "ibm_cos_secret_key=",
    "eyJhbGci",
    "password: ",
    "PWD=",
    "ſecret=",
    "contraseña := ",
    "-us12",
    "//r/:_authToken=",
    "sk-",
    "T3BlbkFJ",
    "pypi-AgEIcHlwaS5vcmc",
    "SG.",
    "xoxb-",
    "XOXB-1-",
    "hooks.slack.com/services/T",
    "softlayer_key=",
    "sl_pwd: ",
    "sq0csp-",
    "sk_live_",
    "12345678:",
    "AC",
    "SK",
    '"',
    "'",
    " ",
    "=",
    ":",
    "=>",
    "\t",
    "a" * 24,
    "0123456789abcdef" * 4,
    "Ab1" * 12,
]
LINES = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=6)), max_size=12).map(
    lambda parts: "".join(parts).replace("\n", " ")
)


@settings(max_examples=600, deadline=None)
@given(LINES)
def test_a_gate_never_shuts_out_what_its_plugin_would_find(line):
    open_gates = set(net.gated(line))
    for name, plugin in CLASSES.items():
        if name not in net.PLUGINS or name in open_gates:
            continue
        assert not list(plugin().analyze_string(line)), name
    if "KeywordDetector" not in open_gates:
        assert not any(pattern.search(line) for pattern, _ in net.PLUGINS["KeywordDetector"])


def test_every_plugin_but_those_left_out_is_asked_and_gated():
    left = {"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "PrivateKeyDetector"}
    assert set(net.PLUGINS) == set(CLASSES) - left == set(net.GATES)


def test_what_only_detect_secrets_knows_is_found_and_counted_by_rule(monkeypatch):
    monkeypatch.setattr(net.engine, "search", lambda *_: [])
    value = "AP6" + "k3Jh8kQ9sT2z"
    clean, counts = net.second_net(f'x "{value}" y')
    assert clean == 'x "[REDACTED:net-artifactory]" y'
    assert counts == {"net-artifactory": 1}


def test_both_nets_are_idempotent_and_keep_what_must_be_kept():
    rng = random.Random(4)
    for template in KEEP:
        text = expand(template, rng)
        assert net.second_net(text)[0] is text


def test_allow_comments_switch_nothing_off():
    value = "Zk39qqd8fj" + "Aa7"
    assert value not in net.second_net(f"db_pass = '{value}'  # pragma: allowlist secret")[0]


def test_a_hostile_line_ends_at_the_deadline():
    assert net.second_net("password" * 40_000, deadline=Deadline(0.05))[1] == {"deadline": 1}


def test_only_clean_texts_are_remembered():
    text = "DB_PASSWORD=" + "Zk39qqd8fj" + "Bb8"
    first = net.second_net(text)
    first[1]["password"] = 99
    assert net.second_net(text)[1] == {"password": 1}
    net.second_net("src/app.py")
    assert "src/app.py" in net._clean
    assert text not in net._clean
