"""What nobody's browser sends: refused with a page and at most one line in the log, never an error of ours."""

from __future__ import annotations

import logging

import pytest

from .conftest import OURS

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PARTS = {"Content-Type": "multipart/form-data; boundary=x"}
DOORS = ("/signin", "/signin/link", "/signout", "/theme", "/memories", "/forget")
BROKEN = {
    "many fields": (FORM, b"a=&" * 6_000),
    "parts": (PARTS, b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'),
    "no end": (PARTS, b"--x\r\nContent-Disp"),
    "no boundary": ({"Content-Type": "multipart/form-data"}, b"\x00\xff"),
    "no kind": ({"Content-Type": "\u00b2".encode("latin-1")}, b"a=1"),
}


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_form_that_cannot_be_read_is_refused_in_one_line(world, caplog, path, name):
    headers, body = BROKEN[name]
    with caplog.at_level(logging.WARNING, logger="limbeck"):
        answer = world.stranger().client.post(path, content=body, headers={"Origin": OURS} | headers)
    assert answer.status_code == 400, answer.text
    told = [one for one in caplog.records if one.name.startswith("limbeck")]
    assert len(told) == 1
    assert told[0].exc_info is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": b"127.0.0.1:\xb2", "Origin": OURS},
        {"Host": b"127.0.0.1:\xb2"},
        {"Host": "[::1", "Origin": OURS},
        {"Content-Length": b"\xb2"},
        {"Origin": "http://[::1"},
        {"Origin": b"http://127.0.0.1:\xb2"},
        {"Origin": "http://127.0.0.1:99999999"},
        {"Cookie": b'limbeck_visit="\xff\\777'},
        {"Cookie": "limbeck_visit=;;=;limbeck_visit"},
        {"Authorization": b"Bearer \xff"},
        {"Accept-Encoding": b"\xff"},
        {"Sec-Purpose": b"\xff;"},
    ],
)
@pytest.mark.parametrize("path", ["/signin", "/now", "/healthz", "/v1/projects", "/static/x/y"])
def test_no_header_breaks_a_page(world, path, headers):
    assert world.stranger().client.get(path, headers=headers).status_code < 500


@pytest.mark.parametrize(
    "odd", ["%00", "%FF", "%C2%B2", "%0A", "%E2%80%AE", "%2e%2e%2f", "%25%30%30", "9" * 5_000]
)
def test_no_address_breaks_a_page(world, ada, odd):
    for path in ("/sessions/{}", "/backlog/{}", "/facts/{}", "/static/{}/{}", "/documents/{}", "/{}"):
        for browser in (world.stranger(), ada):
            assert browser.client.get(path.replace("{}", odd)).status_code < 500, path
    for path in (
        "/now",
        "/sessions",
        "/trace",
        "/facts",
        "/code",
        "/memories",
        "/backlog",
        "/documents",
        "/signin",
    ):
        for name in (
            "page",
            "since",
            "days",
            "q",
            "text",
            "project",
            "next",
            "key",
            "cursor",
            "state",
            "limit",
        ):
            assert ada.client.get(f"{path}?{name}={odd}").status_code < 500, (path, name)


@pytest.mark.parametrize("odd", ["\u00b2", "9" * 5_000, "-1", "\u0663", "1e3"])
def test_no_number_of_a_form_breaks_a_page(ada, odd):
    mark = ada.get("/settings").mark
    for path, fields in (
        ("/settings/tokens", {"name": "a", "user": "b", "right": "read", "days": odd}),
        ("/backlog/US1001", {"version": odd, "title": "x"}),
        ("/backlog/drafts", {"version": odd, "draft": "x", "decision": "approve"}),
    ):
        answer = ada.client.post(path, data={"mark": mark} | fields, headers={"Origin": OURS})
        assert answer.status_code < 500, path
