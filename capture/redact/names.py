"""Whether a name calls its value a secret, and how sure that makes us."""

from capture.redact.programs import Program
from capture.words import listed

PASSWORD, SECRET, WEAK, NOT = 3, 2, 1, 0

_WORDS = Program("names.words", r"[A-Z]{1,64}(?![a-z])|[A-Z]?[a-z]{1,64}|[^\W\d_A-Za-z]{1,64}")
# fmt: off
_NEUTRAL = (
    " v prod production dev develop development staging stage test testing live local old new current prev"
    " previous default base b enc encoded plain plaintext clear cleartext raw value val string str secondary"
    " backup main data text latest root admin ro rw read write readonly here literal "
)
_PASSWORD = (
    "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "kennwort", "contraseña", "contrasena",
    "senha", "hasło", "пароль", "密码", "비밀번호", "패스워드", "암호", "비번", "passw",
    "passwrd", "passwords", "passphrases",
)
# fmt: on
_PASS_TAILS = ("pass", "pw")
# fmt: off
_NOT_PASS = (
    "bypass", "compass", "encompass", "surpass", "trespass", "overpass", "underpass", "multipass", "onepass",
    "minipass", "singlepass",
)
_SECRET = (
    "secret", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "authtoken", "accesstoken",
    "refreshtoken", "bearertoken", "apitoken", "encryptionkey", "signingkey", "masterkey", "credential",
    "credentials", "creds", "secrets", "jwt", "bearer", "pepper", "psk", "token", "webhooksecret", "clientsecret",
    "sharedkey", "accountkey", "storagekey", "apisecret", "licensekey", "sessiontoken", "webtoken", "keypass",
    "storepass", "connectionstring", "masterauth", "keymaterial",
)
_KEY_BEFORE = (
    " api access secret private priv account auth client service encryption encrypt encrypting signing sign"
    " signer master shared storage license licence app application admin deploy deployment ssh session"
    " security hmac aes rsa jwt crypto cipher decrypt decryption webhook subscription consumer integration"
    " server write ingest ingestion instrumentation root function bot rest dev live prod test sandbox merchant"
    " vault token cookie preshared psk wireguard wg personal internal site sk gateway provisioning"
    " registration anon role backend symmetric tls ssl user developer "
)
_KEY_NEVER = (
    " public pub primary foreign cache sort partition hash row dict map json object index unique natural"
    " composite lookup group i18n translation message event registry local hot short arrow return enter tab"
    " escape esc modifier control ctrl alt shift meta function sorting order by grouping bucket prefix config"
    " configuration data column field attribute property query header param child parent entity node item"
    " element search first last left right up down home end delete insert page space any none each per random"
    " dup duplicate missing unknown invalid bad answer host known path keyboard "
)
_OF_TEXT = (
    " next page continuation cancellation cancel eos bos pad unk mask sep cls special stop start end max min"
    " num per total prompt completion input output cursor resume delta change last first current previous prev"
    " syntax lexer parser text word sub operator keyword punctuation sync comment string number name"
    " identifier this each single bad unexpected invalid design color concurrency "
)
_AFTER_NEVER = (
    " id ids name names type types kind count counts length len size url uri urls endpoint file files filename"
    " path paths dir folder ttl policy manager class field fields input label min max regex pattern patterns"
    " format prefix suffix provider service services handler store stores expiry expires expire expiration"
    " timeout age header headers hint prompt reset required enabled disabled strength rule rules validator"
    " validation error errors message messages param params issuer audience scope scopes alg algorithm status"
    " state index position limit usage map list array set ref refs env var arn date time at version info"
    " generator factory helper cache callback func function method model view form page screen button icon"
    " text title description placeholder autocomplete visible visibility match matches mismatch confirmation"
    " attempts history less protected check changed change stream streams tree node nodes range span spans"
    " offset line column row iterator iter parser lexer buffer budget window in out by to from for on of is"
    " not and or with word words vault engine backend plugin plugins auth rotation mount mounts key keys "
)
_WEAK_LAST = (
    " key salt signature sig session sid auth otp pin totp seed cert sessionid keys tokens hash hmac nonce iv"
    " webhook login community "
)
# fmt: on


_DIRECTIVES = ("requirepass", "bindpw", "rootpw", "rpcpassword", "psk")
_levels: dict[str, int] = {}


def level(name: str) -> int:
    """How strongly ``name`` says that its value is a secret: PASSWORD, SECRET, WEAK or NOT."""
    known = _levels.get(name)
    if known is None:
        if len(_levels) > 2000:
            _levels.clear()
        known = _levels[name] = _judge(name)
    return known


def _judge(name: str) -> int:
    words = [word.lower() for word in _WORDS().findall(name)]
    while len(words) > 1 and listed(words[-1], _NEUTRAL):
        words.pop()
    if not words:
        return NOT
    last = words[-1]
    if words[-3:] == ["private", "key", "id"]:
        return SECRET
    before = words[-2] if len(words) > 1 else ""
    found = _last_word(last, before)
    if found or listed(last, _AFTER_NEVER):
        return found
    # MIXED-case or run-together names: try the letters as one word (X-APIKey, dbPassWord).
    joined = "".join(words[-3:])
    if joined.endswith((*_PASSWORD, *_SECRET)) and not listed(before, _OF_TEXT):
        return PASSWORD if joined.endswith(_PASSWORD) else SECRET
    if any(_last_word(word, left) >= SECRET for left, word in zip(["", *words], words, strict=False)):
        return WEAK
    return NOT


def compound(name: str) -> bool:
    """Whether ``name`` is more than the plain word: ``apiKey``, ``X-Auth-Token``, ``SECRET``, ``requirepass``."""
    own = name.rpartition(".")[2]
    return own.isupper() or len(_WORDS().findall(own)) > 1 or own.lower() in _DIRECTIVES


def _last_word(last: str, before: str) -> int:
    if last == "psk":
        return PASSWORD
    if last.endswith(_PASSWORD) or (
        last.endswith(_PASS_TAILS) and not last.endswith(_NOT_PASS) and len(last) < 14
    ):
        return PASSWORD if before not in ("by", "com") else NOT
    if last.endswith(("token", "tokens")):
        return NOT if listed(before, _OF_TEXT) or last == "tokens" else SECRET
    if last.endswith("key") and listed(before, _KEY_NEVER):
        return NOT
    if last == "key" and listed(before, _KEY_BEFORE):
        return SECRET
    if last.endswith(_SECRET):
        return SECRET
    return WEAK if listed(last, _WEAK_LAST) else NOT


def label(name: str, sure: int) -> str:
    """The marker name for a value called ``name``."""
    if sure == PASSWORD:
        return "password"
    low = name.lower()
    for part in ("token", "secret", "cookie", "key"):
        if part in low:
            return "api-key" if part == "key" else part
    return "credential"


LABELS = ("password", "token", "secret", "cookie", "api-key", "credential")
