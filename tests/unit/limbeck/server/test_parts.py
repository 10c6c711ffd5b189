"""Where the server says it listens, the owner's file, and the model that is let go."""

from __future__ import annotations

import socket
import stat

import pytest

from limbeck.server import address, owner
from limbeck.server.embedder import IDLE_AFTER, OnDemand
from limbeck.server.errors import AddressTaken
from limbeck.services.server import free
from recall.embedding.choose import Choice
from recall.embedding.minilm import bundled


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::", "http://[::1]:1"),
        ("::1", "http://[::1]:1"),
        ("memory.example", "http://memory.example:1"),
    ],
)
def test_the_address_to_ask_at(host, url):
    assert address.url_of(host, 1) == url


def test_the_address_is_kept_while_it_holds(tmp_path):
    assert address.read(tmp_path) is None
    address.write(tmp_path, "http://127.0.0.1:1")
    address.write(tmp_path, "http://127.0.0.1:2")
    assert address.read(tmp_path) == "http://127.0.0.1:2"
    assert [path.name for path in tmp_path.iterdir()] == ["server.json"]
    assert stat.S_IMODE((tmp_path / "server.json").stat().st_mode) == 0o600
    address.forget(tmp_path)
    address.forget(tmp_path)
    assert address.read(tmp_path) is None
    (tmp_path / "server.json").write_text("[]")
    assert address.read(tmp_path) is None


def test_the_owners_token_is_readable_by_the_owner_alone_also_where_it_was_not(tmp_path):
    (tmp_path / "token").write_text("old")
    (tmp_path / "token").chmod(0o644)
    owner.write(tmp_path, "lbk_x")
    assert owner.read(tmp_path) == "lbk_x"
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["token"]
    (tmp_path / "token").write_bytes(b"\xff")
    assert owner.read(tmp_path) is None


def test_a_port_that_is_taken_is_told_and_a_free_one_is_not():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressTaken, match=f"127.0.0.1:{port}"):
            free("127.0.0.1", port)
    free("127.0.0.1", port)
    free("127.0.0.1", 0)


def test_the_model_is_let_go_after_a_while_without_a_question():
    now = [0.0]
    loading = OnDemand(Choice(), clock=lambda: now[0])
    assert loading.let_go() is False
    first = loading()
    assert first is loading()
    now[0] = IDLE_AFTER - 1
    assert loading.let_go() is False
    now[0] = 2 * IDLE_AFTER
    assert loading.let_go() is True
    assert loading.let_go() is False
    assert loading() is not first


def test_a_change_of_the_choice_lets_the_old_model_go():
    loading = OnDemand(Choice())
    first = loading()
    loading.change(Choice())
    assert loading() is first
    loading.change(Choice(provider="off"))
    assert bundled.cache_info().currsize == 0
    assert loading() is None


def test_without_meaning_there_is_no_model():
    assert OnDemand(Choice(provider="off"))() is None
