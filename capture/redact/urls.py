"""Credentials in URLs: user information, query parameters, signatures."""

from capture.redact import looks, values
from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

_USERINFO = Program("urls.userinfo", r"://([^\s\"'<>:/@`\\]{0,100}):([^\s\"'<>`]{1,300}+)")
_SPACED = Program(
    "urls.spaced",
    r"://[^\s\"'<>:/@`\\]{0,100}:(?![0-9]{1,5}[ /,;.)])"
    r"([^\s\"'<>/@`\\]{1,60}(?: [^\s\"'<>/@`\\:]{1,60}){1,8})@[A-Za-z0-9\[]",
)
_HOST = Program("urls.host", r"[A-Za-z0-9\[_.*$({%<-]")
_THIN = Program("urls.thin", r"thin:[\w$#.-]{1,40}/([^\s@\"'/]{4,80})@")
_TOKEN_USER = Program("urls.token-user", r"://([A-Za-z0-9_.~%+-]{16,300})@(?=[A-Za-z0-9\[])")
_PARAM = Program(
    "urls.param", r"[?&;#](?:amp;)?([A-Za-z][A-Za-z0-9_.\[\]-]{0,40})=([^&\s\"'<>`#\\;|)]{4,2000})"
)
_PLAIN_USERS = frozenset({"user", "username", "usr", "u", "login", "name", "foo"})
_PLAIN_PASSWORDS = frozenset(
    {"pass", "password", "passwd", "pwd", "p", "secret", "pw", "bar", "port", "token", "key"}
)
# fmt: off
_SECRET_PARAMS = frozenset({
    "token", "access_token", "api_key", "apikey", "api-key", "key", "sig", "signature", "code", "password",
    "passwd", "pwd", "pass", "secret", "client_secret", "auth", "auth_token", "authtoken", "id_token",
    "refresh_token", "session", "sessionid", "session_id", "sid", "jwt", "assertion", "samlresponse",
    "samlrequest", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
    "x-goog-credential", "policy", "key-pair-id", "hmac", "ticket", "otp", "state", "nonce", "oauth_token",
    "oauth_verifier", "oauth_signature", "private_token", "subscription-key", "ocp-apim-subscription-key",
    "webhook_secret", "hash", "appkey", "app_key", "app_secret", "access_key", "accesskey", "secret_key",
    "bearer", "magic", "invite", "code_verifier", "code_challenge", "device_code", "user_code",
    "verification_token", "reset_token", "confirmation_token", "login_token", "sharetoken",
})
_SHORT_PARAMS = ("t", "k", "tk", "tok")
_STRONG = 20
_LONG_PARAMS = frozenset({
    "key", "code", "state", "nonce", "hash", "policy", "signature", "sig", "session", "sid", "magic", "invite",
    "ticket", "otp", "code_challenge", "auth",
})
# fmt: on


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of passwords in user information and of secret query parameters."""
    text = view.text
    at = text.find("://")
    while at >= 0:
        _userinfo(text, at, spans)
        at = text.find("://", at + 3)
    for thin in _THIN().finditer(text) if "thin:" in text else ():
        if not values.placeholder(thin[1]):
            spans.append((thin.start(1), thin.end(1), "url-password"))
    if "=" in text and ("?" in text or "&" in text or "#" in text):
        for match in _PARAM().finditer(text):
            _param(match[1], match[2], match.start(2), spans)


def _userinfo(text: str, at: int, spans: "Spans") -> None:
    spaced = _SPACED().match(text, at)
    if spaced:
        spans.append((spaced.start(1), spaced.end(1), "url-password"))
        return
    match = _USERINFO().match(text, at)
    if match:
        run = match[2]
        cut = _last_at(run)
        if cut > 0:
            user, password = match[1], run[:cut]
            start = match.start(2)
            if not _plain(user, password) and not _template(password):
                spans.append((start, start + cut, "url-password"))
                if values.strong(user):
                    spans.append((match.start(1), match.end(1), "url-token"))
        if cut > 0 or match[1]:
            return
    token = _TOKEN_USER().match(text, at)
    if token and (values.strong(token[1]) or values.generated(token[1])):
        spans.append((token.start(1), token.end(1), "url-token"))


def _last_at(run: str) -> int:
    """Offset of the @ that ends the password in ``run``, -1 where there is none."""
    slash = run.find("/")
    head = run if slash < 0 else run[:slash]
    cut = head.rfind("@")
    if cut < 0:  # an unescaped slash in the password: only where an @ and a host follow at once
        cut = run.find("@")
        if (
            cut < 0
            or "?" in run[:cut]
            or (run[0].isdigit() and run[:cut].split("/", maxsplit=1)[0].isdigit())
        ):
            return -1
    return cut if _HOST().match(run, cut + 1) else -1


def _plain(user: str, password: str) -> bool:
    return password.lower() in _PLAIN_PASSWORDS and (
        user.lower() in _PLAIN_USERS or password.lower() != user.lower()
    )


def _template(password: str) -> bool:
    return (
        (password[0] in "$%{<" and values.placeholder(password))
        or set(password) <= set("*x.X")
        or (password.startswith("[REDACTED:") and password.endswith("]"))
    )


def _param(name: str, value: str, start: int, spans: "Spans") -> None:
    low = name.lower()
    if low in _SHORT_PARAMS and len(value) >= _STRONG and values.strong(value):
        spans.append((start, start + len(value), "url-param"))
        return
    if low not in _SECRET_PARAMS and not low.endswith(
        ("_token", "_secret", "_key", "-token", "password", "signature")
    ):
        return
    if len(value) < 6 or values.placeholder(value):
        return
    from capture.redact import told

    if low not in _LONG_PARAMS and told.words(value):
        spans.append((start, start + len(value), "url-param"))
        return
    if low not in ("password", "passwd", "pwd") and (looks.wordy(value) or values.code(value)):
        return
    if low in _LONG_PARAMS and (
        len(value) < 8 or not any(map(str.isdigit, value)) or looks.identifier(value)
    ):
        return
    spans.append((start, start + len(value), "url-param"))
