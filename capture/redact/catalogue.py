"""Every name a marker may carry."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT = (
    "authorization",
    "api-key-header",
    "cookie",
    "curl-user",
    "cli-flag",
    "piped-password",
    "positional",
    "mysql-password",
    "tool-password",
    "url-password",
    "url-token",
    "url-param",
    "private-key",
    "sql-password",
    "encoded",
    "prose-password",
    "high-entropy",
    "seed-phrase",
    "credentials-file",
    "cue",
    "payment-card",
    "deadline",
    "error",
    "depth",
    "key-name",
)


def names() -> "Iterator[str]":
    """Every marker name, those of typed tokens included."""
    from capture.redact import names as kinds
    from capture.redact import typed

    yield from CONTEXT
    yield from kinds.LABELS
    yield from typed.names()
