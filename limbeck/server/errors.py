"""What can keep the server from running or from being reached, each a sentence that says what to do."""

from __future__ import annotations

from schema.errors import LimbeckError


class AddressTaken(LimbeckError):
    """The server cannot listen at {host}:{port}: {why}. Choose another LIMBECK_SERVER_PORT (0 is any free one), or end
    the program that has it."""

    permanent = False


class ServerSilent(LimbeckError):
    """No server answers at {url}: {why}. Run `limbeck up`, or correct the address."""

    permanent = False


class NoBrowser(LimbeckError):
    """No browser could be opened here. `limbeck open --no-browser` prints an address to open in one."""
