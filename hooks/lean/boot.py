"""Run from a bundle: modules and patterns are read out of it one by one, when they are first asked for.

``boot`` is the one entry, called by the stub with the bundle's descriptor and its tables.
"""

from __future__ import annotations

import builtins
import gc
import sys
from _imp import source_hash
from marshal import loads
from posix import pread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern
    from types import CodeType, ModuleType
    from typing import Any

    Places = dict[str, tuple[int, int, bytes]]


PATTERNS = "patterns"


class Damaged(BaseException):
    """A piece of the bundle is not what was written. No handler of ours stops it short of the stub."""


class Pieces:
    """Marshalled pieces of a bundle by name: where each begins behind ``base``, its length and its checksum."""

    def __init__(self, bundle: int, places: Places, base: int = 0) -> None:
        """Hold the open descriptor and the table."""
        self._bundle = bundle
        self._base = base
        self.places = places

    def read(self, name: str) -> Any:
        """Return the piece ``name``; raises Damaged."""
        start, size, checksum = self.places[name]
        piece = pread(self._bundle, size, self._base + start)
        if source_hash(1, piece) != checksum:
            raise Damaged(name)
        return loads(piece)

    def behind(self, name: str) -> Pieces:
        """The pieces that lie behind the piece ``name``, which is their table."""
        start, size, _ = self.places[name]
        return Pieces(self._bundle, self.read(name), start + size)


class Modules:
    """Our modules by name, made when first imported; imports of theirs come back here.

    ``homes`` tells which piece holds a module's code, ``shared`` where C modules lie that need no search.
    """

    def __init__(self, homes: dict[str, str], pieces: Pieces, shared: dict[str, str]) -> None:
        """Hold the tables; nothing is loaded yet."""
        self._homes = homes
        self._pieces = pieces
        self._shared = shared
        self._codes: dict[str, CodeType] = {}
        self._made: dict[str, ModuleType] = {}
        self._packages = {name.rpartition(".")[0] for name in homes}
        self._then: dict[str, Callable[[Any], object]] = {}
        self._plain = builtins.__import__
        self._builtins = {**builtins.__dict__, "__import__": self._import}

    def on_load(self, name: str, then: Callable[[Any], object]) -> None:
        """Call ``then`` with the module ``name`` as soon as it is made."""
        self._then[name] = then

    def _code(self, name: str) -> CodeType:
        if name not in self._codes:
            self._codes.update(self._pieces.read(self._homes[name]))
        return self._codes.pop(name)

    def load(self, name: str) -> Any:
        """Return the module ``name``, known to its package before it runs, as an ordinary import does."""
        head, _, tail = name.rpartition(".")
        above = self.load(head) if head and name not in self._made else None
        found = self._made.get(name)  # the package may have imported it by now
        if found is not None:
            return found
        made = self._made[name] = type(sys)(name)
        made.__dict__["__builtins__"] = self._builtins
        if above is not None:
            setattr(above, tail, made)
        exec(self._code(name), made.__dict__)
        if name in self._then:
            self._then[name](made)
        return made

    def _import(
        self,
        name: str,
        space: dict[str, object] | None = None,
        local: dict[str, object] | None = None,
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        if name in self._homes:
            found = self._made.get(name) or self.load(name)
            if name in self._packages:
                for part in fromlist or ():
                    if not hasattr(found, part) and f"{name}.{part}" in self._homes:
                        self.load(f"{name}.{part}")
            return found
        if name in self._shared and name not in sys.modules:
            return _shared(name, self._shared[name])
        return self._plain(name, space, local, fromlist or (), level)


def boot(
    bundle: int,
    homes: dict[str, str],
    pieces: Places,
    shared: dict[str, str],
    home: str,
    arguments: list[str],
    state: list[object],
) -> None:
    """Run the hook. ``state`` receives its progress, from which the plain modules can go on."""
    gc.disable()  # a process of milliseconds has nothing to collect
    places = Pieces(bundle, pieces)
    modules = Modules(homes, places, shared)
    modules.on_load("capture.redact.programs", lambda made: made.use_loader(_loader(places.behind(PATTERNS))))
    run = modules.load("hooks.run")
    progress = run.Progress()
    state.append(progress)
    run.main(home, arguments, progress)


def _loader(patterns: Pieces) -> Callable[[str, str, int], Pattern[str]]:
    """What rebuilds a pattern from the numbers that ``re`` compiled it to."""
    from _sre import compile

    def rebuilt(key: str, _source: str, _flags: int) -> Pattern[str]:
        flags, code, groups, names, indexes = patterns.read(key)
        made: Pattern[str] = compile(key, flags, memoryview(code).cast("I").tolist(), groups, names, indexes)
        return made

    return rebuilt


class _Place:
    """As much of a module's spec as the loader of shared objects asks for."""

    def __init__(self, name: str, origin: str) -> None:
        self.name = name
        self.origin = origin


def _shared(name: str, origin: str) -> Any:
    """Load a C module from the place it had at install, without a search through the directories."""
    import _imp

    place: Any = _Place(name, origin)
    made = _imp.create_dynamic(place)
    _imp.exec_dynamic(made)
    sys.modules[name] = made
    return made
