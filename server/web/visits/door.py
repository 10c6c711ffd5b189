"""Signing in and out. A visit speaks for the token it began with, and ends when that token does."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime, timedelta

from schema.database import Database
from server.errors import NotSignedIn
from server.principal import Principal
from server.tokens import store as tokens
from server.tokens.verify import Verifier
from server.web.visits import store
from server.web.visits.visit import Secret, new, parse

LASTS = timedelta(days=14)
IDLE = timedelta(days=3)
LINK_LASTS = timedelta(minutes=2)
NOTE_EVERY = timedelta(minutes=5)


class Door:
    """Who comes in, and with which visit. Safe to use from several threads."""

    def __init__(self, database: Database, verifier: Verifier, clock: Callable[[], datetime]) -> None:
        """Nothing is read yet."""
        self._database, self._verifier, self._clock = database, verifier, clock

    def principal(self, token: str, address: str | None) -> Principal:
        """Who a token sent from ``address`` speaks for. Raises NotSignedIn and TooManyFailed."""
        return self._verifier.principal(token, address)

    def link(self, principal: Principal) -> Secret:
        """Make a link for whoever ``principal``'s token is; it works once, for two minutes."""
        if principal.token is None:
            raise NotSignedIn
        made, now = new(principal.client), self._clock()
        with self._database.tenant(made.client) as connection:
            store.keep_link(connection, made, principal.token, now, now + LINK_LASTS)
        return made

    def by_link(self, text: str, address: str | None) -> Secret:
        """Begin a visit by a one-time link.

        Raises NotSignedIn where it was used, has ended or never was, and TooManyFailed.
        """
        self._verifier.failures.check(address)
        try:
            return self._by_link(text)
        except NotSignedIn:
            self._verifier.failures.failed(address)
            raise

    def _by_link(self, text: str) -> Secret:
        given, now = parse(text), self._clock()
        if given is None:
            raise NotSignedIn
        with self._database.tenant(given.client) as connection:
            token = store.follow(connection, given, now)
            if token is None:
                raise NotSignedIn
            visit = new(given.client)
            store.begin(connection, visit, token, now, now + LASTS, now - IDLE)
        return visit

    def by_token(self, text: str, address: str | None) -> Secret:
        """Begin a visit by a token that a person pasted. Raises NotSignedIn and TooManyFailed."""
        principal, now = self._verifier.principal(text, address), self._clock()
        if principal.token is None:
            raise NotSignedIn
        visit = new(principal.client)
        with self._database.tenant(visit.client) as connection:
            store.begin(connection, visit, principal.token, now, now + LASTS, now - IDLE)
        return visit

    def who(self, text: str | None) -> tuple[Secret, Principal] | None:
        """The visit in a cookie and whom it speaks for; None where it has ended, or its token has."""
        given, now = parse(text), self._clock()
        if given is None:
            return None
        with self._database.tenant(given.client) as connection:
            found = store.find(connection, given, now)
            if found is None or not hmac.compare_digest(found[0], given.hash):
                return None
            kept = tokens.find(connection, given.client, found[1])
            if kept is None or not kept.holds(now) or now - found[2] > IDLE:
                return None
            if now - found[2] > NOTE_EVERY:
                store.seen(connection, given, now, now - NOTE_EVERY)
        return given, kept.principal

    def out(self, visit: Secret) -> None:
        """End a visit."""
        with self._database.tenant(visit.client) as connection:
            store.end(connection, visit)
