"""The part of ``os`` that a hook uses, without its 1.7 ms."""

import posix
from posix import (
    O_APPEND,
    O_CREAT,
    O_NOCTTY,
    O_NONBLOCK,
    O_RDONLY,
    O_RDWR,
    O_TRUNC,
    O_WRONLY,
    close,
    fstat,
    fsync,
    getcwd,
    getpid,
    link,
    listdir,
    lseek,
    mkdir,
    open,
    read,
    stat,
    unlink,
    urandom,
    write,
)


class _Environ:
    """Read-only, one variable at a time."""

    def get(self, name: str) -> str | None:
        """Return the variable ``name``, or None."""
        value = posix.environ.get(name.encode())
        return None if value is None else value.decode("utf-8", "surrogateescape")


environ = _Environ()

__all__ = [
    "O_APPEND",
    "O_CREAT",
    "O_NOCTTY",
    "O_NONBLOCK",
    "O_RDONLY",
    "O_RDWR",
    "O_TRUNC",
    "O_WRONLY",
    "close",
    "environ",
    "fstat",
    "fsync",
    "getcwd",
    "getpid",
    "link",
    "listdir",
    "lseek",
    "mkdir",
    "open",
    "read",
    "stat",
    "unlink",
    "urandom",
    "write",
]
