"""What can stop the shipper, each a sentence that says what to do."""

from __future__ import annotations

from schema.errors import LimbeckError


class QueueUnavailable(LimbeckError):
    """The queue did not take the events: {why}. They stay in the spool and are tried again."""

    permanent = False


class NoQueue(LimbeckError):
    """Nothing says where the queue is. Start one with limbeck up, or set LIMBECK_REDIS_URL."""


class NoToken(LimbeckError):
    """The server at {url} wants a token. Set LIMBECK_TOKEN, or LIMBECK_TOKEN_FILE to a file that holds it."""


class AnotherShipper(LimbeckError):
    """Another shipper already empties {spool}. It does the work; stop it first to run this one instead."""


class RepositoryGone(LimbeckError):
    """The commit {sha} cannot be read from {where}: {why}."""


class GitUnanswered(RepositoryGone):
    """git did not tell of {sha} in {where}: {why}."""


class HookConfigUnusable(LimbeckError):
    """{why}"""


class NotMeasured(LimbeckError):
    """The symbols of a commit could not be measured: {why}."""
