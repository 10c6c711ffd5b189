"""Secrets handed to functions by their place: ``NetworkCredential("bob", ...)``, ``page.fill("#password", ...)``."""

from capture.redact import told, values
from capture.redact.programs import IGNORECASE, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

# Which functions, and as which argument they take a secret: a password, a key, or what is typed into a field
# that the first argument names.
_PASSWORDS = (
    " withpassword:0 setpassword:0 with_password:0 set_password:0 networkcredential:1 setbasicauth:1 basic_auth:1"
    " basicauth:1 httpbasicauth:1 httpdigestauth:1 wifi.begin:1 login:1 log_in:1 login_as:1 signin:1 sign_in:1"
    " auth:1 authenticate:1 passwordauthentication:1 usernamepasswordcredentials:1 usernamepasswordtoken:1"
    " setcredentials:1 credentials:1 credential:1 setusernamepassword:1 pskauth:1 check_password:1 checkpw:0"
    " getconnection:2 pdo:2 mysqli_connect:2 mysqli:2 mysql_connect:2 plainauth:2 create_user:2 create_superuser:2 "
)
_KEYS = (
    " hmac.new:0 bytes.fromhex:0 aes.new:0 fernet:0 createhmac:1 pgp_sym_encrypt:1 pgp_sym_decrypt:1 jwt.sign:1"
    " jwt.encode:1 jwt.decode:1 jwt.verify:1 "
)
_PAIRS = " btoa:0 b64encode:0 "  # of a user's name, a colon and the password
_FIELDS = " fill:1 type:1 fill_in:1 send_keys:1 sendkeys:1 setvalue:1 "
_CALL = Program(
    "calls.call",
    r"(?<![A-Za-z0-9])((?:wifi\.|hmac\.|bytes\.|aes\.|jwt\.)?[a-z]\w{2,30})(?:<\w{0,20}>)?\(",
    IGNORECASE,
)
_ARGUMENT = Program(
    "calls.argument",
    r"\s{0,40}(?:\w{1,30}[ \t]{0,3}[=:][ \t]{0,3}|Some\(|String::from\(|&)?"
    r"(?:[bBrRuNL@$]{0,2}([\"'`])([^\"'`\n]{0,200}+)\1\)?|[^,()\"'`\n]{0,100}+(?:\([^()\n]{0,60}\))?)\s{0,8}(,|\)|$)",
)
_CHAINED = Program(
    "calls.chained",
    r"passw[^\n]{0,40}[\"'`]\]?\)?\)\.(?:send_?keys|type|fill|setvalue|val)\([ \t]?[\"'`]([^\"'`\n]{6,80})[\"'`]",
    IGNORECASE,
)
_CHARS = Program("calls.chars", r"\"([^\"\n]{6,80})\"\.toCharArray\(\)")
_FIELD = Program("calls.field", r"passw|pwd|secret|pin\b|otp", IGNORECASE)
_HEX_KEY = 32


def find(view: "View", spans: "Spans") -> None:
    """Add the spans of literals that stand where such a function takes a password or a key."""
    text = view.text
    for call in _CALL().finditer(text):
        for table, label in (
            (_PASSWORDS, "password"),
            (_KEYS, "api-key"),
            (_FIELDS, "password"),
            (_PAIRS, ""),
        ):
            at = table.find(f" {call[1].lower()}:")
            if at >= 0:
                index = int(table[table.index(":", at) + 1])
                _argument(text, call.end(), index, label, call[1].lower(), spans)
    if ".tochararray()" in view.low:
        for literal in _CHARS().finditer(text):
            if _secret(literal[1], "password") or told.lone(literal[1]):
                spans.append((*literal.span(1), "password"))
    if "passw" in view.low:
        for chained in _CHAINED().finditer(text):
            if _secret(chained[1], "password"):
                spans.append((*chained.span(1), "password"))


def _argument(text: str, at: int, index: int, label: str, name: str, spans: "Spans") -> None:
    """Judge the argument at ``index``; what is typed into a field only where the first argument names a secret."""
    field = f" {name}:" in _FIELDS
    for number in range(index + 1):
        argument = _ARGUMENT().match(text, at)
        if argument is None or (field and not number and not _FIELD().search(argument[0])):
            return
        if number == index and (
            _secret(argument[2] or "", label) or (name == "wifi.begin" and told.named(argument[2] or ""))
        ):
            skip = 0 if label else (argument[2] or "").index(":") + 1
            spans.append((argument.start(2) + skip, argument.end(2), label or "password"))
        if argument[3] != ",":
            return
        at = argument.end()


def _secret(value: str, label: str) -> bool:
    if not label:
        value = value.partition(":")[2]
    if len(value) < 6 or values.placeholder(value) or values.has_scheme(value):
        return False
    if told.personal(value) or values.likely(value) or values.strong(value):
        return True
    hexadecimal = len(value) >= _HEX_KEY and values.hexadecimal(value) and not value.isdigit()
    return label == "api-key" and hexadecimal
