"""Addresses hold what is looked at, and lead nowhere else."""

from __future__ import annotations

import pytest

from server.web.addresses import inside, to


def test_an_address_keeps_what_is_asked_and_drops_what_is_not():
    assert (
        to("/facts", {"project": "a b", "kind": "x"}, kind=None, after="c&d")
        == "/facts?project=a%20b&after=c%26d"
    )
    assert to("/facts", {"history": False, "text": ""}) == "/facts"


@pytest.mark.parametrize("address", ["/facts", "/facts?project=a", "/sessions/1#x"])
def test_an_address_of_ours_is_followed(address):
    assert inside(address) == address


@pytest.mark.parametrize(
    "address",
    [None, "", "//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "/a\nb", "facts"],
)
def test_any_other_leads_to_the_first_page(address):
    assert inside(address) == "/now"
