"""The server's second net: the hook's rules once more, then detect-secrets. Only workers import this.

detect-secrets is used as a set of patterns, not as a scanner: its line scanner calls every word a secret, its
allow-list comments switch it off from inside the text, its private-key plugin leaves the key, and it gives values
without their place. So its plugins are asked pattern by pattern for spans, without its filters, and what they find
is judged by the same guards as the hook's finds. The entropy and IP plugins are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.keyword import (
    CONFIG_DENYLIST_REGEX_TO_GROUP,
    GOLANG_DENYLIST_REGEX_TO_GROUP,
    QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP,
)

from capture.redact import engine, looks, marker, values, walk
from capture.redact.deadline import Deadline

_LEFT_OUT = frozenset(
    {
        "Base64HighEntropyString",
        "HexHighEntropyString",
        "IPPublicDetector",
        "PrivateKeyDetector",
        "KeywordDetector",
    }
)
# What a line must hold for a plugin to find anything in it; literals of the second kind in any letter case.
GATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "ArtifactoryDetector": (("AKC", "AP"), ()),
    "AWSKeyDetector": (("A3T", "ABIA", "ACCA", "AKIA", "ASIA"), ("aws",)),
    "AzureStorageKeyDetector": (("AccountKey=",), ()),
    "BasicAuthDetector": (("://",), ()),
    "CloudantDetector": ((), ("cl",)),
    "DiscordBotTokenDetector": ((".",), ()),
    "GitHubTokenDetector": (("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), ()),
    "GitLabTokenDetector": (("gl", "GR1348941"), ()),
    "IbmCloudIamDetector": ((), ("key", "pwd", "pass", "token")),
    "IbmCosHmacDetector": ((), ("secret",)),
    "JwtTokenDetector": (("eyJ",), ()),
    "KeywordDetector": ((), ("key", "pass", "pwd", "secret", "contrase")),
    "MailchimpDetector": (("-us",), ()),
    "NpmDetector": ((":_authToken=",), ()),
    "OpenAIDetector": (("T3BlbkFJ",), ()),
    "PypiTokenDetector": (("pypi-AgE",), ()),
    "SendGridDetector": (("SG.",), ()),
    "SlackDetector": ((), ("xox", "hooks.slack.com")),
    "SoftlayerDetector": ((), ("sl", "softlayer")),
    "SquareOAuthDetector": (("sq0csp-",), ()),
    "StripeDetector": (("k_live_",), ()),
    "TelegramBotTokenDetector": ((":",), ()),
    "TwilioKeyDetector": (("AC", "SK"), ()),
}
_KEYWORD = tuple(
    {
        pattern.pattern: (pattern, group)
        for table in (
            CONFIG_DENYLIST_REGEX_TO_GROUP,
            QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP,
            GOLANG_DENYLIST_REGEX_TO_GROUP,
        )
        for pattern, group in table.items()
    }.values()
)
_LONGEST_LINE = 2000
_CACHED = 8192
_CACHED_LENGTH = 600
_EDGES = " \t\"'`=:"
_FIRST = re.compile(r"[\"'`(]{0,2}([^\s\"'`,;]{1,300})")

_clean: set[str] = set()  # texts found clean; one with a secret in it is never kept


def _plugins() -> dict[str, tuple[tuple[re.Pattern[str], int], ...]]:
    found: dict[str, tuple[tuple[re.Pattern[str], int], ...]] = {"KeywordDetector": _KEYWORD}
    classes: list[Any] = list(get_mapping_from_secret_type_to_class().values())
    for plugin in classes:
        if issubclass(plugin, RegexBasedDetector) and plugin.__name__ not in _LEFT_OUT:
            found[plugin.__name__] = tuple((pattern, -1) for pattern in plugin().denylist)
    return found


PLUGINS = _plugins()


def marker_name(plugin: str) -> str:
    """The rule a find of ``plugin`` counts under, such as ``net-basicauth``."""
    return "net-" + plugin.removesuffix("Detector").lower()


marker.learn(map(marker_name, PLUGINS))


def second_net(text: str, *, deadline: Deadline | None = None) -> tuple[str, dict[str, int]]:
    """Return ``text`` redacted by both nets and the counts of what was found, by rule.

    Counts are misses of the hook where the text went through it. Clean text comes back as the same object; past
    the deadline (one second and more for long texts by default) the whole text becomes a marker.
    """
    if text in _clean:
        return text, {}
    limit = deadline or Deadline(1.0 + len(text) * 2e-5)
    clean, counts = engine.guarded(text, limit, _both)
    if not counts and len(text) <= _CACHED_LENGTH:
        if len(_clean) >= _CACHED:
            _clean.clear()
        _clean.add(text)
    return clean, counts


def second_net_value(value: Any) -> tuple[Any, dict[str, int]]:
    """``second_net`` for every string in a JSON ``value``, keys among them, with the counts of all.

    As in the hook's walk, a key that names a secret gives its value context, and the names of a tool and its
    server are read piece by piece. The same object comes back where nothing changed.
    """
    return walk.walk(value, second_net)


def _both(text: str, deadline: Deadline) -> tuple[str, dict[str, int]]:
    clean, counts = engine.fixpoint(text, deadline)
    return engine.fixpoint(clean, deadline, counts, scan)


def scan(text: str, deadline: Deadline) -> list[tuple[int, int, str]]:
    """The spans of ``text`` that detect-secrets' patterns find and the guards confirm."""
    plugins = list(gated(text))
    spans: list[tuple[int, int, str]] = []
    if not plugins:
        return spans
    at = 0
    for line in text.split("\n"):
        for first in range(0, len(line), _LONGEST_LINE - 200) if len(line) > _LONGEST_LINE else (0,):
            piece = line[first : first + _LONGEST_LINE]
            for plugin in gated(piece, plugins):
                deadline.check()
                _scan_piece(plugin, piece, at + first, spans)
        at += len(line) + 1
    return spans


