"""Passwords made of words alone: nothing but the label before them tells that they are one.

So the label must be plain (a password's own name, a bearer header, a query parameter), and what follows must be
neither a placeholder nor what stands under such labels in code, forms and sentences.
"""

from capture.redact import looks, values
from capture.redact.programs import Program
from capture.words import listed

_PIECES = Program("told.pieces", r"[A-Z]{1,128}(?![a-z])|[A-Z]?[a-z]{1,128}")
_JOINED = Program("told.joined", r"[A-Za-z]{1,60}(?:[-_.+~*!]{1,2}[A-Za-z]{1,60}){0,11}[-_.+~*!]{0,2}$")
_SPACED = Program("told.spaced", r"[a-z]{3,12}(?: [a-z]{3,12}){2,9}$")
_COUNTED = Program(
    "told.counted",
    r"(?=.{0,40}[0-9])(?=.{0,40}[A-Za-z]{3})[A-Za-z0-9]{4,40}[_.-]?[A-Za-z0-9]{2,40}[!?$#*]{0,3}(?=[\s,;\"')]|\.(?!\w)|$)",
)
_SCHEME = Program(
    "told.scheme",
    r"(?:sha|md|utf|base|aes|des|bcrypt|argon|pbkdf|scrypt|crypt|rc|rsa|ssha|ntlm|ntlmv|oauth|ipv|http|python|py|win|iso|cp"
    r"|version|step|line|page|part|rfc|user|test|field|argument|arg|group|key|type|level|at|in|for)[-_v]?[0-9]{1,4}$",
)
_PERSONAL = Program("told.personal", r"([A-Za-z]{4,20})[_.-]?[0-9]{2,6}[!?$#*@%]{0,3}$")
# fmt: off
# What stands before a number in names of things, and not in passwords.
_NUMBERED = (
    " item node table column block chunk host server worker port user line page step part version release python"
    " debian ubuntu fedora centos windows postgres java issue ticket task sprint week month year phase stage test case"
    " build group level type mode figure section chapter example option value index field float double uint build"
    " point layer frame sample shard bucket queue topic thread slot zone area unit base code error status http"
    " expr email name account client server admin pass auth sess session request response message event latin"
    " window dialog form arg kwarg wpa"
    " room device team player file image model batch epoch param temp tmp main prod stage proc iter loop commit"
    " sha blake crc aes hmac rsa gpt claude gemini llama utf win cuda arm amd intel xeon bits byte bytes"
)
_STATES = (
    " required optional expired incorrect changed updated forgotten forgot reset mandatory sensitive protected"
    " encrypted hashed plain plaintext secured needed disabled enabled unchanged rejected accepted failed"
    " verify verified confirm confirmed changing provided supplied given stored matched matches mismatch blank"
    " visible writeonly readonly write read only show toggle click header realm authentication authorization"
    " authenticate authorize authorized format scheme encoded decoded normalized expires revoked deprecated"
    " generate generated random pending active inactive success failure error denied allowed forbidden"
    " unauthorized current confirmation validation submit continue save cancel button label strength hint"
    " anonymous interactive manual external internal "
)
_TYPES = (
    " varchar charfield textfield char unicode buffer integer numeric blob binary bytearray literal annotated"
    " final union callable self cls args kwargs argument parameter param option variable attribute property"
    " reference expression identifier scalar column schema widget regex pattern function method class getpass"
    " typing float double list dict tuple array bool optional nullable never void interface enum struct static"
    " await async lambda raise pass throw config settings options props request response body payload context"
    " this creds credentials keyring keychain store provider manager policy hasher encoder md sha bcrypt argon"
    " scrypt pbkdf base utf hex ascii "
)
_SENTENCE = (
    " the and for you your with must should this that are was has have not can cannot will may from when then"
    " than they them its our any all least most more please enter type choose use used using set get contain"
    " contains characters character letters digits numbers symbols between minimum maximum long short too new"
    " old same login log sign email mail name user account field value string empty missing invalid wrong text"
    " input file path page form link here there does did been being into only also but how what which who why"
    " where after before again "
)
# What sentences say of a password, what is done with one, and what is named after it.
_UNTOLD = (
    " about absent absolutely abuse acceptable accepted access accessible accidentally activate active"
    " actually admin again algorithm allowed almost alphanumeric already also always ambiguous another anyone"
    " anything anyway apparently applied attack auth-flow authentication automatically available average avoid"
    " badly barely based basically because before begin behind better between beyond broken browser bypass"
    " cancel cannot case-sensitive certain change changed changes check checker checks clear cleartext"
    " client-side column coming common compare complete complex complexity confidential configurable confirm"
    " confirmation connect consistently constant constantly continue correct correctly create critical"
    " currently decrypt default definitely delete deliberately dialog dialogs different difficult digest"
    " directly disable easily effectively either empty enable encoding encrypt endpoint enough ensure entirely"
    " entry essentially eventually everything exactly expiry explicitly exposed external externally extremely"
    " failure feature field fields files filled filter finally finish fix flow foreign forgotten form format"
    " forms frequently freshly fully function garbage generally generator given global globally gone good"
    " guess guessable guesses handler handling hash hashed hashes header helper hidden highly hint history"
    " hopefully human identical illegal immediately immutable implicitly important impossible incorrect"
    " incorrectly indeed independently initially input inputs inside instead intentionally interesting"
    " internal internally invalid issue issues itself keychain known largely legacy length library limit"
    " literal literally local locally locked lockout log-in logic login longer lower lowercase manager"
    " managers mandatory manually match maybe merely method minimal mismatch missing module mostly nearly"
    " needed neither never newly normal normally nothing obsolete obvious obviously offline often okay online"
    " only open option optional optionally options otherwise outdated outside overly partially partly passed"
    " perfect perfectly permanent permanently plain plaintext policies policy possible possibly present"
    " prevent previously primary private privately probably problem proceed prompt prompts proper properly"
    " property protect protection protocol prove provided public publicly purely quality quite random randomly"
    " rarely rather ready really recently records recover recovery redundant refresh register relevant"
    " reliably remove repeatedly required reset restore resume return right rotated rules safe safely salted"
    " same save screen screens secondary secret section secure securely sensitive separate setting settings"
    " setup share shared shorter shown silently simple simply slightly solely something sometimes somewhere"
    " special stale start static still storage stored strict strictly string strings strong stronger strongly"
    " submit successfully suddenly sufficient support supposed supposedly switch system table temporarily"
    " temporary tests there therefore together token tokens totally transient transparently trivial truly"
    " typically unclear unfortunately unique unknown unlock unsafe unset unusual update updates upgrade upper"
    " uppercase useless usual usually valid validator value values variable variables vault verbatim verify"
    " visible visibly wasted weaker weakly whatever where within without working worthless written wrong"
    " wrongly yours "
)
_ABROAD = (
    "passwor", "passwd", "kennwort", "contrase", "senha", "wachtwoord", "haslo", "heslo", "parola", "salasana",
    "adgangskod", "passord", "jelszo", "jelsz", "sifre", "sandi", "geslo", "lozinka", "motdepasse",
    "motpasse", "parool",
    "slaptazodis", "clave", "mot", "passe", "codigo", "losenord", "lösenord", "jeton", "secret", "token",
    "credential",
)
# fmt: on
_OF_FLAGS = " option flag argument parameter switch setting or are via instead "
_UNTOLD_ENDS = (
    "ed",
    "ing",
    "able",
    "ible",
    "ive",
    "ful",
    "less",
    "ous",
    "tion",
    "ment",
    "ness",
    "ity",
    "than",
    "token",
    "secret",
    "apikey",
    "authkey",
    "accesskey",
    "passw",
    "pass",
)  # fmt: skip
_LABELS = ("token", "secret", "passw", "pwd", "apikey", "authkey", "accesskey", "credential")
SHORTEST, LONGEST = 6, 128


