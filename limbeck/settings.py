"""Every setting: its name, kind, default and meaning. The only place that reads the environment.

A value comes from the environment (``LIMBECK_NAME``, or for secrets also ``LIMBECK_NAME_FILE``), else from
``config.toml`` in the home (the name in lower case), else from the default. Anything unknown is refused.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from capture.policy import MOST_PATTERNS
from limbeck.errors import BadSetting, BadSettingsFile, UnknownSetting

PREFIX = "LIMBECK_"
CONFIG = "config.toml"
CLIENT = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}")
# Ours, but read by others: the hooks' recursion guard, where labelled data lies.
NOT_SETTINGS = frozenset({"LIMBECK_SKIP", "LIMBECK_BENCH_DATA"})
# What a background process needs of the caller's environment besides the settings.
PASSED_ON = {
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SYSTEMROOT", "APPDATA"),
    *("LOCALAPPDATA", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
}


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("it is empty")
    return value.strip()


def _client(value: str) -> str:
    # What the database checks; a name in other letters is not made another one, since it tells whose memory it is.
    if not CLIENT.fullmatch(value):
        raise ValueError(
            "1 to 63 lower-case letters, digits, '-', '_' and '.' are wanted, a letter or digit first"
        )
    return value


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise ValueError(f"a whole number from {low} to {high} is wanted")
        return number

    return read


class OneOf:
    """Reads one of ``choices``."""

    def __init__(self, *choices: str) -> None:
        """``choices`` are what may be said."""
        self.choices = choices

    def __call__(self, value: str) -> str:
        """Return ``value``. Raises ValueError for what is none of the choices."""
        if value not in self.choices:
            raise ValueError(f"it is one of {', '.join(self.choices)}")
        return value


def _amount(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise ValueError("an amount from 0 upwards is wanted, as 2.50")
    return number


def _minutes(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0.05 <= number <= 24 * 60:
        raise ValueError("minutes from 0.05 to 1440 are wanted")
    return number


def _patterns(value: str) -> tuple[str, ...]:
    lines = tuple(line.strip() for line in value.splitlines() if line.strip())
    if len(lines) > MOST_PATTERNS:
        raise ValueError(f"hooks look at {MOST_PATTERNS} at most, and these are {len(lines)}")
    return lines


def _url(*schemes: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.split("://", 1)[0] not in schemes or "://" not in value:
            raise ValueError(f"it begins with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        return value.strip()

    return read


def _web(value: str) -> str:
    url = _url("https", "http")(value)
    try:
        host = urlsplit(url).hostname
    except ValueError:
        host = None
    if not host:
        raise ValueError("it names no host")
    return url


def _setting(read: Callable[[str], Any], default: Any, *, secret: bool = False) -> Any:
    return field(default=default, repr=not secret, metadata={"read": read, "secret": secret})


POSTGRES_URL = _url("postgresql", "postgres", "postgresql+psycopg")
REDIS_URL = _url("redis", "rediss", "unix")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One reading of the settings. Secrets do not show in its ``repr``."""

    home: Path
    client: str = _setting(_client, "local")
    # A server of one's own instead of the embedded one; the owner's URL is for migrations, retention and purging.
    database_url: str | None = _setting(POSTGRES_URL, None, secret=True)
    database_owner_url: str | None = _setting(POSTGRES_URL, None, secret=True)
    redis_url: str | None = _setting(REDIS_URL, None, secret=True)
    # Who distils: `auto` is the model where a key is set, else the offline distiller.
    distiller: str = _setting(OneOf("auto", "offline", "anthropic"), "auto")
    anthropic_api_key: str | None = _setting(_text, None, secret=True)
    anthropic_url: str | None = _setting(_web, None)
    model: str | None = _setting(_text, None)
    # What the model may cost, in US dollars, and what happens to a session at the cap.
    daily_usd: float = _setting(_amount, 1.0)
    session_usd: float = _setting(_amount, 0.25)
    at_cap: str = _setting(OneOf("offline", "wait"), "offline")
    # Who turns text into vectors: `offline` ships with limbeck, `off` leaves keyword and files, the others are
    # providers over the network (any address in OpenAI's format with `openai`). A change re-embeds what is there.
    embeddings: str = _setting(OneOf("offline", "off", "openai", "voyage"), "offline")
    embeddings_url: str | None = _setting(_web, None)
    embeddings_model: str | None = _setting(_text, None)
    embeddings_dimension: int | None = _setting(_whole(8, 4000), None)
    embeddings_key: str | None = _setting(_text, None, secret=True)
    # A session without an end is distilled after this long without an event.
    idle_minutes: float = _setting(_minutes, 30.0)
    # A project is classified into drafts by itself once this many tokens of prompts, commits and messages wait
    # to be read; 0 leaves it to `limbeck drafts classify`.
    classify_tokens: int = _setting(_whole(0, 10_000_000), 1_000)
    # After how many days old evidence, and old lines of the audit log, go by themselves; 0 keeps them.
    retain_days: int = _setting(_whole(0, 36_500), 0)
    retain_audit_days: int = _setting(_whole(0, 36_500), 0)
    worker_processes: int = _setting(_whole(1, 64), 2)
    # What hooks tell an agent: nothing, the brief when a session starts, or also what is known of each prompt.
    inject: str = _setting(OneOf("off", "session", "prompt"), "session")
    # Above this many waiting events hooks spool instead of appending.
    queue_high_water: int = _setting(_whole(100, 10_000_000), 50_000)
    spool_megabytes: int = _setting(_whole(1, 10_000), 64)
    # What hooks leave out; one pattern a line, or a list in config.toml.
    ignore_paths: tuple[str, ...] = _setting(_patterns, ())
    ignore_tools: tuple[str, ...] = _setting(_patterns, ())
    ignore_projects: tuple[str, ...] = _setting(_patterns, ())
    ignore_subagents: tuple[str, ...] = _setting(_patterns, ())
    # The server: whether `up` runs it, where it listens (port 0: any free one), the host names it answers to beside
    # the loopback ones, the proxies whose word for a caller's address it takes, requests a minute with one token.
    server: str = _setting(OneOf("on", "off"), "on")
    server_host: str = _setting(_text, "127.0.0.1")
    server_port: int = _setting(_whole(0, 65_535), 8741)
    server_hosts: tuple[str, ...] = _setting(_patterns, ())
    server_proxies: tuple[str, ...] = _setting(_patterns, ())
    server_rate: int = _setting(_whole(0, 1_000_000), 1200)
    # Which tools agents are told of from the start; the others are looked for.
    server_tools: str = _setting(OneOf("core", "all"), "core")
    # A team's server that keeps this machine's memory, and the token that speaks for us there.
    remote_url: str | None = _setting(_web, None)
    token: str | None = _setting(_text, None, secret=True)
    log_level: str = _setting(OneOf("debug", "info", "warning", "error"), "info")
    sources: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def embedded_database(self) -> bool:
        """Whether we run Postgres ourselves."""
        return self.database_url is None

    @property
    def embedded_redis(self) -> bool:
        """Whether we run the queue's server ourselves."""
        return self.redis_url is None


