"""The doctor follows real hooks through a real queue to a real database."""

from __future__ import annotations

import json
import os
from pathlib import Path

AGENTS = ["claude", "codex", "gemini", "git"]


def examine(cli, project):
    code, output, errors = cli("doctor", "--json", "--project", str(project))
    report = json.loads(output)
    assert code == int(report["broken"]), errors
    return report["findings"]


def of(findings, check):
    return [finding for finding in findings if finding["check"] == check]


def trust_codex():
    """What pressing t in Codex's /hooks writes."""
    from limbeck.doctor.sightings import look
    from limbeck.doctor.trust import definition_hash, state_key
    from limbeck.install.places import Scope
    from limbeck.install.record import Record

    home = Path(os.environ["HOME"])
    place = next(p for p in look(Scope(home, {}), Record()).places if p.agent == "codex")
    lines = [
        f'[hooks.state."{state_key(place, h)}"]\ntrusted_hash = "{definition_hash(h)}"\n' for h in place.hooks
    ]
    (home / ".codex" / "config.toml").write_text("\n".join(lines))


def test_every_hook_is_followed_and_every_trouble_is_named(cli, repository):
    cli.ok("install", *AGENTS[:3])
    cli.ok("install", "git", "--project", str(repository.path))
    down = examine(cli, repository.path)
    assert [finding["level"] for finding in of(down, "queue")] == ["broken"]
    assert "limbeck up" in of(down, "hook")[0]["do"]
    assert [finding["level"] for finding in of(down, "trust")] == ["broken"]
    trust_codex()
    cli.ok("up")
    up = examine(cli, repository.path)
    assert [f for f in up if f["level"] != "ok"] == []
    assert [finding["what"].split(":")[0] for finding in of(up, "hook")] == AGENTS
    outside = repository.path.parent / "no-repository"
    outside.mkdir()
    assert [f for f in of(examine(cli, outside), "hook") if f["level"] != "ok"] == []
    (cli.home.path / "hooks" / "limbeck-hook.py").unlink()
    sick = examine(cli, repository.path)
    assert {finding["level"] for finding in of(sick, "interpreter")} == {"broken"}
    assert all(finding["do"] for finding in sick if finding["level"] != "ok")
