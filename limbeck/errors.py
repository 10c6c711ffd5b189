"""What can go wrong at the front door, each a sentence that ends with what to do."""

from __future__ import annotations

from schema.errors import LimbeckError


class HomeUnusable(LimbeckError):
    """The home folder {path} cannot be used: {why}. Choose another with LIMBECK_HOME, or give it to this
    account."""


class NoUnprivilegedAccount(LimbeckError):
    """Postgres does not run as root and none of the accounts {names} exists here. Run limbeck as an ordinary
    user, or point LIMBECK_DATABASE_URL at a server of your own."""


class ServerBinaryMissing(LimbeckError):
    """The {name} that ships with limbeck is not there for this platform ({platform}). Point {setting} at a
    server of your own."""


class ServerStartFailed(LimbeckError):
    """{name} did not start: {why}. Its log is {log}."""

    permanent = False


class ServerStopFailed(LimbeckError):
    """{name} (pid {pid}) did not stop within {seconds} seconds. End it by hand, then try again."""

    permanent = False