def known_settings() -> dict[str, Field[Any]]:
    """Every setting's field by its name; its metadata holds ``read`` (from a text) and ``secret``."""
    return {item.name: item for item in fields(Settings) if "read" in item.metadata}


def read_value(name: str, text: str, where: object) -> Any:
    """Return what ``text`` means for the setting ``name``; ``where`` it is said is told where there is none of it.

    Raises UnknownSetting, and BadSetting with the name alone.
    """
    known = known_settings()
    if name not in known:
        raise UnknownSetting(name=name, where=where, known=_names(known, lower=True))
    return _read(known[name], text, name)


def load(environment: Mapping[str, str] | None = None, *, config: str | None = None) -> Settings:
    """Read the settings from ``environment`` (the process's own where None) and the home's config.toml.

    ``config`` is taken for what that file holds, to see what would become of it. Raises UnknownSetting, BadSetting and
    BadSettingsFile, each naming the place.
    """
    env = os.environ if environment is None else environment
    given = {name: value for name, value in env.items() if name.startswith(PREFIX)}
    home = _home(given.pop("LIMBECK_HOME", None))
    known = known_settings()
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    found = _from_file(home / CONFIG) if config is None else _texts(home / CONFIG, config)
    for name, text in found.items():
        if name not in known:
            raise UnknownSetting(name=name, where=home / CONFIG, known=_names(known, lower=True))
        values[name] = _read(known[name], text, f"{name} in {home / CONFIG}")
        sources[name] = str(home / CONFIG)
    for variable, value in given.items():
        if variable in NOT_SETTINGS:
            continue
        text = value
        name = variable.removeprefix(PREFIX).lower()
        if name.endswith("_file") and name.removesuffix("_file") in known:
            item = known[name.removesuffix("_file")]
            if not item.metadata["secret"]:
                raise BadSetting(name=variable, why="only secrets can be read from a file of their own")
            if PREFIX + item.name.upper() in given:
                raise BadSetting(name=variable, why=f"{PREFIX}{item.name.upper()} is set too; unset one")
            text = _secret_file(variable, Path(value))
        elif name in known:
            item = known[name]
        else:
            raise UnknownSetting(name=variable, where="the environment", known=_names(known))
        values[item.name] = _read(item, text, variable)
        sources[item.name] = variable
    return Settings(home=home, sources=sources, **values)


