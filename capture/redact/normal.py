"""Text as a reader sees it: escapes, colour codes, invisible and full-width characters, split strings undone."""

from capture.redact.programs import Program

# Each alternative is something that hides or splits what is read; group 1 or 2 holds a character's code.
_NOISE = Program(
    "normal.noise",
    r"\x1b\[[0-9;?]{0,16}[A-Za-z]|\\(?:x1b|u001b|033|e)\[[0-9;]{0,12}m|\\u00([0-7][0-9A-Fa-f])|\\x([0-7][0-9A-Fa-f])"
    r"|\\\r?\n[ \t]{0,24}(?=[A-Za-z0-9_+/=-])"
    r"|[\"'][ \t]{0,8}(?:[+.&]|\|\|)?[ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?(?:[+.&][ \t]{0,8})?[\"'](?=[A-Za-z0-9_+/=-])"
    r"|&#(\d{2,3});|&#x([0-7][0-9A-Fa-f]);|[\x00\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]|[\uff01-\uff5e]"
    r"|(?<=[A-Za-z])[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u03bf\u03b1]|[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u03bf\u03b1](?=[A-Za-z])",
)
# Letters of other alphabets that look like Latin ones, and which.
_ALIKE = dict(
    zip("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u03bf\u03b1", "aeopcyxisoa", strict=True)
)
_HINTS = ("\x1b[", "\\x", "\\u00", "\\033[", "\\e[", "\\\n", "\\\r\n", "&#", "\x00")
_JOINS = Program("normal.joins", r"[\"'][ \t]{0,8}(?:[+.&]|\|\||\\?\r?\n)[\s+.&]{0,40}[\"'][A-Za-z0-9_+/=-]")


def unfold(text: str) -> "tuple[str, list[int]] | None":
    """Return the text as read and, for each of its characters (and its end), the offset in ``text``.

    None where nothing hides.
    """
    if text.isascii() and not any(hint in text for hint in _HINTS) and not _JOINS().search(text):
        return None
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in _NOISE().finditer(text):
        start, end = match.span()
        found = match[0]
        pieces.append(text[at:start])
        offsets.extend(range(at, start))
        code = match[1] or match[2] or match[4]
        char = ""
        if code:
            char = chr(int(code, 16))
        elif match[3]:
            char = chr(int(match[3]) & 0x7F) if int(match[3]) < 128 else ""
        elif "\uff01" <= found <= "\uff5e":
            char = chr(ord(found) - 0xFEE0)
        else:
            char = _ALIKE.get(found, "")
        if char:
            pieces.append(char)
            offsets.append(start)
        at = end
    if not at:
        return None
    pieces.append(text[at:])
    offsets.extend(range(at, len(text) + 1))
    return "".join(pieces), offsets
