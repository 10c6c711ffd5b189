"""A cheap look that tells most events apart: strings made of words and short numbers alone hold no secret.

It saves a hook the whole of redaction on an ordinary tool call. Whatever has another sign or a longer run in it,
and is neither a UUID nor an agent's own call id, is left to redaction; tests hold the two to the same answer.
"""

from __future__ import annotations

from capture.naming import wordlike

# Signs that may stand between words; any other sign but letters and digits makes a string not plain.
_BETWEEN = str.maketrans("/._-*|&;<>()[]\n…", " " * 16)
# Words that a token may begin with and go on in words: written out by chance or not, redaction decides.
_STARTS = (
    "glpat-", "gloas-", "gldt-", "glrt", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-",
    "glwt-", "glcbt-", "glc_", "dckr_", "github_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "xapp-",
    "xwfp-", "sk-", "sk_", "sk.", "pk-", "pk_", "pk.", "rk_", "tk.", "tk-", "hvs.", "hvb.", "hvr.", "ATATT",
    "ATCTT", "AQ.", "AVNS", "CFPAT", "GOCSPX", "HRKU", "NRA", "NRB", "NRI", "NRJ", "NRR", "PMAK", "apify_",
    "bb_live", "bb_test", "bedrock-", "chpt_", "essu_", "ewog", "ewoi", "eyJ", "figd_", "figo", "figu_",
    "fio-", "fm1", "fm2", "fo1_", "fw_", "hook.", "hooks.", "webhook", "lib1", "libsql", "lio_", "lip_",
    "mct_", "nvapi", "ops_", "pa-", "pat-", "pat_", "pscale", "pypi-", "rzp_", "sb_", "sl.", "smry_", "sntry",
    "snyk_", "sq0", "sqp_", "squ_", "sqa_", "syr_", "tfp_", "tgp_", "tskey", "tvly", "vca_", "vci_", "vck_",
    "vcp_", "vcr_", "vercel_", "vk1.", "wandb_", "whsec", "xai-", "ya29", "1//", "npm_", "rubygems_", "pul-",
    "dp.", "bkua_", "bkaj_", "bkct_", "bkr_", "key-", "key_", "hf_", "gsk_", "r8_", "aio_", "dop_", "doo_",
    "dor_", "shp", "lin_", "ntn_", "secret_", "lsv2", "fc-", "pplx", "pcsk_", "cflt", "cpk_", "csk", "ctx7",
    "dkea", "YCA", "YCN", "_sandbox_", "_live_", "md-", "AzSe", "AKID",
)  # fmt: skip
# Words that make what stands near them suspicious.
_CUES = (
    "pass", "pwd", "pw", "token", "secret", "cred", "key", "login", "log in", "sign in", "auth", "community",
    "kennwort", "contras", "senha", "mot de",
)  # fmt: skip
_IDS = ("toolu_", "call_")
# A run of small letters and digits as people, and makers of temporary folders, number things.
_SHORT = 11
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdef")


def plain(strings: list[str]) -> bool:
    """Whether none of ``strings`` can hold a secret, by the look of their words."""
    left = [one for one in strings if not _known_id(one)]
    text = "\n".join(left)
    if any(start in text for start in _STARTS):
        return False
    if not all(_word(piece) for piece in set(text.translate(_BETWEEN).split())):
        return False
    return all(_quiet(one) for one in left)


def _word(piece: str) -> bool:
    if not (piece.isascii() and piece.isalnum()):
        return False
    return (len(piece) <= _SHORT and (piece.islower() or piece.isdigit() or len(piece) == 1)) or wordlike(
        piece
    )


def _quiet(text: str) -> bool:
    """Whether a string has no word that makes others suspicious, and digits in neither mixed case nor a sentence."""
    low = text.lower()
    if any(cue in low for cue in _CUES):
        return False
    if low == text and " " not in text:
        return True
    return sum(sign in _DIGITS for sign in text) < (1 if " " in text else 2)


def _known_id(text: str) -> bool:
    """Whether ``text`` is a UUID, or a call's id as agents make them."""
    text = text.removeprefix("exec-")
    if len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-":
        return _HEX.issuperset(text.replace("-", ""))
    return len(text) <= 40 and text.startswith(_IDS) and text.partition("_")[2].isalnum()
