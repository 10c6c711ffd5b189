"""Which of two servers of one home tells where it listens."""

from __future__ import annotations

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from limbeck.server import address
from limbeck.server.holding import Holding

OURS = "http://127.0.0.1:1"
NOBODY = 2**22 + 1  # above every process id that Linux gives


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_words):
        pass


@pytest.fixture
def another():
    """The address of a server that answers."""
    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def say(run, url, pid):
    (run / address.NAME).write_text(json.dumps({"url": url, "pid": pid}))


def test_one_alone_tells_it_and_takes_it_back(tmp_path):
    ours = Holding(tmp_path, OURS, kept=False)
    assert ours.look()
    assert address.read(tmp_path) == OURS
    assert not ours.look()
    ours.end()
    assert address.read(tmp_path) is None


@pytest.mark.parametrize("kept", [True, False])
def test_what_nobody_answers_for_is_replaced(tmp_path, another, kept):
    for url, pid in ((another, NOBODY), ("http://127.0.0.1:9", os.getppid())):
        say(tmp_path, url, pid)
        assert Holding(tmp_path, OURS, kept=kept).look()
        assert address.read(tmp_path) == OURS


def test_one_beside_another_that_lives_leaves_its_address(tmp_path, another):
    say(tmp_path, another, os.getppid())
    ours = Holding(tmp_path, OURS, kept=False)
    assert not ours.look()
    ours.end()
    assert address.read(tmp_path) == another


def test_the_one_of_up_comes_first(tmp_path, another):
    say(tmp_path, another, os.getppid())
    ours = Holding(tmp_path, OURS, kept=True)
    assert ours.look()
    assert address.read(tmp_path) == OURS
    (tmp_path / address.NAME).unlink()
    assert ours.look()
    assert address.read(tmp_path) == OURS
