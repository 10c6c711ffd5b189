"""The root of every error we raise on purpose, and the rule that an error's docstring is its message."""

from __future__ import annotations

from typing import ClassVar


class LimbeckError(Exception):
    """Limbeck cannot go on."""

    permanent: ClassVar[bool] = True
    usage: ClassVar[bool] = False

    def __init__(self, detail: str = "", /, **fields: object) -> None:
        """Make the message: the docstring, its braces filled with ``fields``, then ``detail`` after a colon.

        ``permanent`` says that a retry cannot help, ``usage`` that what was asked cannot be right whatever is stored.
        """
        self.detail, self.fields = detail, fields
        message = " ".join((type(self).__doc__ or "").split())
        if fields:
            message = message.format(**fields)
        super().__init__(f"{message.rstrip('.')}: {detail}" if detail else message)


class DatabaseUnavailable(LimbeckError):
    """The database does not answer: {why}. See `limbeck status`, or check LIMBECK_DATABASE_URL."""

    permanent = False


class DatabaseConflict(LimbeckError):
    """Another writer was first: {why}. Run it again."""

    permanent = False


class DatabaseRefused(LimbeckError):
    """The database cannot hold this: {why}."""


class SchemaTooNew(LimbeckError):
    """The database was made by a newer limbeck. Install that version, or point to another database."""


class SchemaNotMigrated(LimbeckError):
    """The database's schema is {state}, not this version's. Run `limbeck migrate`."""


class NotFound(LimbeckError):
    """There is no {what} {name}."""


class ManyMeant(LimbeckError):
    """Several ids begin with {start}: {ids}. Give more of its characters."""


class Refused(LimbeckError):
    """That was refused: {why}."""
