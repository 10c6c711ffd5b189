"""The one way to Postgres: a transaction as the application role, bound to one client.

Row security does the rest: the policy of every table compares ``client`` with the setting made here, and an
unset client sees no rows. The role is taken on connect, so a URL of the owner works too, without its rights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import NullPool, QueuePool

from schema.errors import DatabaseConflict, DatabaseRefused, DatabaseUnavailable, Refused
from schema.security import EVERYONE

APPLICATION_ROLE = "limbeck_app"
_SEE = "SELECT set_config('limbeck.client', %s, true), set_config('limbeck.user', %s, true)"
RETRYABLE = {"40001", "40P01"}
NOT_ALLOWED = "42501"
TOO_MUCH = "54"  # SQLSTATE class: a value is beyond a limit of the program


class Database:
    """A pool of connections of the application role."""

    def __init__(self, url: str, *, pool_size: int = 4, overflow: int = 4, pooled: bool = True) -> None:
        """``url`` is a ``postgresql://`` URL; nothing is connected until the first use.

        ``pool_size`` connections stay open, ``overflow`` more are opened while they are needed.
        """
        options: dict[str, Any] = {"poolclass": NullPool}
        if pooled:
            options = {"pool_size": pool_size, "max_overflow": overflow}
        self.engine = create_engine(_address(url), hide_parameters=True, **options)
        self._lock, self._busy, self._peak = Lock(), 0, 0
        event.listen(self.engine, "connect", _take_role)
        event.listen(self.engine, "handle_error", _no_character)

    @contextmanager
    def tenant(self, client: str, user: str = "") -> Iterator[Connection]:
        """Open a transaction that sees ``client``'s rows only; commit at the end, roll back on any error.

        Of personal rows it sees those of ``user``; without one, none. Raises DatabaseUnavailable (retry later) and
        DatabaseConflict (a constraint or a deadlock: run again).
        """
        if user == EVERYONE:
            raise Refused(why=f"nobody may be called {EVERYONE!r}")
        with _translated(), self._begun(lambda connection: see(connection, client, user)) as connection:
            yield connection

    @contextmanager
    def everyone(self, client: str) -> Iterator[Connection]:
        """Open a transaction like ``tenant``'s that sees the personal rows of every user of ``client``.

        For maintenance (vectors, the index, forgetting), never for what somebody reads.
        """
        with _translated(), self._begun(lambda connection: see(connection, client, EVERYONE)) as connection:
            yield connection

    @contextmanager
    def alone(self, client: str, work: str) -> Iterator[bool]:
        """Yield True while nobody else does ``work`` for ``client``, False where somebody does.

        The lock belongs to a connection of its own and ends with the process, however that ends.
        """
        lock = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
        unlock = text("SELECT pg_advisory_unlock(hashtextextended(:name, 0))")
        values = {"name": f"limbeck {client} {work}"}
        with _translated(), self._begun(_ping, isolation_level="AUTOCOMMIT") as connection:
            taken = bool(connection.scalar(lock, values))
            try:
                yield taken
            finally:
                if taken:
                    connection.execute(unlock, values)

    def clients(self) -> list[str]:
        """Return every client's id: the only read that crosses clients."""
        with _translated(), self._begun(_ping) as connection:
            return list(connection.scalars(text("SELECT client FROM clients ORDER BY client")))

    def add_client(self, client: str) -> None:
        """Make ``client`` known; a second time changes nothing."""
        with self.tenant(client) as connection:
            connection.execute(
                text("INSERT INTO clients (client) VALUES (:client) ON CONFLICT DO NOTHING"),
                {"client": client},
            )

    def rest(self) -> bool:
        """Close the pooled connections where fewer were in use at once since the last call; return whether it did.

        A connection holds megabytes on either side; those that are needed again are opened again.
        """
        with self._lock:
            peak, busy, self._peak = self._peak, self._busy, self._busy
        pool = self.engine.pool
        if busy or not isinstance(pool, QueuePool) or pool.checkedin() <= peak:
            return False
        self.engine.dispose()
        return True

    @contextmanager
    def _begun(self, first: Callable[[Connection], object], **options: Any) -> Iterator[Connection]:
        """Open a transaction that begins with ``first``.

        The other side may have ended a pooled connection meanwhile: ``first`` finds that out, and is done again on a
        new one. So none is asked before each use whether it lives, which costs as much as a small statement.
        """
        with self._counted():
            try:
                connection = self._opened(first, options)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                connection = self._opened(first, options)
            with connection, connection.get_transaction() or connection.begin():
                yield connection

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
            self._peak = max(self._peak, self._busy)
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1

    def _opened(self, first: Callable[[Connection], object], options: dict[str, Any]) -> Connection:
        connection = self.engine.connect()
        try:
            connection = connection.execution_options(**options) if options else connection
            first(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close every pooled connection (call it after a fork too: connections must not be shared)."""
        self.engine.dispose()


@contextmanager
def owner(url: str) -> Iterator[Engine]:
    """Yield the schema's owner at ``url``, for migrations and for what the application role may not do.

    Row security holds for the owner too: ``see`` says whose rows. Raises DatabaseUnavailable and DatabaseConflict, and
    Refused where ``url`` is not the owner's.
    """
    engine = create_engine(_address(url), poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "handle_error", _no_character)
    try:
        with _translated():
            yield engine
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) != NOT_ALLOWED:
            raise
        why = "the account is not the schema's owner; give LIMBECK_DATABASE_OWNER_URL"
        raise Refused(why=why) from error
    finally:
        engine.dispose()


def see(connection: Connection, client: str, user: str = "") -> None:
    """Let the transaction see ``client``'s rows and no others, of personal ones ``user``'s, until it ends."""
    # As the driver wants it: made once a transaction, and half of the time went into preparing the statement.
    connection.exec_driver_sql(_SEE, (client, user))


def _ping(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT 1")


def _address(url: str) -> URL:
    return make_url(url).set(drivername="postgresql+psycopg")


def _take_role(connection: Any, _record: object) -> None:
    """Become the application role, in UTC, whoever logged in."""
    autocommit = connection.autocommit
    connection.autocommit = True
    connection.execute("SELECT set_config('TimeZone', 'UTC', false)")
    if connection.info.user != APPLICATION_ROLE:
        connection.execute(f"SET ROLE {APPLICATION_ROLE}")
    connection.autocommit = autocommit


def _no_character(context: ExceptionContext) -> None:
    """Raise DatabaseRefused where a value cannot be sent; an error like it elsewhere is not the database's."""
    if isinstance(context.original_exception, UnicodeEncodeError):
        why = "a text holds half of a surrogate pair, which is no character"
        raise DatabaseRefused(why=why) from context.original_exception


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise DatabaseConflict(why=_first_line(error)) from error
    except OperationalError as error:
        state = getattr(error.orig, "sqlstate", None) or ""
        if state in RETRYABLE:
            raise DatabaseConflict(why=_first_line(error)) from error
        if state.startswith(TOO_MUCH):
            raise DatabaseRefused(why=_first_line(error)) from error
        raise DatabaseUnavailable(why=_first_line(error)) from error
    except PoolTimeout as error:
        raise DatabaseUnavailable(why="every connection is in use") from error
    except DataError as error:
        why = f"a value has a form that it does not take ({type(error.orig).__name__})"  # its words quote the value
        raise DatabaseRefused(why=why) from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise DatabaseUnavailable(why=_first_line(error)) from error
        raise


def _first_line(error: DBAPIError) -> str:
    """The driver's sentence without the row it quotes (a DETAIL line may hold stored text)."""
    return str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