def child_environment(settings: Settings) -> dict[str, str]:
    """The environment for a background process of ours: the settings' variables and a few of the system's."""
    kept = {k: v for k, v in os.environ.items() if k in PASSED_ON or k.startswith(PREFIX)}
    # One BLAS thread a process: more were slower, and the processes share the machine. Few arenas: what a burst of
    # requests left free in many of them would stay with the process.
    ours = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    return kept | ours | {"LIMBECK_HOME": str(settings.home)}


def _home(given: str | None) -> Path:
    if given is not None:
        if not given.strip():
            raise BadSetting(name="LIMBECK_HOME", why="it is empty")
        return Path(given).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("limbeck", appauthor=False))


def _from_file(path: Path) -> dict[str, str]:
    try:
        written = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettingsFile(path=path, why=getattr(error, "strerror", None) or error) from error
    texts = _texts(path, written)
    if sys.platform != "win32" and path.stat().st_mode & 0o077 and _holds_secret(texts):
        raise BadSettingsFile(path=path, why="it holds a secret and others may read it; chmod 600 it")
    return texts


def _texts(path: Path, written: str) -> dict[str, str]:
    try:
        table = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise BadSettingsFile(path=path, why=error) from error
    texts = {name: _as_text(value) for name, value in table.items()}
    if None in texts.values():
        raise BadSettingsFile(path=path, why="a value is a text, a number or a list of texts, in no section")
    return {name: text for name, text in texts.items() if text is not None}


def _as_text(value: object) -> str | None:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _holds_secret(table: Mapping[str, Any]) -> bool:
    return any(item.name in table for item in fields(Settings) if item.metadata.get("secret"))


def _secret_file(variable: str, path: Path) -> str:
    try:
        return path.read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadSetting(name=variable, why=f"{path} cannot be read: {why}") from error


def _read(item: Field[Any], text: str, place: str) -> Any:
    try:
        return item.metadata["read"](text)
    except ValueError as error:
        # The value itself is not repeated: it may be a secret.
        raise BadSetting(name=place, why=error) from error


def _names(known: Mapping[str, Field[Any]], lower: bool = False) -> str:
    return ", ".join(name if lower else PREFIX + name.upper() for name in known)
