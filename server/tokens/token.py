"""What a token looks like: ``lbk_CLIENT_ID_SECRET``.

The client's name stands in it, so that the lookup can happen under row security like every other read: the client is
set from the token, a wrong one sees no row, and then the secret decides. The secret is 256 random bits, so a plain
SHA-256 of it is kept: there is nothing to guess that a slow hash would slow down.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field

PREFIX = "lbk_"
SHAPE = re.compile(r"lbk_([a-z0-9][a-z0-9_.-]{0,62})_([0-9a-f]{16})_([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Token:
    """A token's parts. The secret does not show in its ``repr``."""

    client: str
    id: str
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        """The token as a person passes it on, once."""
        return f"{PREFIX}{self.client}_{self.id}_{self.secret}"

    @property
    def hash(self) -> bytes:
        """What is kept of the secret: 32 bytes."""
        return hashlib.sha256(self.secret.encode()).digest()


def new(client: str) -> Token:
    """Return a new token of ``client`` with a random id and 256 random bits of secret."""
    return Token(client, secrets.token_hex(8), secrets.token_hex(32))


def parse(text: str) -> Token | None:
    """Return the token in ``text``, or None where it does not look like one."""
    found = SHAPE.fullmatch(text.strip())
    return Token(*found.groups()) if found else None
