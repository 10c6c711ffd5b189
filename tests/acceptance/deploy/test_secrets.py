"""deploy/secrets.sh: private files, kept passwords, never root."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.composed import ROOT

NAMES = {
    *("postgres_password", "owner_password", "app_password", "queue_password"),
    *("database_owner_url", "database_url", "redis_url"),
}


@pytest.fixture
def make(tmp_path):
    def run():
        command = ["sh", str(ROOT / "deploy" / "secrets.sh"), str(tmp_path / "a b"), str(tmp_path / "env")]
        subprocess.run(command, capture_output=True, text=True, umask=0o000, check=True)
        return {path.name: path.read_text() for path in (tmp_path / "a b").iterdir()}

    return run


def test_all_is_there_and_private(make, tmp_path):
    made = make()
    assert made.keys() == NAMES
    assert (tmp_path / "a b").stat().st_mode & 0o777 == 0o700
    assert {(tmp_path / "a b" / name).stat().st_mode & 0o777 for name in NAMES} == {0o600}
    passwords = {value for name, value in made.items() if name.endswith("password")}
    assert {len(value) for value in passwords} == {48}
    assert len(passwords) == 4


def test_the_urls_hold_the_passwords(make):
    made = make()
    assert made["database_url"] == f"postgresql://limbeck_app:{made['app_password']}@postgres:5432/limbeck"
    assert (
        made["database_owner_url"] == f"postgresql://limbeck:{made['owner_password']}@postgres:5432/limbeck"
    )
    assert made["redis_url"] == f"redis://:{made['queue_password']}@queue:6379/0"


def test_a_second_run_keeps_everything(make, tmp_path):
    (tmp_path / "env").write_text("LIMBECK_CLIENT=team\n")
    first = make()
    env = (tmp_path / "env").read_text()
    assert make() == first
    assert (tmp_path / "env").read_text() == env
    assert env.startswith("LIMBECK_CLIENT=team\nLIMBECK_UID=")


def test_one_deleted_password_is_made_anew_with_its_url(make, tmp_path):
    first = make()
    (tmp_path / "a b" / "app_password").unlink()
    second = make()
    changed = {name for name in NAMES if first[name] != second[name]}
    assert changed == {"app_password", "database_url"}


def test_the_containers_never_run_as_root(make, tmp_path):
    make()
    found = dict(line.split("=") for line in (tmp_path / "env").read_text().splitlines())
    owner = (tmp_path / "a b" / "app_password").stat()
    assert (int(found["LIMBECK_UID"]), int(found["LIMBECK_GID"])) == (owner.st_uid, owner.st_gid)
    assert owner.st_uid == (os.getuid() or 10001)
