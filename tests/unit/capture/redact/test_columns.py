"""Secrets in columns, numbers of cards, keys that are called keys, and what stands near such and is none."""

from __future__ import annotations

import random
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.net import second_net
from capture.redact import redact
from limbeck.bench.samples import expand

RNG = random.Random(11)
WORD = expand("<pw>", RNG)
OTHER = expand("<pw>", RNG)
HEX64, HEX16 = expand("<h64>", RNG), expand("<h16>", RNG)
UUID = str(uuid.UUID(int=RNG.getrandbits(128), version=4))
COUNTED = "hunter" + "22"


def card(start: str, size: int = 16) -> str:
    """A number with a right check digit, by the sum as it is told to people."""
    body = start + "".join(RNG.choice("0123456789") for _ in range(size - len(start) - 1))
    for last in "0123456789":
        total = 0
        for place, sign in enumerate(reversed(body + last)):
            value = int(sign) * (2 if place % 2 else 1)
            total += value // 10 + value % 10
        if total % 10 == 0:
            return body + last
    raise AssertionError


def grouped(number: str, sign: str) -> str:
    return sign.join(number[at : at + 4] for at in range(0, 16, 4))


CARD, AMEX = card("4539"), card("37", 15)


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("| user | password |\n| --- | --- |\n| bob | {} |\n| eve | {} |", (WORD, COUNTED)),
        ("| User | Password |\n|:--|--:|\n| bob | `{}` |", (WORD,)),
        ("user | password\n-----+---------\n bob | {}\n eve | {}\n(2 rows)", (WORD, OTHER)),
        ("user,password\nbob,{}\neve,{}\n", (WORD, OTHER)),
        ("user,password\r\nbob,{}\r\n", (WORD,)),
        ('"mail","password","note"\n"b@x.example","{}","a, b"\n', (WORD,)),
        ("user;password;mail\nbob;{};b@x.example", (WORD,)),
        ("id\tuser\tpassword\n1\tbob\t{}\n", (WORD,)),
        ("service,api_key\nmail,{}\n", (HEX64,)),
        ("name,client_secret\nshop,{}", (UUID,)),
        ("사용자,비밀번호\n철수,{}\n", (WORD,)),
        ("비밀번호: {}", (WORD,)),
        ("비밀번호는 {} 입니다", (WORD,)),
        ("새 패스워드는 {}", (WORD,)),
        ("암호: {}", (WORD,)),
        ("limbeck_visit=local_" + HEX16 + "_{}", (HEX64,)),
        ("the page kept `local_" + HEX16 + "_{}` for me", (HEX64,)),
        ("key {}", (HEX64,)),
        ("the encryption key is {}", (HEX64,)),
        ("KEY: `{}`", (HEX64.upper(),)),
        ("heroku api key {}", (UUID,)),
        ("card {}", (CARD,)),
        ("charged {} (visa)", (CARD,)),
        ("{}", (grouped(CARD, " "),)),
        ("pay: {}.", (grouped(CARD, "-"),)),
        ("{}", (f"{AMEX[:4]} {AMEX[4:10]} {AMEX[10:]}",)),
    ],
)
def test_the_secret_goes_and_the_rest_stays(text, secrets):
    for net in (redact, lambda one: second_net(redact(one)[0])):
        clean = net(text.format(*secrets))[0]
        assert not any(secret in clean for secret in secrets)
        for part in text.split("{}"):
            assert part.strip('`"') in clean or "limbeck_visit" in part
        assert redact(clean)[0] is clean


@pytest.mark.parametrize(
    "text",
    [
        "| option | password | token |\n| --- | --- | --- |\n| type | string | string |\n| need | required | none |",
        "| method | token |\n| --- | --- |\n| tokenize | word_count |",
        "user,password\nbob,changeme\neve,\n",
        "def sign_in(user, password,\n            realm, nonce):",
        "user, password,\nhost, port = get_config(1)",
        f"cache key {HEX64}",
        f"public key {HEX64}",
        f"the RSA key {HEX64}",
        f"monkey {HEX64}",
        f"sha256:{HEX64}",
        f"order {CARD}",
        f"id {CARD[:-1]}{(int(CARD[-1]) + 1) % 10} of the card",
        f"{grouped(CARD[:-1] + str((int(CARD[-1]) + 1) % 10), ' ')}",
        f"1000 {grouped(CARD, ' ')} 2000",
        f"trace {UUID}",
        "비밀번호를 바꿔 주세요",
        "암호화 방식은 AES-256-GCM 입니다",
        f"file build_{HEX16}.tar",
    ],
)
def test_what_only_looks_like_it_stays(text):
    assert second_net(redact(text)[0])[0] == text


@pytest.mark.parametrize("name", ["access_token", "token", "api_key", "password", "client_secret"])
@pytest.mark.parametrize(
    "before", ["https://x.example/?", "/cb?b=2&", "", "curl 'https://x.example/a?", "see ?"]
)
@pytest.mark.parametrize("after", ["a=1", "num=12&z=x", "page_size=20"])
def test_what_follows_a_secret_parameter_stays(name, before, after):
    for secret in (expand("<h32>", RNG), WORD.replace("&", "x").replace("#", "y").replace("=", "z")):
        clean = redact(f"{before}{name}={secret}&{after}")[0]
        assert secret not in clean
        assert clean.endswith(f"]&{after}")


@given(
    st.lists(
        st.sampled_from(["password", "user", ",", "|", "\n", "\t", '"', ";", " ", WORD, "a", "---"]),
        max_size=60,
    )
)
def test_no_table_breaks_it_and_twice_is_once(parts):
    clean, _ = redact("".join(parts))
    assert "[REDACTED:error]" not in clean
    assert redact(clean)[0] is clean


@given(st.text("0123456789- ", max_size=60))
def test_digits_break_nothing(text):
    clean, _ = redact(f"card {text}")
    assert "[REDACTED:error]" not in clean
    assert redact(clean)[0] is clean
