from __future__ import annotations

import plistlib
from pathlib import Path

from limbeck.install.service import service_file, service_text, start_hint

COMMAND = ["/opt/my python/bin/python3", "-c", 'print("50%", $x)', "ship"]
HOME = Path("/home/u/lim beck")


def test_systemd_reads_the_words_back():
    text = service_text(COMMAND, HOME, "linux")
    assert 'Environment="LIMBECK_HOME=/home/u/lim beck"' in text.splitlines()
    expected = r'ExecStart="/opt/my python/bin/python3" "-c" "print(\"50%%\", $$x)" "ship"'
    assert expected in text.splitlines()


def test_launchd_reads_the_words_back():
    read = plistlib.loads(service_text(COMMAND, HOME, "darwin").encode())
    assert read["ProgramArguments"] == COMMAND
    assert read["EnvironmentVariables"] == {"LIMBECK_HOME": str(HOME)}
    assert read["KeepAlive"] is True


def test_each_system_has_its_folder():
    home = Path("/home/u")
    assert str(service_file(home, {}, "linux")) == "/home/u/.config/systemd/user/limbeck-ship.service"
    assert (
        str(service_file(home, {"XDG_CONFIG_HOME": "/c"}, "linux")) == "/c/systemd/user/limbeck-ship.service"
    )
    assert str(service_file(home, {}, "darwin")) == "/home/u/Library/LaunchAgents/dev.limbeck.ship.plist"


def test_the_person_is_told_how_to_start_it():
    assert "systemctl --user" in start_hint(Path("/x"), "linux")
    assert "launchctl" in start_hint(Path("/x"), "darwin")