def gated(text: str, among: list[str] | None = None) -> Iterator[str]:
    """The plugins that may find something in ``text``; all of them where letter case is not plain ASCII's."""
    low = text.lower()
    plain = text.isascii()
    for plugin in PLUGINS if among is None else among:
        exact, folded = GATES.get(plugin, ((), ()))
        if (
            (not exact and not folded)
            or any(part in text for part in exact)
            or (folded and not plain)
            or any(part in low for part in folded)
        ):
            yield plugin


def _scan_piece(plugin: str, piece: str, offset: int, spans: list[tuple[int, int, str]]) -> None:
    for pattern, group in PLUGINS[plugin]:
        for match in pattern.finditer(piece):
            start, end = match.span(_widest(match) if group < 0 else group)
            if plugin == "KeywordDetector":
                first = _FIRST.match(piece, start, end)
                if first is None or first[1].strip("[](){}") in ("", "=", "=="):
                    continue
                start, end = first.span(1)
            while start < end and piece[start] in _EDGES:
                start += 1
            while start < end and piece[end - 1] in _EDGES:
                end -= 1
            if _confirmed(plugin, piece[start:end]):
                spans.append((offset + start, offset + end, marker_name(plugin)))


def _widest(match: re.Match[str]) -> int:
    """The group that holds the secret: the longest one, or the whole match where groups are only its prefix."""
    groups = [(len(text), at) for at, text in enumerate(match.groups(), 1) if text]
    size, at = max(groups, default=(0, 0))
    return at if size >= 8 else 0


def _confirmed(plugin: str, value: str) -> bool:
    if values.placeholder(value) or values.code(value):
        return False
    if plugin == "BasicAuthDetector":
        return "/" not in value and len(value) >= 4 and not looks.wordy(value)
    if plugin in ("KeywordDetector", "ArtifactoryDetector"):
        plain = value.count(":") < 2 and not looks.identifier(value)
        return plain and values.likely(value.rstrip(".,;:)]}"))
    if plugin in ("IbmCloudIamDetector", "CloudantDetector", "IbmCosHmacDetector"):
        return values.strong(value) or looks.gibberish(value)
    return len(set(value)) > 4
