"""From a token to the principal it speaks for."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from schema.database import Database
from server.errors import NotSignedIn
from server.principal import Principal
from server.tokens import store
from server.tokens.token import parse

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
    """Answers who a token speaks for. Safe to use from several threads."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Nothing is read yet."""
        self._database, self._clock = database, clock
        self._noted: dict[tuple[str, str], datetime] = {}

    def principal(self, text: str) -> Principal:
        """Return who ``text`` speaks for.

        Raises NotSignedIn where it is no token, an unknown, revoked or ended one, or its secret is wrong: always the
        same answer. Raises DatabaseUnavailable.
        """
        token, now = parse(text), self._clock()
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
