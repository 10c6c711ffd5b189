"""The root of every error we raise on purpose, and the rule that an error's docstring is its message."""

from __future__ import annotations

from typing import ClassVar


class LimbeckError(Exception):
    """Limbeck cannot go on."""

    permanent: ClassVar[bool] = True

    def __init__(self, **fields: object) -> None:
        """Fill the braces of the docstring with ``fields``; ``permanent`` says that a retry cannot help."""
        self.fields = fields
        template = " ".join((type(self).__doc__ or "").split())
        super().__init__(template.format(**fields))
