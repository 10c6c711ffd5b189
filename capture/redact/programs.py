"""The one seam to regular expressions: every pattern of this package is declared and compiled here.

Patterns compile on first use. A bundle built at install time replaces ``compile_program`` with a
loader that rebuilds them from a blob, and precompiles what ``all_programs`` lists.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Pattern

IGNORECASE = 2
MULTILINE = 8
DOTALL = 16

_declared: "dict[str, tuple[str, int]]" = {}
_compiled: "dict[str, Pattern[str]]" = {}
compile_seconds = 0.0


def _compile(_key: str, source: str, flags: int) -> "Pattern[str]":
    """Compile with ``re``; time spent here is not held against a running deadline."""
    global compile_seconds  # noqa: PLW0603 - one counter the deadline reads
    from time import process_time

    start = process_time()
    import re

    made = re.compile(source, flags)
    compile_seconds += process_time() - start
    return made


compile_program: "Callable[[str, str, int], Pattern[str]]" = _compile


def use_loader(loader: "Callable[[str, str, int], Pattern[str]]") -> None:
    """Replace the compiler by ``loader(key, source, flags)``; patterns made before are kept."""
    global compile_program  # noqa: PLW0603 - the bundle sets it once
    compile_program = loader


def program(key: str, source: str = "", flags: int = 0) -> "Pattern[str]":
    """Return the compiled pattern called ``key``; ``source`` declares it where it is not declared yet."""
    made = _compiled.get(key)
    if made is None:
        if key not in _declared:
            _declared[key] = (source or key, flags)
        made = _compiled[key] = compile_program(key, *_declared[key])
    return made


class Program:
    """A declared pattern; calling it gives the compiled one."""

    __slots__ = ("flags", "key", "made", "source")

    def __init__(self, key: str, source: str, flags: int = 0) -> None:
        """Declare ``source`` under ``key`` without compiling it."""
        self.key = key
        self.source = source
        self.flags = flags
        self.made: Pattern[str] | None = None
        _declared[key] = (source, flags)

    def __call__(self) -> "Pattern[str]":
        """Return the compiled pattern."""
        made = self.made
        if made is None:
            made = self.made = program(self.key)
        return made


def all_programs() -> "Iterator[tuple[str, str, int]]":
    """List every pattern of the package as (key, source, flags), loading the modules that declare them."""
    from importlib import import_module
    from pkgutil import iter_modules

    from capture import redact
    from capture.redact import typed

    for module in iter_modules(redact.__path__, "capture.redact."):
        import_module(module.name)
    typed.declare_all()
    for key, (source, flags) in sorted(_declared.items()):
        yield key, source, flags
