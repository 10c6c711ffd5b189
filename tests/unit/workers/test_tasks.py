"""A task that fails in a way nobody foresaw leaves places in the log, and none of the words of a row."""

from __future__ import annotations

from types import SimpleNamespace

from workers import tasks

ROW = "DETAIL: Failing row contains (zanzibar)"


class App:
    """What ``register`` needs of Celery."""

    def __init__(self) -> None:
        self.runtime, self.tasks = SimpleNamespace(), {}

    def task(self, function, name):
        self.tasks[name] = function
        return function


def test_the_log_repeats_nothing_that_was_stored(monkeypatch, caplog):
    def session(*_):
        raise RuntimeError(ROW)

    monkeypatch.setattr(tasks.distil, "session", session)
    app = App()
    tasks.register(app)
    app.tasks["session.distil"]("acme", "s")
    assert "zanzibar" not in caplog.text
    assert "session.distil failed: RuntimeError" in caplog.text
    assert "in session" in caplog.text
