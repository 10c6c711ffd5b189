"""A page that fails in a way nobody foresaw: told under a reference, and logged without anybody's words."""

from __future__ import annotations

from types import SimpleNamespace

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from server.web import endpoint
from server.web.endpoint import Site

ROW = "DETAIL: Failing row contains (zanzibar)"


def test_the_log_of_a_page_that_failed_repeats_nothing_that_was_stored(monkeypatch, caplog):
    def handler(_look):
        raise RuntimeError(ROW)

    monkeypatch.setattr(endpoint, "_told", lambda _look, error: PlainTextResponse(str(error), 500))
    door = SimpleNamespace(who=lambda _cookie: (SimpleNamespace(), SimpleNamespace()))
    site = Site(SimpleNamespace(), door, CapacityLimiter(1))
    scope = {"type": "http", "method": "GET", "path": "/facts", "query_string": b"", "headers": []}
    scope |= {"scheme": "http", "server": ("127.0.0.1", 80)}
    answer = site._answer(Request(scope), handler, {}, False)
    assert answer.status_code == 500
    assert "zanzibar" not in answer.body.decode() + caplog.text
    assert "RuntimeError" in caplog.text
    assert "in handler" in caplog.text
