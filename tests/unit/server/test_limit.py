"""What counts as one address, and how many sign-ins from it may fail."""

from __future__ import annotations

import pytest

from server.errors import TooManyFailed
from server.limit import FailureLimit, network


@pytest.fixture(autouse=True)
def stands_still(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("testclient", "testclient", True),
        ("testclient", "another", False),
    ],
)
def test_one_machine_is_one_address(one, other, same):
    assert (network(one) == network(other)) is same


def test_so_many_may_fail_from_one_address_and_others_are_not_held_up():
    limit = FailureLimit(3)
    for _ in range(3):
        limit.check("10.0.0.1")
        limit.failed("10.0.0.1")
    with pytest.raises(TooManyFailed) as told:
        limit.check("10.0.0.1")
    assert 1 <= int(str(told.value.fields["seconds"])) <= 120
    limit.check("10.0.0.2")
    limit.check(None)


def test_looking_is_not_counted():
    limit = FailureLimit(1)
    for _ in range(5):
        limit.check("10.0.0.1")


def test_nought_is_no_limit():
    limit = FailureLimit(0)
    for _ in range(5):
        limit.failed("10.0.0.1")
    limit.check("10.0.0.1")
