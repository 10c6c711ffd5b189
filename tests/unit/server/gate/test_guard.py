"""Which host a header names."""

from __future__ import annotations

import pytest

from server.guard import host_of, port_of


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8741", "localhost"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]:8741", "[::1]"),
        ("[::1]", "[::1]"),
        ("localhost:", "localhost:"),
        ("localhost:8741@evil.example", "localhost:8741@evil.example"),
        ("evil.example:80:8741", "evil.example:80"),
        ("", ""),
    ],
)
def test_the_host_of_an_address(address, host):
    assert host_of(address) == host


@pytest.mark.parametrize(
    ("address", "port"),
    [("localhost", None), ("localhost:8741", 8741), ("[::1]", None), ("[::1]:8741", 8741), ("", None)],
)
def test_the_port_of_an_address(address, port):
    assert port_of(address) == port
