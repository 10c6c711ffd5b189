"""A Redis account for one client's stream (docs/server.md): what it cannot do, and what it can still damage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import redis

from capture.queue import stream_key
from limbeck.ship.sender import RedisSender

ROOT = Path(__file__).resolve().parents[4]
OWN, OTHER = stream_key("acme"), stream_key("other")


def documented() -> list[str]:
    """The words of the command as the manual has it."""
    text = (ROOT / "docs" / "server.md").read_text("utf-8")
    found = re.search(r"^ACL SETUSER (.+)$", text, re.MULTILINE)
    assert found
    return found[1].replace("PASSWORD", "geheim").split()


@pytest.fixture
def admin(redis_socket):
    with redis.Redis(unix_socket_path=str(redis_socket)) as connection:
        words = documented()
        connection.execute_command("ACL", "SETUSER", *words)
        connection.xadd(OWN, {"e": "one"})
        connection.xadd(OTHER, {"e": "theirs"})
        connection.set("something", "else")
        yield connection
        connection.execute_command("ACL", "DELUSER", words[0])


@pytest.fixture
def account(admin, redis_socket):
    with redis.Redis(unix_socket_path=str(redis_socket), username=documented()[0], password="geheim") as made:
        yield made


def test_the_shipper_works_with_it(admin, redis_socket):
    sender = RedisSender(f"unix://{documented()[0]}:geheim@{redis_socket}", "acme")
    sender.send([b"{}", b"{}"])
    sender.close()
    assert admin.xlen(OWN) == 3


@pytest.mark.parametrize(
    "command",
    [
        ("XADD", OTHER, "*", "e", "mine"),
        ("XADD", "limbeck:clients", "*", "e", "x"),
        ("SADD", "limbeck:clients", "other"),
        ("XRANGE", OWN, "-", "+"),
        ("XREAD", "STREAMS", OWN, "0"),
        ("XREADGROUP", "GROUP", "ingest", "me", "STREAMS", OWN, ">"),
        ("XLEN", OTHER),
        ("XINFO", "STREAM", OWN),
        ("XDEL", OWN, "0-1"),
        ("XTRIM", OWN, "MAXLEN", "0"),
        ("DEL", OWN),
        ("GET", "something"),
        ("SET", "something", "x"),
        ("KEYS", "*"),
        ("SCAN", "0"),
        ("FLUSHALL",),
        ("FLUSHDB",),
        ("CONFIG", "GET", "*"),
        ("ACL", "LIST"),
        ("EVAL", "return 1", "0"),
        ("SHUTDOWN",),
        ("MONITOR",),
        ("PUBLISH", "x", "y"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_everything_else_is_refused(account, admin, command):
    with pytest.raises(redis.exceptions.NoPermissionError):
        account.execute_command(*command)
    assert (admin.xlen(OWN), admin.xlen(OTHER), admin.get("something")) == (1, 1, b"else")


def test_what_it_can_still_damage_is_its_own_stream(account, admin):
    """XADD itself can trim, and can set an id that leaves no room for later ones; nothing of anybody else's moves."""
    account.execute_command("XADD", OWN, "MAXLEN", "0", "*", "e", "x")
    assert admin.xlen(OWN) == 0
    account.execute_command("XADD", OWN, "18446744073709551615-18446744073709551615", "e", "last")
    with pytest.raises(redis.ResponseError):
        admin.xadd(OWN, {"e": "later"})
    assert admin.xlen(OTHER) == 1
