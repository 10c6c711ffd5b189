"""Words made up anew in each run."""

from __future__ import annotations

import secrets


def plain_word() -> str:
    """A word nobody has written, yet one that may be spoken: letters and digits at random now and then look like a
    secret, and are taken out.
    """
    return "heron" + "".join(secrets.choice("lmnrst") + secrets.choice("aeiou") for _ in range(4))
