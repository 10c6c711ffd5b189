"""From when on a change holds: what is said is what the supervisor does with it."""

from __future__ import annotations

import secrets

import pytest

from limbeck.configure.change import change
from limbeck.configure.holding import HELD, LATER, STOPPED, given, held, holding
from limbeck.configure.meanings import MEANINGS
from limbeck.services.child import Identity
from limbeck.services.state import Phase, State
from limbeck.settings import load


@pytest.fixture
def kept(tmp_path):
    """A home whose supervisor began with a cap in the file and a model in its environment."""
    (tmp_path / "config.toml").write_text("daily_usd = 2\n")
    (tmp_path / "config.toml").chmod(0o600)
    return tmp_path


@pytest.fixture
def state(kept):
    began = load({"LIMBECK_HOME": str(kept), "LIMBECK_MODEL": "one", "LIMBECK_TOKEN": secrets.token_hex(8)})
    return State(Identity.own(), Phase.READY, held=held(began), given=given(began))


def changed(home, state, *pairs):
    """Change one after the other as a shell without any variable does, and return what is said of the last."""
    for name, text in pairs:
        settings = change(home, {name: text}, {})
    return holding([pairs[-1][0]], settings, state)


def test_what_running_parts_take_is_named(kept, state):
    told = changed(kept, state, ("daily_usd", "3"))
    assert told.says == "What runs takes it within seconds: distiller, worker."
    assert (told.parts, told.waits) == (("distiller", "worker"), ())


def test_what_only_a_start_takes_waits_for_it(kept, state):
    told = changed(kept, state, ("client", "other"))
    assert (told.says, told.parts, told.waits, told.later) == (LATER, (), (), True)


def test_an_earlier_change_that_waits_holds_it_back(kept, state):
    told = changed(kept, state, ("client", "other"), ("daily_usd", "3"))
    assert told.says == "It waits with client, changed before, for `limbeck down` and `limbeck up`."
    assert (told.parts, told.waits) == ((), ("client",))


def test_once_the_earlier_one_is_taken_back_nothing_waits(kept, state):
    told = changed(kept, state, ("client", "other"), ("client", None))
    assert told.says == HELD
    assert changed(kept, state, ("daily_usd", "3")).parts == ("distiller", "worker")


def test_a_variable_that_up_was_given_wins(kept, state):
    told = changed(kept, state, ("model", "two"))
    assert told.says.startswith("LIMBECK_MODEL was given to `limbeck up` and wins in what runs")
    assert told.parts == ()
    told = changed(kept, state, ("token", secrets.token_hex(8)), ("daily_usd", "3"))
    assert told.parts == ("distiller", "worker")  # what waits is no change to what runs


def test_several_at_once_say_what_is_true_of_each(kept, state):
    settings = change(kept, {"model": "two", "daily_usd": "3"}, {})
    told = holding(["model", "daily_usd"], settings, state)
    assert "LIMBECK_MODEL was given" in told.says
    assert told.says.endswith("What runs takes it within seconds: distiller, worker.")


@pytest.mark.parametrize(
    "last", [None, State(Identity(1, 1.0), Phase.READY), State(Identity.own(), Phase.STOPPING)]
)
def test_where_nothing_runs_it_holds_from_the_next_start(kept, last):
    assert changed(kept, last, ("daily_usd", "3")).says == STOPPED


def test_what_a_supervisor_of_before_did_not_tell_is_not_taken_for_a_change(kept):
    assert changed(kept, State(Identity.own(), Phase.READY), ("daily_usd", "3")).waits == ()


def test_marks_are_of_what_waits_alone_and_hold_no_value(kept):
    secret = secrets.token_hex(16)
    marks = held(load({"LIMBECK_HOME": str(kept), "LIMBECK_TOKEN": secret}))
    assert set(marks) == {name for name, meaning in MEANINGS.items() if not meaning.parts}
    assert secret not in str(marks)
