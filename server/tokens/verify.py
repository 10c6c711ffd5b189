"""From a token to the principal it speaks for."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from schema.database import Database
from server.errors import NotSignedIn
from server.limit import FailureLimit
from server.principal import Principal
from server.tokens import store
from server.tokens.token import Token, parse

NOTE_USE_EVERY = timedelta(minutes=1)
NOBODYS_HASH = bytes(32)


def kept(connection: Connection, text: str, client: str) -> store.Kept | None:
    """Return what is kept of the token ``text`` of ``client``, None where it is none of its or its secret is wrong."""
    token = parse(text)
    if token is None or token.client != client:
        return None
    found = store.find(connection, client, token.id)
    same = hmac.compare_digest(token.hash, NOBODYS_HASH if found is None else found.hash)
    return found if same else None


class Verifier:
    """Answers who a token speaks for. Safe to use from several threads.

    An address from which too much failed lately is not listened to, but for tokens that held here before: on one
    machine, or behind one proxy, an agent with an old token does not lock out the others.
    """

    def __init__(
        self, database: Database, clock: Callable[[], datetime], failures: FailureLimit | None = None
    ) -> None:
        """Nothing is read yet. Without ``failures`` there is no limit."""
        self._database, self._clock = database, clock
        self.failures = failures or FailureLimit(0)
        self._noted: dict[tuple[str, str], datetime] = {}
        self._held: set[bytes] = set()  # digests of whole tokens: a guess at a known one's secret is limited

    def principal(self, text: str, address: str | None = None) -> Principal:
        """Return who ``text``, sent from ``address``, speaks for.

        Raises NotSignedIn where it is no token, an unknown, revoked or ended one, or its secret is wrong: always the
        same answer. Raises TooManyFailed and DatabaseUnavailable.
        """
        digest = sha256(text.encode(errors="replace")).digest()
        if digest not in self._held:
            self.failures.check(address)
        try:
            found = self._principal(text, parse(text))
        except NotSignedIn:
            self.failures.failed(address)
            self._held.discard(digest)
            raise
        self._held.add(digest)
        return found

    def _principal(self, text: str, token: Token | None) -> Principal:
        now = self._clock()
        if token is None:
            raise NotSignedIn
        with self._database.tenant(token.client) as connection:
            found = kept(connection, text, token.client)
            if found is None or not found.holds(now):
                raise NotSignedIn
            key = (token.client, token.id)
            last = self._noted.get(key)
            if last is None or now - last >= NOTE_USE_EVERY:
                store.used(connection, *key, now, now - NOTE_USE_EVERY)
                self._noted[key] = now
        return found.principal
