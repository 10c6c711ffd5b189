"""The server's second net: the hook's rules once more, then detect-secrets. Only workers import this."""

from capture.redact import redact


def second_net(text: str) -> tuple[str, dict[str, int]]:
    """Return ``text`` redacted by both nets and the counts of what was found, by rule."""
    return redact(text)


def second_net_many(texts: list[str]) -> list[tuple[str, dict[str, int]]]:
    """``second_net`` for each of ``texts``, in order."""
    return [second_net(text) for text in texts]
