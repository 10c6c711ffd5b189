"""What can wait is done one after another, oldest first, without a look into a long folder for each."""

from __future__ import annotations

from limbeck.ship import errands
from limbeck.ship.later import Later


class Measurer:
    """Measures at once."""

    def __init__(self):
        self.begun = []

    def begin(self, envelope, _policy):
        self.begun.append(envelope["id"])

    def answer(self, _wait):
        return [{"id": self.begun[-1]}]

    def close(self):
        pass


class Sender:
    def __init__(self):
        self.sent = 0

    def send(self, lines):
        self.sent += len(lines)


class Config:
    policy = None


def test_a_long_folder_is_listed_a_few_times_and_done_in_order(tmp_path, monkeypatch):
    looks = []

    def waiting(*given):
        looks.append(given)
        return listed(*given)

    listed = errands.waiting
    names = sorted(f"0190{number:04x}-0000-7000-8000-000000000000" for number in range(50))
    for name in reversed(names):
        errands.put_by(tmp_path, {"id": name}, errands.LATER)
    monkeypatch.setattr(errands, "waiting", waiting)
    measurer, sender = Measurer(), Sender()
    later = Later(tmp_path, measurer)
    assert later.finish(Config, sender) == 50
    assert measurer.begun == names
    assert sender.sent == 50
    assert len(looks) <= 4
    assert listed(tmp_path, errands.LATER) == []


def test_what_is_gone_meanwhile_and_what_comes_are_noticed(tmp_path):
    for number in range(3):
        errands.put_by(tmp_path, {"id": f"{number}"}, errands.LATER)
    measurer, sender = Measurer(), Sender()
    later = Later(tmp_path, measurer)
    later.look(Config, sender)
    (tmp_path / errands.LATER / "2.json").unlink()
    errands.put_by(tmp_path, {"id": "3"}, errands.LATER)
    later.finish(Config, sender)
    assert measurer.begun == ["0", "1", "3"]
