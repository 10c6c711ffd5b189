"""The briefs of a home follow what the server says, whoever takes files away meanwhile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capture.brief import file_name
from limbeck.server.connections import Connections, Unreachable
from limbeck.ship.briefs import Briefs


class Server:
    """Answers as the server does: only what the caller does not know yet."""

    def __init__(self) -> None:
        self.projects: dict[str, dict[str, Any]] = {}
        self.status = 200

    def have(self, project: str, text: str, stamp: str, keys: list[str] | None = None) -> None:
        keys = keys or [f"remote:{project}"]
        brief = f"b{stamp}" if text else ""
        self.projects[project] = {
            "project": project,
            "stamp": stamp,
            "keys": keys,
            "brief": brief,
            "fenced": text,
        }

    def post(self, body: bytes) -> tuple[int, bytes]:
        known = json.loads(body)["known"]
        news = [one for name, one in self.projects.items() if known.get(name) != one["stamp"]]
        return self.status, json.dumps({"briefs": news, "projects": list(self.projects)}).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(Connections, "post", lambda _self, body, _headers=None: made.post(body))
    return made


@pytest.fixture
def briefs(tmp_path):
    return Briefs(tmp_path, lambda: ("http://127.0.0.1:1", "lbk_x"))


def texts(home) -> dict[str, str]:
    return {path.name: path.read_text().split("\n", 2)[2] for path in (home / "briefs").glob("*")}


def test_a_brief_is_written_once_and_again_when_it_changed(server, briefs, tmp_path):
    server.have("shop", "one", "1")
    assert briefs.look() == 1
    assert briefs.look() == 0
    server.have("shop", "two", "2")
    assert briefs.look() == 1
    assert texts(tmp_path) == {file_name("remote:shop"): "two"}


def test_a_project_that_is_gone_or_knows_nothing_has_no_file(server, briefs, tmp_path):
    server.have("shop", "one", "1")
    server.have("web", "one", "1")
    briefs.look()
    server.have("shop", "", "2")
    del server.projects["web"]
    briefs.look()
    assert texts(tmp_path) == {}


def test_a_key_that_leads_elsewhere_now_is_no_key_any_more(server, briefs, tmp_path):
    server.have("shop", "one", "1", ["id:x", "remote:shop"])
    briefs.look()
    server.have("shop", "one", "2", ["remote:shop"])
    briefs.look()
    assert list(texts(tmp_path)) == [file_name("remote:shop")]


def test_what_somebody_took_away_comes_again_for_every_project(server, briefs, tmp_path):
    server.have("shop", "one", "1")
    server.have("web", "two", "1")
    briefs.look()
    for path in (tmp_path / "briefs").glob("*"):
        path.unlink()
    briefs.look()
    assert texts(tmp_path) == {file_name("remote:shop"): "one", file_name("remote:web"): "two"}


def test_what_an_earlier_run_left_is_swept(server, briefs, tmp_path):
    (tmp_path / "briefs").mkdir()
    (tmp_path / "briefs" / "remote_3aold").write_text("remote:old\nb\nold")
    server.have("shop", "one", "1")
    briefs.look()
    assert list(texts(tmp_path)) == [file_name("remote:shop")]


def test_a_server_that_refuses_changes_nothing(server, briefs, tmp_path):
    server.have("shop", "one", "1")
    briefs.look()
    server.status = 503
    with pytest.raises(Unreachable):
        briefs.look()
    assert list(texts(tmp_path)) == [file_name("remote:shop")]
