"""``limbeck status``: what runs, and what became of every captured event."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape

from capture.brief import OFF
from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.server import address
from limbeck.server.alive import trouble
from limbeck.services import state as states
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.services.server import SERVER
from limbeck.services.state import State
from limbeck.services.waiting import events
from limbeck.settings import Settings, load
from limbeck.ship.files import backlog
from limbeck.show import counted, say
from limbeck.unread import unread_at
from limbeck.visible import visible
from schema.errors import LimbeckError


def status(as_json: AsJson = False) -> int:
    """Show what runs and since when, the counts, the age of what waits, the workers and the secrets caught.

    Exit code 1 where limbeck does not run or a queue stands still.
    """
    settings = load()
    home = Home.at(settings.home)
    report = _report(settings, home)
    if as_json:
        print_json(report)
    else:
        _show(report)
    return 1 if report["problems"] else 0


def _report(settings: Settings, home: Home) -> dict[str, Any]:
    state = states.read(home.run)
    runs = _runs(state)
    report: dict[str, Any] = {"home": str(home.path), "client": settings.client, **runs, "problems": []}
    report["server"] = address.read(home.run) if runs["running"] else None
    report["retention"] = {"days": settings.retain_days, "audit_days": settings.retain_audit_days}
    report["ignore_file"] = unread_at()
    report["memory"] = "off" if (home.path / OFF).exists() else "on"
    waiting = backlog(home.spool, time.time())
    report["spool"] = asdict(waiting) | {"events": events(home.spool)}
    if home.account is not None:
        report |= {"account": home.account.name, "servers": str(home.state)}
    if not runs["running"] and (settings.embedded_database or settings.embedded_redis):
        why = f" ({state.error})" if state is not None and state.error else ""
        report["problems"] = [f"limbeck is not running{why}; run `limbeck up`."]
        return report
    from limbeck.services.health import measure, problems
    from limbeck.services.signs import SILENT_AFTER_S

    try:
        health = measure(settings.client, addresses(settings, home), home.spool)
    except LimbeckError as error:
        report["problems"] = [str(error)]
        return report
    report |= asdict(health)
    report["counts"]["agree"] = health.counts.agree
    if settings.anthropic_api_key and settings.distiller != "offline":
        report["spend"] = _spend(settings, home)
    young = state is not None and state.young(time.time(), SILENT_AFTER_S)
    report["problems"] = problems(health, young=young)
    if report["server"] and (silence := trouble(report["server"])):
        report["problems"].append(f"The server at {report['server']} does not answer: {silence}.")
    report["problems"] += [
        f"{n} is down: {p['error'] or 'it ended'}" for n, p in runs["parts"].items() if not p["running"]
    ]
    return report


def _spend(settings: Settings, home: Home) -> dict[str, Any]:
    """What the model cost today against its daily cap, and what happens to sessions at the cap."""
    from distill.spend import MICRO
    from distill.store.spend import spent_on
    from schema.database import Database

    database = Database(addresses(settings, home).database_url, pooled=False)
    try:
        with database.tenant(settings.client) as connection:
            spent = spent_on(connection, settings.client, datetime.now(UTC).date()) / MICRO
    finally:
        database.close()
    reached = spent >= settings.daily_usd
    return {"today_usd": spent, "cap_usd": settings.daily_usd, "reached": reached, "at_cap": settings.at_cap}


def _runs(state: State | None) -> dict[str, Any]:
    """The supervisor and its children, each looked at now: a state file may have outlived them."""
    if state is None:
        return {"running": False, "phase": "down", "since": None, "supervisor": None, "parts": {}}
    alive = state.alive
    parts = {}
    for name, child in state.children.items():
        process = child.identity.process() if child.identity else None
        parts[name] = {
            "running": process is not None,
            "pid": process.pid if process else None,
            "since": _moment(child.identity.started) if process and child.identity else None,
            "restarts": child.restarts,
            "error": child.error,
        }
    return {
        "running": alive,
        "phase": str(state.phase) if alive else "down",
        "since": _moment(state.since) if alive else None,
        "supervisor": state.supervisor.pid if alive else None,
        "parts": parts,
        "full": state.full,
        "warnings": state.warnings,
    }


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _show(report: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"home    {report['home']}", markup=False)
    if "account" in report:
        console.print(f"servers {report['servers']}, run as {report['account']}", markup=False)
    since = report["since"]
    console.print(f"state   {report['phase']}{f', {_since(since)}' if since else ''}")
    for name, part in report["parts"].items():
        what = f"pid {part['pid']}, {_since(part['since'])}" if part["running"] else "not running"
        times = {0: "", 1: ", started again once"}
        again = times.get(part["restarts"], f", started again {part['restarts']} times")
        where = f", {report['server']}" if name == SERVER and report["server"] else ""
        console.print(f"        {name}: {what}{again}{where}")
    if report["memory"] == "off":
        console.print("memory  off on this device: agents get no tools and no brief (`limbeck memory on`)")
    if "counts" in report:
        _show_counts(console, report)
    else:
        _show_spool(report["spool"])
    _show_kept(report["spool"])
    if spend := report.get("spend"):
        then = {"offline": "sessions are distilled offline", "wait": "sessions wait"}[spend["at_cap"]]
        reached = f"; the cap is reached, so {then}" if spend["reached"] else ""
        console.print(f"model   ${spend['today_usd']:.2f} today of ${spend['cap_usd']:.2f}{reached}")
    console.print(f"kept    {_retention(**report['retention'])}")
    for warning in [*report.get("warnings", []), *filter(None, [report["ignore_file"]])]:
        console.print(f"note    {warning}", markup=False)
    for problem in report["problems"]:
        console.print(f"[bold red]problem[/] {escape(visible(problem))}")


def _retention(days: int, audit_days: int) -> str:
    """How long what is kept stays."""
    evidence = (
        f"evidence for {counted(days, 'day')}, in whole months" if days else "evidence until `limbeck retain`"
    )
    audit = f"the audit log for {counted(audit_days, 'day')}" if audit_days else "the audit log for good"
    return f"{evidence}; {audit}"


def _show_spool(spool: dict[str, Any]) -> None:
    """What hooks kept on disk meanwhile, where the servers cannot be asked for the rest."""
    if spool["events"]:
        wait = "waits" if spool["events"] == 1 else "wait"
        print(
            f"spool   {counted(spool['events'], 'event')} {wait}, the oldest for {_age(spool['oldest_seconds'])}"
        )
    else:
        print("spool   nothing waits")
    if spool["refused"]:
        print(f"        {counted(spool['refused'], 'event')} refused")


def _show_kept(spool: dict[str, Any]) -> None:
    """What the shipper could not send or run, and keeps."""
    if spool["torn"] or spool["torn_bytes"]:
        kept = f"{spool['torn_bytes']:,} bytes of them are kept in torn.jsonl"
        print(f"spool   {counted(spool['torn'], 'torn line')}; {kept}")
    if spool["aside"]:
        print(f"spool   {counted(spool['aside'], 'errand')} set aside; see the log")


def _show_counts(console: Console, report: dict[str, Any]) -> None:
    names = ("received", "stored", "merged", "redelivered", "quarantined", "pending", "spooled", "refused")
    counts = [str(report["counts"][name]) for name in names]
    widths = [max(map(len, pair)) for pair in zip(names, counts, strict=True)]
    for row in (names, counts):
        print(" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    for label, name in (
        ("oldest event waits", "oldest_pending"),
        ("oldest spooled event waits", "oldest_spooled"),
        ("oldest undistilled session waits", "oldest_undistilled"),
    ):
        if report[name] is not None:
            console.print(f"{label} {_age(report[name])}")
    for name, silence in report["workers"].items():
        say(f"worker {name}: last sign of life {silence:.0f} s ago")
    if report["secrets"]:
        caught = ", ".join(f"{rule} {hits}" for rule, hits in report["secrets"].items())
        say(f"secrets caught: {caught}")


def _since(at: datetime) -> str:
    return _age(time.time() - at.timestamp())


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(0, seconds):.0f} s"
