"""Words alone under an explicit label are a password; what code, forms and sentences say there is none."""

import random

import pytest

from capture.net import second_net, second_net_value
from capture.redact import redact
from capture.redact.walk import redact_value
from capture.text import tidy
from limbeck.bench.samples import expand

WORDS = ("velvet", "monkey", "window", "staple")
PHRASE = "-".join(WORDS)
SPACED = " ".join(WORDS)
ONE = "dragon" + "flyx"
NUMBERED = "liver" + "pool88"
STRONG = expand("<word>", random.Random(1)).title() + "7Qx9" + "Zt2Lw"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"password: {PHRASE}", PHRASE),
        (f"password: {ONE}", ONE),
        (f"password: {SPACED}\nuser: app", SPACED),
        (f"db:\n  user: app\n  password: {PHRASE}\n", PHRASE),
        (f"I set it up, the password: {PHRASE} works now", PHRASE),
        (f'{{"db_password":"{PHRASE}"}}', PHRASE),
        (f'{{"password": "{SPACED}"}}', SPACED),
        (f"<password>{ONE}</password>", ONE),
        (f"<password>{SPACED}</password>", SPACED),
        (f"<password kind='x'>{ONE}</password>", ONE),
        (f"<password><![CDATA[{ONE}]]></password>", ONE),
        (f"**Password:** {PHRASE}", PHRASE),
        (f"api_key: {PHRASE}", PHRASE),
        (f"API_TOKEN={PHRASE}", PHRASE),
        (f'{{"token": "{PHRASE}"}}', PHRASE),
        (f"https://acme.io/#access_token={ONE}", ONE),
        (f"[db]\nuser = app\npassword = {ONE}\n", ONE),
        (f"Server=s;User=app;Password={ONE};", ONE),
        (f"GET /cb?token={ONE}", ONE),
        (f"https://acme.io/?a=b&password={PHRASE}", PHRASE),
        (f"postgres://app:{SPACED}@db/x", SPACED),
        (f"postgres://app:{ONE}@db", ONE),
        ("Authorization: Bearer " + "918273" + "645546", "918273" + "645546"),
        (f"Authorization: Bearer {PHRASE}", PHRASE),
        (f"Authorization: Bearer {ONE}", ONE),
        (f"the password is {NUMBERED}", NUMBERED),
        (f"the password for erin is {NUMBERED}, keep it", NUMBERED),
        (f"the password is {PHRASE}.", PHRASE),
        (f'the password is "{SPACED}"', SPACED),
        (f"see /home/u/{STRONG}/x", STRONG),
    ],
)
def test_words_under_a_label_go(text, secret):
    clean = redact(text)[0]
    assert secret not in clean
    assert not any(word in clean for word in WORDS)
    assert redact(clean)[0] is clean


@pytest.mark.parametrize(
    "text",
    [
        "password: string",
        "password: str",
        "password: required",
        "password: optional",
        "password: SecretStr",
        "token: string;",
        "password: Field(...)",
        "password: Field(min_length=12)",
        'password: "required"',
        '"password": "Passwort"',
        '"password": "Contraseña"',
        '"password": "Mot de passe"',
        '"password": "Enter your password"',
        '"password": "must be at least twelve characters"',
        '"password": "user_password"',
        "password: $DB_PASSWORD",
        "password: your-password-here",
        "password must be at least 12 characters",
        "the password is required",
        "the password is stored as sha256",
        "the password is base64",
        "the password is incorrect, try again",
        "token expired",
        "Authorization: Bearer token",
        "Authorization: Bearer authentication is required",
        "<password></password>",
        "<label>Password</label>",
        "connect(user=user, password=password, host=host)",
        "https://acme.io/?sort=token&token=string",
        "http://localhost:8080 and mail bob@acme.io",
        "/home/u/project/src/UserTokenProvider.tsx",
        "/usr/lib/python3.11/site-packages/x86_64-linux-gnu/libfoo.so.1.2.3",
    ],
)
def test_what_stands_under_labels_otherwise_stays(text):
    assert second_net(redact(text)[0])[0] == text


def test_a_key_body_without_its_header_goes():
    rng = random.Random(3)
    lines = [expand("<b64>", rng) for _ in range(6)]
    for joint in ("\n", "\\n", "\n    ", '\\n"\n"'):
        clean = redact("key\n" + joint.join(lines) + "\nend")[0]
        assert not any(line[:12] in clean for line in lines), joint
        assert clean.endswith("\nend")


def test_lists_of_digests_and_images_are_no_key():
    rng = random.Random(4)
    for template in ("<h64>", "<H64>"):
        text = "\n".join(expand(template, rng) for _ in range(6))
        assert redact(text)[0] is text
    image = "iVBORw0KGgo" + "\n".join(expand("<b64>", rng) for _ in range(6))[11:]
    assert redact(image)[0] is image


@pytest.mark.parametrize("net", [redact_value, second_net_value])
def test_names_of_tools_and_servers_are_read_piece_by_piece(net):
    clean, counts = net({"body": {"tool": f"mcp__{STRONG}__x", "server": f"srv-{STRONG}"}})
    assert clean == {
        "body": {"tool": "mcp__[REDACTED:high-entropy]__x", "server": "srv-[REDACTED:high-entropy]"}
    }
    assert counts == {"high-entropy": 2}
    plain = {"tool": "mcp__claude_ai_Mail__search-threads", "server": "be3f8a32-32fd-47b2-82f4-318cf680c404"}
    assert net(plain)[0] is plain


@pytest.mark.parametrize("net", [redact_value, second_net_value])
def test_a_nested_key_gives_its_value_context(net):
    value = "abc" + "dogs123"
    clean, counts = net({"body": {"input": [{"password": value}, {"password": PHRASE, "note": "x"}]}})
    assert value not in str(clean)
    assert PHRASE not in str(clean)
    assert counts == {"password": 2}


def test_a_line_of_a_certificate_that_looks_like_a_path_stays():
    line = "/" + STRONG + "/" + expand("<a9>", random.Random(8)) + "/" + "abc" * 14
    text = f"-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----"
    assert STRONG not in redact(line)[0]
    assert redact(text)[0] is text


def test_an_observation_reads_the_names_of_tools_and_servers_too():
    counts = {}
    clean = tidy({"body": {"tool": f"mcp__{STRONG}__x", "server": f"srv-{STRONG}"}}, counts)
    assert STRONG not in str(clean)
    assert counts == {"high-entropy": 2}
