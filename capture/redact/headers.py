"""Authorization headers and cookies."""

from capture.redact import looks, told, values
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from capture.redact.finders import Spans
    from capture.redact.view import View

_AUTH = Program(
    "headers.authorization",
    r"authorization(?:[\"'`\])]|\\[\"']){0,4}\s{0,4}(?:=>|[:=,])\s{0,4}(?:[bfruBFRU@$]{0,2}(?:\\{0,3}[\"'`]))?\s{0,2}"
    r"(?:(bearer|token|basic|digest|negotiate|apikey|api-key|key|ntlm|aws4-hmac-sha256|splunk|sso-key"
    r"|ghost|genie-?key|bot|oauth|hmac|jwt|discogs token|pat|shared ?key(?:lite)?|[A-Za-z][A-Za-z0-9-]{2,20})\s{1,4})?"
    r"((?:token=)?\\{0,2}\"?[^\s\"'`,;<>\\)]{4,4000}+)",
    IGNORECASE,
)
_SCHEME = Program("headers.scheme", r"(?:bearer|basic)\s{1,4}([A-Za-z0-9_.~+/=:-]{8,4000}+)", IGNORECASE)
_BARE_SCHEMES = ("bearer", "token", "basic", "apikey", "api-key", "key", "bot", "pat")
_PARTS = Program(
    "headers.parts",
    r"(?:response|signature|nonce|cnonce|oauth_token|oauth_signature|oauth_nonce|token|password|credential|mac|opaque)=\\{0,2}\"?([^\s\",\\]{4,500})",
    IGNORECASE,
)
_EXTRA = Program(
    "headers.extra",
    r"x-[a-z0-9-]{0,40}?(?:token|key|secret|auth|password|passwd|credential)(\\{0,2}[\"'`])?[ \t]{0,3}:[ \t]{0,4}"
    r"(\\{0,2}[\"'`])?([^\n\"'`\\]{6,200})",
)
_MANY_PARTS = (
    "digest",
    "oauth",
    "aws4-hmac-sha256",
    "hmac",
    "signature",
    "sharedkey",
    "mac",
    "token",
    "hawk",
    "",
)
_COOKIE = Program(
    "headers.cookie", r"cookie2?[\"']?(?:\s{0,3}[:=,]\s{0,4}|[ \t](?=[\"'\w]))[\"']?", IGNORECASE
)
_PAIRS = Program("headers.pairs", r"([\w.$@!%*^|~:-]{1,80})=([^;\s\"',]{8,4096}+)")
_TELLING_COOKIES = ("auth", "token", "session", "sid", "jwt", "secret", "password", "sessionid", "auth_token")
_SECRET_COOKIE = Program(
    "headers.cookie-name",
    r"sess|sid|token|auth|csrf|xsrf|jwt|remember|login|secret|key|user|access|refresh|identity|ticket|credential|sso|saml|connect|_id$|cf_|\.as|laravel|wordpress|django|rack|passport|bearer|id$",
    IGNORECASE,
)


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of credentials in Authorization and Cookie headers and after bare Bearer or Basic."""
    text, low = view.text, view.low
    at = low.find("authorization")
    while at >= 0:
        match = _AUTH().match(text, at)
        at += 13
        if match:
            at = max(at, _credential(text, match, spans))
        at = low.find("authorization", at)
    for word in ("bearer", "basic"):
        at = low.find(word)
        while at >= 0:
            match = _SCHEME().match(text, at)
            if (
                match
                and not values.placeholder(match[1])
                and not looks.path(match[1])
                and (_credential_like(match[1]) or (word == "bearer" and _borne(text, match, 1)))
            ):
                spans.append((match.start(1), match.end(1), "authorization"))
            at = low.find(word, at + 5)
    at = low.find("x-")
    while at >= 0:
        extra = _EXTRA().match(low, at)
        if extra and (extra[2] or not extra[1]):
            value = text[extra.start(3) : extra.end(3)].rstrip(" \t\r,;.")
            if told.named(value) or told.couple(value):
                spans.append((extra.start(3), extra.start(3) + len(value), "api-key-header"))
        at = low.find("x-", at + 2)
    at = low.find("cookie")
    while at >= 0:
        match = _COOKIE().match(text, at)
        at += 6
        if match:
            at = max(at, _cookies(text, match.end(), spans))
        at = low.find("cookie", at)


def _credential_like(value: str) -> bool:
    digit = any(map(str.isdigit, value))
    upper = any(map(str.isupper, value)) and any(map(str.islower, value))
    return (
        (digit and (any(map(str.isalpha, value)) or len(value) > 12) and not looks.identifier(value))
        or looks.gibberish(value)
        or (upper and value.endswith("="))
    )


def _borne(text: str, match: "re.Match[str]", group: int) -> bool:
    """Whether digits or words alone after a scheme are its credential: no sentence goes on behind them."""
    value, stop = match[group], match.end(group)
    if value.isdigit():
        return len(value) > 6
    if told.passphrase(value):
        return True
    return (
        group == 2
        and told.words(value)
        and not (text[stop : stop + 1] == " " and text[stop + 1 : stop + 2].isalpha())
    )


def _credential(text: str, match: "re.Match[str]", spans: "Spans") -> int:
    value = match[2]
    start = match.start(2)
    if (
        not values.placeholder(value)
        and not values.code(value)
        and (
            _credential_like(value)
            or (len(value) >= 16 and not looks.wordy(value))
            or (match[1] is not None and match[1].lower() in _BARE_SCHEMES and _borne(text, match, 2))
        )
    ):
        spans.append((start, match.end(2), "authorization"))
    if (match[1] or "").lower() not in _MANY_PARTS:
        return match.end()
    line = text[start : start + 1200].split("\n", 1)[0]
    if "=" in line:
        for part in _PARTS().finditer(line):
            if not values.placeholder(part[1]):
                spans.append((start + part.start(1), start + part.end(1), "authorization"))
    return start + len(line)


def _cookies(text: str, start: int, spans: "Spans") -> int:
    line = text[start : start + 4096].split("\n", 1)[0]
    for pair in _PAIRS().finditer(line):
        name, value = pair[1], pair[2]
        if name.lower() in (
            "path",
            "domain",
            "expires",
            "max-age",
            "samesite",
            "priority",
            "version",
        ) or values.placeholder(value):
            continue
        if name.lower() in _TELLING_COOKIES and told.named(value):
            spans.append((start + pair.start(2), start + pair.end(2), "cookie"))
        if values.code(value) or looks.wordy(value):
            continue
        if (_SECRET_COOKIE().search(name) and any(map(str.isdigit, value))) or values.strong(value):
            spans.append((start + pair.start(2), start + pair.end(2), "cookie"))
    return start + len(line)
