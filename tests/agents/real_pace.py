"""What our hooks cost a real agent: the same session with and without them, in turns, on the same machine.

Nothing here asserts a time: the figures are printed, and docs/hooks.md says what they were.
"""

from __future__ import annotations

import statistics
import time
from itertools import pairwise

import pytest

from tests.agents.claude import Claude
from tests.agents.real_codex import Codex, shell
from tests.agents.script import Call

CALLS = 20
ROUNDS = 4


@pytest.fixture
def tell(pytestconfig, capfd):
    """Write a line where the person sees it who runs the tests."""
    reporter = pytestconfig.pluginmanager.getplugin("terminalreporter")

    def write(said):
        with capfd.disabled():
            reporter.write_line(f"\n{said}")

    return write


def paced(server, session):
    """Run a session; return how long it took, and the time from each answer of the model to the next question."""
    server.asked.clear()
    server.times.clear()
    began = time.monotonic()
    session()
    whole = time.monotonic() - began
    asked = [at for at, one in zip(server.times, server.asked, strict=True) if one.get("tools")]
    gaps = [later - sooner for sooner, later in pairwise(asked)]
    assert len(gaps) == CALLS
    return whole, gaps


def compared(name, server, with_hooks, without):
    """Run both sessions in turns, the first of each for warming up; return a line that says what came out."""
    taken = {"with": ([], []), "without": ([], [])}
    for round_ in range(ROUNDS + 1):
        order = [("with", with_hooks), ("without", without)]
        for kind, session in order if round_ % 2 else reversed(order):
            whole, gaps = paced(server, session)
            if round_:
                taken[kind][0].append(whole)
                taken[kind][1].extend(gaps)
    calls = {kind: statistics.median(gaps) * 1000 for kind, (_, gaps) in taken.items()}
    tails = {kind: statistics.quantiles(gaps, n=20)[-1] * 1000 for kind, (_, gaps) in taken.items()}
    wholes = {kind: statistics.median(whole) for kind, (whole, _) in taken.items()}
    return (
        f"{name}, {ROUNDS} sessions of {CALLS} calls each way: a call {calls['with']:.0f} ms with hooks, "
        f"{calls['without']:.0f} ms without ({calls['with'] - calls['without']:+.0f} ms, "
        f"{calls['with'] / calls['without']:.2f}x; p95 {tails['with']:.0f} and {tails['without']:.0f} ms); "
        f"a session {wholes['with']:.2f} s and {wholes['without']:.2f} s ({wholes['with'] / wholes['without']:.2f}x)"
    )


def test_claude_is_not_felt_to_be_slower(machine, tell):
    read = Call("Read", {"file_path": str(machine.project / "app.py")})
    claude = Claude(machine, {"Read it": [[read]] * CALLS})
    other = machine.user.with_name("other")
    other.mkdir()
    plain = claude.environment | {"HOME": str(other)}
    command = claude.command("Read it")
    said = compared(
        "Claude Code",
        claude.server,
        lambda: machine.run(command, claude.environment),
        lambda: machine.run(command, plain),
    )
    tell(said)
    machine.ended(ROUNDS + 1)
    (row,) = machine.rows("SELECT sum(count) AS calls FROM observations")
    assert row["calls"] == CALLS * (ROUNDS + 1)


def test_codex_is_not_felt_to_be_slower(machine, tell):
    codex = Codex(machine, {"Do it": [[shell("echo once")]] * CALLS})
    other = machine.user.with_name("other")
    (other / ".codex").mkdir(parents=True)
    settings = codex.before.replace(str(machine.user), str(other))
    (other / ".codex" / "config.toml").write_text(settings)
    plain = codex.environment | {"HOME": str(other)}
    command = codex.command("Do it")
    said = compared(
        "Codex",
        codex.server,
        lambda: machine.run(command, codex.environment),
        lambda: machine.run(command, plain),
    )
    tell(said)
    machine.ended(ROUNDS + 1)
    (row,) = machine.rows("SELECT sum(count) AS calls FROM observations")
    assert row["calls"] == CALLS * (ROUNDS + 1)
