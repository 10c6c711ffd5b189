"""The shipper as a service of the person's own session, for machines that only capture and send elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

LABEL = "dev.limbeck.ship"
UNIT = "limbeck-ship.service"


def service_file(home: Path, environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return where the service's file belongs: launchd's folder on macOS, else systemd's user folder."""
    if platform == "darwin":
        return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    config = environment.get("XDG_CONFIG_HOME") or str(home / ".config")
    return Path(config) / "systemd" / "user" / UNIT


def service_text(command: list[str], limbeck_home: Path, platform: str = sys.platform) -> str:
    """Return the service's file: runs ``command`` with LIMBECK_HOME set and starts it again when it ends."""
    if platform == "darwin":
        words = "".join(f"    <string>{escape(word)}</string>\n" for word in command)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
            '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
            '<plist version="1.0">\n<dict>\n'
            f"  <key>Label</key><string>{LABEL}</string>\n"
            f"  <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n"
            "  <key>EnvironmentVariables</key>\n"
            f"  <dict><key>LIMBECK_HOME</key><string>{escape(str(limbeck_home))}</string></dict>\n"
            "  <key>RunAtLoad</key><true/>\n  <key>KeepAlive</key><true/>\n</dict>\n</plist>\n"
        )
    return (
        "[Unit]\nDescription=Limbeck: ships what hooks spooled\n\n[Service]\n"
        f"Environment={_quoted(f'LIMBECK_HOME={limbeck_home}')}\n"
        f"ExecStart={' '.join(_quoted(word) for word in command)}\n"
        "Restart=always\nRestartSec=5\n\n[Install]\nWantedBy=default.target\n"
    )


def start_hint(path: Path, platform: str = sys.platform) -> str:
    """Return what the person runs to start the service."""
    if platform == "darwin":
        return f"Start it with: launchctl load -w '{path}'"
    return f"Start it with: systemctl --user daemon-reload && systemctl --user enable --now {UNIT}"


def _quoted(word: str) -> str:
    """A word of a unit file, with its own escapes: percent for specifiers, dollar for variables."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'
