"""The root of every error we raise on purpose, and the rule that an error's docstring is its message."""

from __future__ import annotations

from typing import ClassVar


class LimbeckError(Exception):
    """Limbeck cannot go on."""

    permanent: ClassVar[bool] = True

    def __init__(self, detail: str = "", /, **fields: object) -> None:
        """Make the message: the docstring, its braces filled with ``fields``, then ``detail`` after a colon.

        ``permanent`` says that a retry cannot help.
        """
        self.detail, self.fields = detail, fields
        message = " ".join((type(self).__doc__ or "").split())
        if fields:
            message = message.format(**fields)
        super().__init__(f"{message.rstrip('.')}: {detail}" if detail else message)


class DatabaseUnavailable(LimbeckError):
    """The database does not answer."""

    permanent = False


class DatabaseConflict(LimbeckError):
    """The database refused a change that met another one."""

    permanent = False


class SchemaMismatch(LimbeckError):
    """The database's schema does not fit this version of limbeck."""
