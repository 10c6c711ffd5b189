"""TypeIDs: the length, the alphabet, the order, and nothing else taken for one."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.ids import new_id
from server.memory.typeid import ALPHABET, CONTEXT, MEMORY, decode, encode

UUIDS = st.integers(0, 2**128 - 1).map(lambda number: str(UUID(int=number)))


@given(UUIDS)
def test_there_and_back(identifier):
    assert decode(MEMORY, encode(MEMORY, identifier)) == identifier


@given(UUIDS)
def test_length_and_alphabet(identifier):
    memory, context = encode(MEMORY, identifier), encode(CONTEXT, identifier)
    assert (len(memory), len(context)) == (30, 31)
    assert re.fullmatch("mem_[0-7][0-9a-hj-km-np-tv-z]{25}", memory)
    assert re.fullmatch("mctx_[0-7][0-9a-hj-km-np-tv-z]{25}", context)


@given(UUIDS, UUIDS)
def test_they_sort_as_the_uuids_do(one, other):
    assert (encode(MEMORY, one) < encode(MEMORY, other)) == (one < other)


@given(st.text(max_size=40) | st.text(alphabet=ALPHABET + "_", min_size=24, max_size=32))
def test_what_is_decoded_is_what_would_be_encoded(text):
    found = decode(MEMORY, f"mem_{text}")
    assert found is None or encode(MEMORY, found) == f"mem_{text}"


def test_known_values():
    # 2**128 - 1 in base 32: 128 bits are 25 letters of five bits and three bits before them
    assert encode("mem", UUID(int=2**128 - 1)) == "mem_7" + "z" * 25
    assert encode("mem", UUID(int=0)) == "mem_" + "0" * 26
    assert encode("mem", UUID(int=33)) == "mem_" + "0" * 24 + "11"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "mem_",
        "mctx_" + "0" * 26,
        "mem_8" + "0" * 25,
        "mem_" + "0" * 25,
        "mem_" + "0" * 27,
        "mem_" + "0" * 25 + "i",
        "MEM_" + "0" * 26,
        "mem_" + "0" * 25 + "A",
        "mem_" + "٠" * 26,
        "x_mem_" + "0" * 26,
        "0" * 26,
    ],
)
def test_anything_else_is_none(typed):
    assert decode(MEMORY, typed) is None


def test_later_ids_sort_later():
    assert encode(MEMORY, new_id(1_000)) < encode(MEMORY, new_id(1_001))
