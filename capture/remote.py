"""A git remote's address, made the same for everyone who reaches the same repository."""

from __future__ import annotations

from capture.paths import slashes

ANY_CASE_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com")
USUAL_PORTS = {"https": "443", "http": "80", "git": "9418", "ssh": "", "git+ssh": ""}
LONGEST = 500


def normalise(address: str) -> str | None:
    """Return ``host/path`` of a network address, or None for a path on this machine.

    User, password, query, port and ``.git`` go, so that ssh and https name one project. Only a web server's
    unusual port is kept, since two of them may stand on one host.
    """
    address = address.strip()
    if local_path(address) is not None or not address or len(address) > LONGEST * 2:
        return None
    scheme, mark, rest = address.partition("://")
    if mark:
        scheme = scheme.lower()
        host, _, path = rest.partition("/")
    else:
        scheme = "ssh"
        host, _, path = address.partition(":")
    host = host.rpartition("@")[2].lower()
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if colon and port.isdigit():
        usual = USUAL_PORTS.get(scheme, port)
        host = name if usual in ("", port) else host
    path = path.split("?")[0].split("#")[0].strip("/").removesuffix(".git").strip("/")
    while path.startswith("~") or "//" in path:
        path = path.lstrip("~/").replace("//", "/")
    if not host or not path:
        return None
    if name_of(host) in ANY_CASE_HOSTS:
        host, path = name_of(host), path.lower()
    return f"{host}/{path}"[:LONGEST]


def name_of(host: str) -> str:
    """Return the name a host is known by: the ssh doors of the large services lead to the same repositories."""
    host = host.removeprefix("www.")
    return {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}.get(host, host)


def local_path(address: str) -> str | None:
    """Return the path where ``address`` names a repository on this machine, else None."""
    if address.startswith("file://"):
        return "/" + address[7:].partition("/")[2]
    plain = slashes(address)
    if plain.startswith(("/", "./", "../", "~")) or plain[1:3] == ":/":
        return plain
    colon, slash = address.find(":"), address.find("/")
    return plain if colon < 0 or 0 <= slash < colon else None
