"""Whether a server answers."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

SECONDS = 3.0


def trouble(url: str) -> str | None:
    """Return why the server at ``url`` does not answer that it lives, None where it does."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        said = answer.read(64)
    except (OSError, ValueError, HTTPException) as error:
        return str(error) or type(error).__name__
    finally:
        connection.close()
    if answer.status == 200 and said == b"ok":
        return None
    return f"it answers {answer.status} ({said.decode('ascii', 'replace')})"
