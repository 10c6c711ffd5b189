"""What a token is called and whom it speaks for: words that many may read, for as long as the database is kept."""

from __future__ import annotations

from schema.security import EVERYONE
from server.errors import BadInput


def check(name: str, user: str, agent: str | None) -> None:
    """Raise BadInput where one of them looks like a secret, or the user is the name that stands for everybody."""
    from capture.net import second_net  # a tenth of a second, which no reading of tokens needs

    if user.strip() == EVERYONE:
        raise BadInput(what="user", why=f"nobody may be called {EVERYONE!r}")
    for what, text in (("name", name), ("user", user), ("agent", agent or "")):
        if second_net(text)[1]:
            raise BadInput(what=what, why="it looks like a secret; it would be kept and shown as it is")
