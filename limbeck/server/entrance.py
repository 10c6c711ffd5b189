"""A link that signs in once, asked of this machine's server with the owner's token. Standard library alone."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from limbeck.server.errors import ServerSilent

SECONDS = 10.0


def entrance(url: str, token: str) -> str:
    """Return the whole address of a link for whoever ``token`` speaks for. Raises ServerSilent."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.request("POST", "/signin/links", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        if answer.status != 201:
            raise ServerSilent(url=url, why=f"it makes no link and answers {answer.status}")
        return url + str(json.loads(answer.read(4096))["path"])
    except (OSError, ValueError, KeyError, HTTPException) as error:
        raise ServerSilent(url=url, why=str(error) or type(error).__name__) from error
    finally:
        connection.close()
