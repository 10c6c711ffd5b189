"""Time is bounded and its end closes the field, on the main thread and off it."""

import gc
import signal
import threading

import pytest

from capture.redact import Deadline, engine, redact
from capture.redact.deadline import DeadlinePassed


@pytest.fixture
def collections():
    """The collections that begin while a test runs, each of them due after a single allocation."""
    begun: list[str] = []

    def note(phase, _info):
        begun.append(phase)

    before = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(1)
    yield begun
    gc.set_threshold(*before)
    gc.callbacks.remove(note)


class Clock:
    """A clock that moves on by ``step`` seconds each time it is read."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def test_a_passed_deadline_closes_the_whole_field():
    assert redact("clean words", deadline=Deadline(0.02, clock=Clock(0.004))) == (
        "[REDACTED:deadline]",
        {"deadline": 1},
    )


def test_one_deadline_is_shared_by_the_fields_of_an_event():
    deadline = Deadline(1.0, clock=Clock(0.0))
    assert redact("first", deadline=deadline)[1] == {}
    spent = Deadline(0.02, clock=Clock(0.03))
    spent_first = redact("first", deadline=spent)
    assert spent_first == redact("second", deadline=spent) == ("[REDACTED:deadline]", {"deadline": 1})


def test_nothing_is_collected_in_the_time_of_a_text(monkeypatch, collections):
    seen = []

    def searching(*_):
        before = len(collections)
        kept = [[number] for number in range(1000)]
        seen.append((len(kept), len(collections) - before))
        return []

    monkeypatch.setattr(engine, "search", searching)
    assert redact("words", deadline=Deadline(5)) == ("words", {})
    assert seen == [(1000, 0)]
    before = len(collections)
    kept = [[number] for number in range(1000)]
    assert len(kept) == 1000
    assert len(collections) > before


@pytest.mark.usefixtures("collections")
def test_the_collector_is_left_as_it_was_found():
    gc.disable()
    try:
        redact("words", deadline=Deadline(5))
        assert not gc.isenabled()
    finally:
        gc.enable()
    redact("words", deadline=Deadline(1e-9))
    assert gc.isenabled()


def test_the_timer_interrupts_a_running_search(monkeypatch):
    def endless(*_):
        while True:
            pass

    monkeypatch.setattr(engine, "search", endless)
    assert redact("words", deadline=Deadline(0.01)) == ("[REDACTED:deadline]", {"deadline": 1})


def test_handlers_and_timers_found_are_put_back():
    def mine(*_):
        raise AssertionError

    before = signal.signal(signal.SIGVTALRM, mine)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 100)
        redact("words", deadline=Deadline(1))
        assert signal.getsignal(signal.SIGVTALRM) is mine
        assert 0 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] <= 101  # the timer rounds up to its tick
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_off_the_main_thread_checks_between_steps_do_it():
    found = []

    def work():
        found.append(redact("clean words", deadline=Deadline(10)))
        found.append(redact("clean words", deadline=Deadline(0.0)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [("clean words", {}), ("[REDACTED:deadline]", {"deadline": 1})]


def test_stop_without_start_and_check_after_the_end():
    deadline = Deadline(0.5, clock=Clock(1.0))
    deadline.stop()
    with pytest.raises(DeadlinePassed):
        deadline.start()


def test_what_a_process_used_before_its_first_text_counts(monkeypatch):
    monkeypatch.setattr("capture.redact.programs.compile_seconds", 0.0)
    clock = Clock(0.0)
    clock.now = 0.03
    deadline = Deadline(0.1, clock=clock, from_start=True)
    deadline.start()
    assert deadline.remaining() == pytest.approx(0.07)
    clock.now = 0.1
    with pytest.raises(DeadlinePassed):
        deadline.check()


def test_a_start_that_was_slow_leaves_a_part_of_the_time():
    clock = Clock(0.0)
    clock.now = 7.0
    deadline = Deadline(0.1, clock=clock, from_start=True)
    deadline.start()
    assert deadline.remaining() == pytest.approx(0.05)


def test_what_a_process_compiled_before_its_first_text_does_not_count(monkeypatch):
    monkeypatch.setattr("capture.redact.programs.compile_seconds", 0.03)
    clock = Clock(0.0)
    clock.now = 0.06
    deadline = Deadline(0.1, clock=clock, from_start=True)
    deadline.start()
    assert deadline.remaining() == pytest.approx(0.07)
