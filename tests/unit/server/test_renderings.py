"""A rendering is given again while it stands, to its own client and project; of several who ask at once one renders."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

from projection.okf.generation import Standing
from server.renderings import LASTS, MOST, MOST_BYTES, FileOutput, Rendering, Renderings

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def bundle(number: int, size: int = 1) -> Rendering:
    return Rendering(number, NOON, "shop", (FileOutput(path="a.md", sha256="", bytes=size, text=""),))


def at(number: int, project: str = "shop") -> Standing:
    return Standing(number, NOON, project)


class World:
    """Renderings whose clock stands still, and a database that stands at ``now``."""

    def __init__(self) -> None:
        self.time = 0.0
        self.now: Standing | None = None
        self.made: list[tuple[str, str]] = []
        self.kept = Renderings(lambda: self.time)

    def ask(self, client: str = "a", project: str = "p", size: int = 1) -> Rendering:
        self.time += 1.0

        def make() -> Rendering:
            self.made.append((client, project))
            return bundle(self.now.number if self.now else 0, size)

        return self.kept.current(client, project, self.now, lambda: self.now, make)


def test_it_is_given_again_while_it_stands():
    world = World()
    world.now = at(1)
    assert world.ask() is world.ask()
    world.now = at(2)
    assert world.ask().number == 2
    world.now = None  # marked
    world.ask()
    assert len(world.made) == 3


def test_another_name_of_the_project_and_another_client_or_project_are_another():
    world = World()
    world.now = at(1)
    world.ask()
    for client, project in (("b", "p"), ("a", "q")):
        world.ask(client, project)
    world.now = at(1, "store")
    world.ask()
    assert world.made == [("a", "p"), ("b", "p"), ("a", "q"), ("a", "p")]


def test_no_more_are_kept_than_there_is_room_for():
    world = World()
    world.now = at(1)
    for number in range(MOST + 1):
        world.ask(project=str(number))
    world.ask(project=str(MOST))
    assert len(world.made) == MOST + 1
    world.ask(project="0")
    assert len(world.made) == MOST + 2
    world.ask(project="large", size=MOST_BYTES + 1)
    world.ask(project="large", size=MOST_BYTES + 1)
    assert len(world.made) == MOST + 4


def test_what_nobody_asked_for_lately_goes():
    world = World()
    world.now = at(1)
    world.ask()
    world.time += LASTS - 1
    world.kept.sweep()
    world.ask()
    world.time += LASTS
    world.kept.sweep()
    world.ask()
    assert len(world.made) == 2


def test_of_several_who_ask_at_once_one_renders():
    kept, begun, go_on, made = Renderings(), threading.Event(), threading.Event(), []

    def make() -> Rendering:
        begun.set()
        assert go_on.wait(20)
        made.append(1)
        return bundle(1)

    def ask() -> None:
        answers.append(kept.current("a", "p", None, lambda: at(1) if made else None, make))

    answers: list[Rendering] = []
    readers = [threading.Thread(target=ask) for _ in range(8)]
    for one in readers:
        one.start()
    assert begun.wait(20)
    go_on.set()
    for one in readers:
        one.join(20)
    assert len(answers) == 8
    assert len(made) == 1


def test_where_it_changes_all_the_time_those_who_waited_share_what_was_begun_after_they_asked():
    world = World()
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> Rendering:
        begun.set()
        assert go_on.wait(20)
        return bundle(1)

    def quick() -> Rendering:
        world.made.append(("a", "p"))
        return bundle(2)

    def ask(make) -> None:
        answers.append(world.kept.current("a", "p", None, lambda: None, make).number)

    answers: list[int] = []
    first = threading.Thread(target=ask, args=(slow,))
    first.start()
    assert begun.wait(20)
    world.time = 5.0
    others = [threading.Thread(target=ask, args=(quick,)) for _ in range(5)]
    for one in others:
        one.start()
    go_on.set()
    for one in (first, *others):
        one.join(20)
    assert sorted(answers) == [1, 2, 2, 2, 2, 2]
    assert len(world.made) == 1


def test_what_was_forgotten_is_kept_nowhere_also_where_it_was_being_rendered():
    world = World()
    world.now = at(1)
    for client in ("a", "b"):
        world.ask(client)
    world.kept.drop("a")
    for client in ("a", "b"):
        world.ask(client)
    assert world.made == [("a", "p"), ("b", "p"), ("a", "p")]
    world.now = at(2)

    def make() -> Rendering:
        world.kept.drop("a")
        return bundle(2)

    world.time += 1.0
    world.kept.current("a", "p", world.now, lambda: world.now, make)
    world.ask()
    assert world.made[-2:] == [("a", "p"), ("a", "p")]
