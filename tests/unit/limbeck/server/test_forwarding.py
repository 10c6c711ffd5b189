"""``limbeck open``: no key of a link stands in what a program is started with, nor on the screen unasked."""

from __future__ import annotations

import json
import secrets
import stat
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from limbeck.commands.open import open_
from limbeck.server import address, entrance, forwarding, owner
from limbeck.server.errors import NoBrowser

URL = "http://127.0.0.1:4100"


@pytest.fixture
def key(tmp_path, monkeypatch) -> str:
    """A home whose server makes links with this key."""
    made = secrets.token_hex(16)
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    (tmp_path / "run").mkdir(mode=0o700)
    address.write(tmp_path / "run", URL)
    owner.write(tmp_path, "token")
    monkeypatch.setattr(entrance, "entrance", lambda url, _token: f"{url}/signin/link?key={made}&x=<1>")
    return made


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """What a browser was told to open."""
    told: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: not told.append(address))
    return told


def pages(home: Path) -> list[Path]:
    return sorted((home / "run").glob("*.html"))


def test_the_browser_is_given_a_file_that_only_its_owner_reads(tmp_path, key, opened, capsys):
    assert open_() == 0
    assert key not in opened[0]
    assert key not in capsys.readouterr().out
    path = Path(unquote(urlsplit(opened[0]).path))
    assert [path] == pages(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"url={URL}/signin/link?key={key}&amp;x=&lt;1&gt;" in path.read_text("utf-8")


def test_the_next_takes_away_the_one_before(tmp_path, key, opened):
    assert (open_(), open_()) == (0, 0)
    assert opened[0] != opened[1]
    assert len(pages(tmp_path)) == 1


def test_without_a_browser_nothing_is_left_and_no_key_is_shown(tmp_path, key, monkeypatch, capsys):
    monkeypatch.setattr(webbrowser, "open", lambda _address: False)
    with pytest.raises(NoBrowser) as caught:
        open_()
    assert key not in capsys.readouterr().out + str(caught.value)
    assert pages(tmp_path) == []


def test_a_link_in_the_way_is_not_written_through(tmp_path, key, monkeypatch):
    target = tmp_path / "target"
    monkeypatch.setattr(secrets, "token_hex", lambda _bytes: "a" * 16)
    monkeypatch.setattr(forwarding, "forget", lambda _run: None)
    (tmp_path / "run" / f"open-{'a' * 16}.html").symlink_to(target)
    with pytest.raises(FileExistsError):
        forwarding.write(tmp_path / "run", URL)
    assert not target.exists()


@pytest.mark.parametrize("options", [{"no_browser": True}, {"as_json": True}])
def test_the_link_is_printed_where_that_is_asked(key, opened, capsys, options):
    assert open_(**options) == 0
    printed = capsys.readouterr().out
    assert key in (json.loads(printed)["url"] if "as_json" in options else printed)
    assert opened == []
