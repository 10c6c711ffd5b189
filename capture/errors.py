"""What can be wrong with a captured event, each a sentence that says what to do."""

from __future__ import annotations


class CaptureError(Exception):
    """A captured event cannot be used."""

    permanent = True

    def __init__(self, **fields: object) -> None:
        """Fill the braces of the docstring, which is the message, with ``fields``."""
        self.fields = fields
        super().__init__(" ".join((type(self).__doc__ or "").split()).format(**fields))


class MalformedEnvelope(CaptureError):
    """This is not an envelope: {why}. Keep the bytes aside and look at what sent them."""


class UnknownVersion(CaptureError):
    """This envelope has version {version}, and this Limbeck reads version 1. Upgrade Limbeck, then retry it."""


class OversizedEnvelope(CaptureError):
    """This envelope has {size} bytes, above the limit of {limit}. Shorten its texts and send it again."""


class BadHookConfig(CaptureError):
    """The hook configuration {path} cannot be read: {why}. Run limbeck install again to write a new one."""


class QueueRefused(CaptureError):
    """The queue refused the event: {why}. The event goes to the spool instead."""

    permanent = False


class SpoolRefused(CaptureError):
    """The spool {path} refused the event: {why}. Empty it with limbeck spool drain, or free the disk."""

    permanent = False
