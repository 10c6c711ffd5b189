"""A visit's secret, a one-time link's secret, and the mark that a form carries.

Each is ``CLIENT_ID_SECRET`` with 256 random bits: the client stands in it so that the lookup happens under row
security, and only the SHA-256 is kept. A form's mark is bound to the visit and salted anew each time, so that what a
compressed page's length tells says nothing of it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

SHAPE = re.compile(r"([a-zA-Z0-9][a-zA-Z0-9_.-]{0,62})_([0-9a-f]{16})_([0-9a-f]{64})")
SALT = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """The parts of a visit's or a link's secret; the secret itself does not show in its ``repr``."""

    client: str
    id: str
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        """What the browser keeps, or what stands in the address."""
        return f"{self.client}_{self.id}_{self.secret}"

    @property
    def hash(self) -> bytes:
        """What is kept: 32 bytes."""
        return hashlib.sha256(self.secret.encode()).digest()

    def mark(self) -> str:
        """A new mark for a form of this visit."""
        salt = secrets.token_hex(SALT)
        return salt + self._signed(salt)

    def made(self, mark: str) -> bool:
        """Whether this visit made ``mark``."""
        salt, signed = mark[: 2 * SALT], mark[2 * SALT :]
        return hmac.compare_digest(self._signed(salt).encode(), signed.encode())

    def _signed(self, salt: str) -> str:
        return hmac.new(self.secret.encode(), b"form " + salt.encode(), hashlib.sha256).hexdigest()


def new(client: str) -> Secret:
    """A new secret of ``client``."""
    return Secret(client, secrets.token_hex(8), secrets.token_hex(32))


def parse(text: str | None) -> Secret | None:
    """The secret in ``text``, or None where it does not look like one."""
    found = SHAPE.fullmatch(text or "")
    return Secret(*found.groups()) if found else None
