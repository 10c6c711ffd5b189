"""Our style sheet, scripts and sign, at an address that changes with their content."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from server.web.policy import HEADERS

KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def contents() -> dict[str, bytes]:
    """The files by name."""
    folder = files("server.web") / "static"
    return {
        one.name: one.read_bytes()
        for one in sorted(folder.iterdir(), key=lambda one: one.name)
        if one.name.endswith(tuple(KINDS))
    }


@cache
def version() -> str:
    """Twelve characters that change whenever one of the files does."""
    digest = hashlib.sha256()
    for name, content in contents().items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


@cache
def _squeezed(name: str) -> bytes:
    return gzip.compress(contents()[name], mtime=0)


def address(name: str) -> str:
    """Where a page finds the file called ``name``."""
    return f"/static/{version()}/{name}"


async def static(request: Request) -> Response:
    """One file; 404 for a name that is none of ours, the newest for an old version's address."""
    name = request.path_params["name"]
    if name not in contents():
        return Response(status_code=404, headers=HEADERS)
    kind = KINDS["." + name.rsplit(".", 1)[-1]]
    current = request.path_params["version"] == version()
    headers = HEADERS | (KEPT if current else {"Cache-Control": "no-cache"}) | {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_squeezed(name), media_type=kind, headers=headers | {"Content-Encoding": "gzip"})
    return Response(contents()[name], media_type=kind, headers=headers)
