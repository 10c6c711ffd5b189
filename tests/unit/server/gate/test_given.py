"""How a request's values are read."""

from __future__ import annotations

import json

import anyio
import pytest
from starlette.requests import Request

from server.errors import InvalidInput
from server.operations import ALL
from server.rest import given as reading

LISTING = next(one for one in ALL if one.name == "getMemory")
SAVING = next(one for one in ALL if one.name == "postMemory")


def request(query=b"", body=b""):
    async def receive():
        return {"type": "http.request", "body": body}

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "query_string": query, "headers": headers, "path": "/", "path_params": {}}
    return Request(scope, receive)


def read(operation, **given):
    return anyio.run(reading.given, request(**given), operation)


def test_an_operations_schema_is_made_once(monkeypatch):
    made = []
    real = LISTING.input.model_json_schema.__func__

    def counted(cls, **how):
        made.append(cls)
        return real(cls, **how)

    monkeypatch.setattr(LISTING.input, "model_json_schema", classmethod(counted))
    reading._several.cache_clear()
    assert [read(LISTING, query=b"limit=3") for _ in range(3)] == [{"limit": "3"}] * 3
    assert len(made) == 1


def test_a_long_body_is_read_beside_the_loop(monkeypatch):
    beside = []
    real = reading.to_thread.run_sync

    async def run_sync(function, *arguments):
        beside.append(function)
        return await real(function, *arguments)

    monkeypatch.setattr(reading.to_thread, "run_sync", run_sync)
    short = {"content": "x"}
    long = {"content": "x" * reading.LARGE}
    assert read(SAVING, body=json.dumps(short).encode()) == short
    assert beside == []
    assert read(SAVING, body=json.dumps(long).encode()) == long
    assert beside == [reading.from_body]
    with pytest.raises(InvalidInput, match="not JSON"):
        read(SAVING, body=b"[" * (reading.LARGE + 1))
