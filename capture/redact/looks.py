"""What a run of characters looks like: words, a name in code, a path, or something no person would write."""

from capture.redact.programs import Program

_WORDY = Program(
    "looks.wordy", r"[\[(<]?[A-Za-z]{1,60}+(?:[\s_./:,'-]{1,4}[A-Za-z]{1,60}+){0,60}[\])>.:!?;,]{0,4}$"
)
_IDENTIFIER = Program(
    "looks.identifier",
    r"_{0,3}[A-Za-z]{1,60}+(?:[_.-]{1,2}[A-Za-z]{1,60}+){0,12}_?[0-9]{0,2}(?:[_.-][A-Za-z]{1,60}+){0,8}_{0,2}$"
    r"|[a-z]{1,30}+(?:_?[0-9]{1,3}(?![0-9])_?[a-z]{0,30}+){0,3}(?:_[a-z0-9]{1,30}+){1,12}$"
    r"|[A-Z]{1,30}+(?:_?[0-9]{1,3}(?![0-9])_?[A-Z]{0,30}+){0,3}(?:_[A-Z0-9]{1,30}+){1,12}$",
)
_PATH = Program(
    "looks.path", r"(?:~|\.{1,2}|[A-Za-z]:|[\w@.-]{1,40})?(?:[\\/]{1,2}[\w@.+ #~%-]{0,60}){1,40}$"
)
_RUNS = Program("looks.runs", r"[a-z]{1,200}|[A-Z][a-z]{1,200}|[A-Z]{1,200}|[0-9]{1,200}|[^A-Za-z0-9]{1,200}")
_LETTERS = Program("looks.letters", r"[A-Za-z]{1,200}")
_WORDS = Program("looks.words", r"[a-z]{4,200}")
# The letters that commonly follow each letter in words and in the names of programs.
_FOLLOWERS = {
    "a": "abcdefghiklmnprstuvwxy", "b": "abcdefijlorsuy", "c": "abcdefhiklmnoprstuvy", "d": "abcdefgilmnoprstuv",
    "e": "abcdefghiklmnopqrstuvwxy", "f": "abcdefilmnoprstu", "g": "aeghilmnorstu", "h": "aeilmorstuy",
    "i": "abcdefgklmnoprstvxz", "j": "aeosu", "k": "aeilos", "l": "abcdefilmnopstuvy", "m": "abdeiklmopstuv",
    "n": "abcdefgiklmnoprstuv", "o": "abcdefgiklmnoprstuvwx", "p": "acdefhilmoprstuvy", "q": "u",
    "r": "abcdefgiklmnoprstuvy", "s": "abcdefghiklmnopqrstuvwy", "t": "abcdefhilmnoprstuvwyz", "u": "abcdefgilmnprst",
    "v": "acefimorst", "w": "acehinors", "x": "ceipst", "y": "aeilmnpst", "z": "aei",
}  # fmt: skip
_VOWELS = "aeiouyAEIOUY"
_LONGEST = 200


def transitions(value: str) -> int:
    """How often the character class changes; a capitalised word counts as one run, separators as none."""
    runs = sum(1 for run in _RUNS().findall(value[:_LONGEST]) if run[0] not in "_-. /:")
    return max(runs - 1, 0)


def mixed(value: str) -> bool:
    """Whether letters and digits change places often, as they do in what a generator made."""
    return transitions(value) >= 4


def wordy(value: str) -> bool:
    """Whether ``value`` is letters in words, without digits or unusual signs."""
    return _WORDY().match(value) is not None and not gibberish(value)


def identifier(value: str) -> bool:
    """Whether ``value`` could be a name in code, at most two digits at the end of a word."""
    return _IDENTIFIER().match(value) is not None and not gibberish(value)


def gibberish(value: str) -> bool:
    """Whether the letters of ``value`` are no words: pairs that words avoid, or capitals in odd places."""
    chunks: list[str] = _LETTERS().findall(value[:_LONGEST])
    letters = sum(map(len, chunks))
    if letters < 6:
        return False
    cases = [run for chunk in chunks for run in _RUNS().findall(chunk)]
    rare = pairs = hardest = 0
    for run in cases:
        hardest = max(hardest, _consonants(run))
        if not run.isupper():
            rare += _rare_pairs(run)
            pairs += len(run) - 1
    if rare >= 3 and rare * 4 >= pairs:
        return True
    odd_capitals = len(cases) - len(chunks) >= 3 and letters < len(cases) * (2.8 if hardest < 4 else 4)
    return letters >= 8 and (odd_capitals or hardest >= 6)


def _rare_pairs(word: str) -> int:
    low = word.lower()
    return sum(low[at] not in _FOLLOWERS.get(low[at - 1], low) for at in range(1, len(low)))


def _vowels(word: str) -> int:
    return sum(char in _VOWELS for char in word)


def _consonants(word: str) -> int:
    longest = here = 0
    for char in word:
        here = 0 if char in _VOWELS else here + 1
        longest = max(longest, here)
    return longest


def wordlike(value: str) -> bool:
    """Whether more than half of the letters of ``value`` stand in lower-case runs of four and more."""
    words: list[str] = _WORDS().findall(value[:_LONGEST])
    letters = sum(map(str.isalpha, value[:_LONGEST]))
    return sum(len(word) for word in words if _natural(word)) * 2 > letters


def _natural(word: str) -> bool:
    return _vowels(word) > 0 and _consonants(word) < 5 and _rare_pairs(word) * 4 < len(word)


def path(value: str) -> bool:
    """Whether ``value`` is a file path or a host with one; base64 with slashes is not."""
    if _PATH().match(value) is None:
        return False
    parts = [part for part in value.replace("\\", "/").split("/") if len(part) > 3]
    made = [part for part in parts if transitions(part) >= 3 and not identifier(part) and not wordlike(part)]
    return len(made) * 2 <= len(parts) and all(len(part) < 12 or part.count(".") for part in made)


def entropy(value: str) -> float:
    """Shannon entropy of the characters of ``value``, in bits a character."""
    from math import log2

    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))