def words(value: str) -> bool:
    """Whether ``value`` is a passphrase of words, under a label that can only mean a password."""
    if not SHORTEST <= len(value) <= LONGEST or values.placeholder(value):
        return False
    if " " in value:
        told = value.split(" ")
        if _SPACED().match(value) is None or any(listed(word, _SENTENCE) for word in told):
            return False
        return sum(not _dull(word) for word in told) >= 3
    if _JOINED().match(value) is None:
        return False
    pieces = [piece.lower() for piece in _PIECES().findall(value)]
    meant = [piece for piece in pieces if len(piece) > 1 and not _dull(piece)]
    return bool(meant) and (len(meant) == len(pieces) or len(meant) >= 3)


def alone(value: str) -> bool:
    """Whether ``value`` without quotes is such a passphrase, and no name in code: no ``SecretStr``, no attribute."""
    if not words(value) or values.code(value):
        return False
    return "-" in value or value[1:] == value[1:].lower() or len(_PIECES().findall(value)) >= 3


def passphrase(value: str) -> bool:
    """Whether ``value`` is three words or more with hyphens between, none of them out of code: rare in any text."""
    return value.count("-") >= 2 and "_" not in value and "." not in value and words(value)


def said(value: str) -> bool:
    """Whether ``value`` is a word that sentences and manuals put behind a flag's name: "the --password option"."""
    return listed(value.lower(), _SENTENCE) or listed(value.lower().removesuffix("s"), _OF_FLAGS)


def named(value: str) -> bool:
    """Whether ``value`` is such a passphrase, and not the name of what it stands under: ``authtoken``."""
    low = value.lower()
    return words(value) and not any(label in low for label in _LABELS)


def couple(value: str) -> bool:
    """Whether ``value`` is two words that no sentence about secrets is made of, as the value of a header may be."""
    both = value.split(" ")
    if len(both) != 2 or not all(word.isalpha() and word.islower() and len(word) > 2 for word in both):
        return False
    return not any(_dull(word) or listed(word, _SENTENCE) or listed(word, _UNTOLD) for word in both)


def lone(value: str) -> bool:
    """Whether ``value`` may be the word that a sentence tells as a password, and not what it says of one."""
    low = value.lower()
    if not named(value) or values.code(value) or "_" in value or "." in value:
        return False
    return not listed(low, _UNTOLD) and ("-" in value or not low.endswith(_UNTOLD_ENDS))


def counted(value: str) -> bool:
    """Whether ``value`` is a word with a number, after a sentence that says a password comes: ``liverpool88``."""
    match = _COUNTED().match(value)
    if match is None or values.placeholder(value) or values.plain_data(value) or values.hexadecimal(value):
        return False
    low = match[0].lower()
    return _SCHEME().match(low) is None and not low.startswith(_ABROAD) and not looks.path(value)


def personal(value: str) -> bool:
    """Whether ``value`` is a word and a number as people make passwords of them, where one is sure to stand."""
    match = _PERSONAL().match(value)
    if match is None or values.placeholder(value) or values.hexadecimal(value):
        return False
    word = match[1].lower()
    return not (
        listed(word, _NUMBERED)
        or listed(word.removesuffix("s"), _NUMBERED)
        or listed(word, _SENTENCE)
        or listed(word, _UNTOLD)
        or _dull(word)
        or _SCHEME().match(value.lower()) is not None
        or any(label in word for label in _LABELS)
    )


def _dull(word: str) -> bool:
    return listed(word, _STATES) or listed(word, _TYPES) or word.startswith(_ABROAD) or values.dull(word)
