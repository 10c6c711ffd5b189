"""Addresses: of the embedded servers, of one's own, and as hooks read them."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.services.hookfile import hook_config, queue_address
from limbeck.services.requirements import place
from limbeck.settings import Settings
from workers.settings import WorkerSettings


def test_embedded_servers_are_reached_by_role_over_their_socket():
    home = Home(Path("/a b"))
    at = addresses(Settings(home=home.path), home)
    assert at.database_url == "postgresql+psycopg://limbeck_app@/limbeck?host=/a%20b/run"
    assert at.owner_url == "postgresql+psycopg://limbeck@/limbeck?host=/a%20b/run"
    assert at.redis_url == "unix:///a%20b/run/queue"


def test_urls_of_ones_own_are_taken_as_they_are_and_hidden():
    secret = secrets.token_hex(8)
    home = Home(Path("/h"))
    settings = Settings(
        home=home.path, database_url=f"postgresql://a:{secret}@db/x", redis_url=f"redis://:{secret}@q:7000/2"
    )
    at = addresses(settings, home)
    assert at.database_url == at.owner_url == settings.database_url
    assert at.redis_url == settings.redis_url
    assert secret not in repr(at)


def test_a_url_of_the_owner_is_for_migrations_alone():
    home = Home(Path("/h"))
    settings = Settings(
        home=home.path, database_url="postgresql://a@db/x", database_owner_url="postgresql://o@db/x"
    )
    at = addresses(settings, home)
    assert (at.database_url, at.owner_url) == ("postgresql://a@db/x", "postgresql://o@db/x")


@pytest.mark.parametrize(
    ("url", "expected", "local"),
    [
        ("unix:///a%20b/q", ("/a b/q", None, 6379, None, None, False), True),
        ("redis://127.0.0.1:7000", (None, "127.0.0.1", 7000, None, None, False), True),
        ("redis://u:p%40@localhost", (None, "localhost", 6379, "u", "p@", False), True),
        ("redis://queue.example:6380/0", (None, "queue.example", 6380, None, None, False), False),
        ("rediss://localhost", (None, "localhost", 6379, None, None, True), False),
    ],
)
def test_hooks_get_the_queues_address(url, expected, local):
    queue = queue_address(url)
    assert (queue.socket, queue.host, queue.port, queue.user, queue.password, queue.tls) == expected
    assert queue.local is local


def test_hooks_get_the_persons_patterns_and_the_spools_limit():
    settings = Settings(home=Path("/h"), client="c", ignore_tools=("mcp__*",), spool_megabytes=2)
    config = hook_config(settings, "unix:///q", Path("/h/spool"))
    assert (config.client, config.spool, config.policy.tools) == ("c", "/h/spool", ["mcp__*"])
    assert config.limits.spool_bytes == 2 * 1024 * 1024


def test_celery_reads_the_same_socket_as_we_do():
    settings = WorkerSettings(database_url="", redis_url="unix:///a%20b/run/queue")
    assert settings.broker_url == "redis+socket:///a%20b/run/queue?virtual_host=0"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://me:pw@db.example:5433/limbeck?sslmode=require", "db.example:5433/limbeck"),
        ("postgresql://limbeck@/limbeck?host=/run/x", "/limbeck"),
        ("redis://:pw@q", "q"),
        ("unix:///run/queue", "/run/queue"),
    ],
)
def test_a_place_is_shown_without_user_and_password(url, shown):
    assert place(url) == shown
