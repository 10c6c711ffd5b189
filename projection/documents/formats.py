"""Documents of several formats as Markdown. Nothing in one runs, and nothing outside of it is read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any

from projection.errors import UnreadableDocument

MOST_BYTES = 20 * 1024 * 1024
MOST_CHARACTERS = 1_000_000
MOST_PAGES = 2_000
MOST_UNPACKED = 100 * 1024 * 1024
MOST_PARTS = 5_000
MOST_RATIO = 200  # of a packed part of some size
SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
_BLANK = re.compile(r"\n{3,}")
# What is shown to nobody, runs, or brings in something from elsewhere.
_UNSEEN = (
    *("script", "style", "noscript", "template", "iframe", "object", "embed", "svg"),
    *("head", "form", "link", "meta"),
)
_LIVELY = ("javascript:", "data:", "vbscript:", "file:")


@dataclass(frozen=True, slots=True)
class Converted:
    """A document's text as Markdown, not yet cleaned of secrets."""

    format: str
    title: str
    text: str
    source_bytes: int


def format_of(name: str, content: bytes) -> str:
    """Which format this is, by its first bytes, else by its name. Raises UnreadableDocument."""
    if content.startswith(b"%PDF-"):
        return "pdf"
    if content.startswith(b"PK\x03\x04"):
        return "docx"
    found = SUFFIXES.get(PurePath(name).suffix.lower())
    if found is None:
        known = ", ".join(sorted(SUFFIXES))
        raise UnreadableDocument(name=name, why=f"its format is not known; {known} are read")
    if found in ("pdf", "docx"):
        raise UnreadableDocument(name=name, why=f"it is called {found} and is none")
    return found


def convert(name: str, content: bytes) -> Converted:
    """Turn one document into Markdown. Raises UnreadableDocument with what is wrong and what to do."""
    if len(content) > MOST_BYTES:
        raise UnreadableDocument(name=name, why=f"it is larger than {MOST_BYTES // 1024**2} MB; split it")
    kind = format_of(name, content)
    read: dict[str, Callable[[str, bytes], str]] = {
        "markdown": _text,
        "text": _text,
        "html": _html,
        "pdf": _pdf,
        "docx": _docx,
    }
    try:
        told = read[kind](name, content)
    except RecursionError as error:
        raise UnreadableDocument(name=name, why="it is nested too deeply") from error
    return _made(name, kind, told, len(content))


def from_text(name: str, text: str) -> Converted:
    """A text that is Markdown already. Raises UnreadableDocument."""
    return _made(name, "markdown", text, len(text.encode("utf-8", "replace")))


def _made(name: str, kind: str, told: str, size: int) -> Converted:
    text = told.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").strip("\n")
    if not text.strip():
        more = " (scanned pages need text recognition first)" if kind == "pdf" else ""
        raise UnreadableDocument(name=name, why=f"there is no text in it{more}")
    if len(text) > MOST_CHARACTERS:
        raise UnreadableDocument(name=name, why=f"it has more than {MOST_CHARACTERS:,} characters; split it")
    return Converted(kind, title_of(text) or PurePath(name).stem, text + "\n", size)


def title_of(text: str) -> str:
    """The first top heading of a Markdown text, or nothing."""
    found = re.search(r"(?m)^# +(\S.*?)(?: +#+)?$", text)
    return found[1].strip()[:200] if found else ""


def _text(name: str, content: bytes) -> str:
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UnreadableDocument(name=name, why=f"line {line} is not UTF-8 text; save it as UTF-8") from error
    if "\x00" in text[:4096]:
        raise UnreadableDocument(name=name, why="it is not text")
    return text


def _html(name: str, content: bytes) -> str:
    return _markdown(_text(name, content))


def _markdown(page: str) -> str:
    from bs4 import BeautifulSoup, Comment
    from markdownify import MarkdownConverter

    soup = BeautifulSoup(page, "html.parser")
    for tag in soup.find_all(_UNSEEN):
        tag.decompose()
    for comment in soup.find_all(string=lambda found: isinstance(found, Comment)):
        comment.extract()
    for tag in soup.find_all(["a", "img"]):
        for name in ("href", "src"):
            held = str(tag.get(name) or "")
            if "".join(held.split()).lower().startswith(_LIVELY):
                del tag[name]
    return _BLANK.sub("\n\n", str(MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(soup)))


def _pdf(name: str, content: bytes) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableDocument(name=name, why="it is encrypted; save it without a password")
        if len(reader.pages) > MOST_PAGES:
            raise UnreadableDocument(name=name, why=f"it has more than {MOST_PAGES:,} pages; split it")
        pages, size = [], 0
        for number, page in enumerate(reader.pages, 1):
            text = page.extract_text().strip()
            size += len(text)
            if size > MOST_CHARACTERS:
                break  # the caller says that it is too long
            if text:
                pages.append(f"## Page {number}\n\n{_no_headings(text)}")
    except UnreadableDocument:
        raise
    except ImportError as error:
        why = "it is encrypted in a way that cannot be read here; save it without a password"
        raise UnreadableDocument(name=name, why=why) from error
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        OSError,
        ArithmeticError,
    ) as error:
        why = f"it is damaged, or no PDF ({type(error).__name__})"
        raise UnreadableDocument(name=name, why=why) from error
    return "\n\n".join(pages)


def _no_headings(text: str) -> str:
    """A page's lines that only look like headings stay lines."""
    return re.sub(r"(?m)^(#{1,6}\s)", r"\\\1", text)


def _docx(name: str, content: bytes) -> str:
    mammoth: Any = import_module("mammoth")
    _unpackable(name, content)
    try:
        page = mammoth.convert_to_html(
            io.BytesIO(content),
            convert_image=mammoth.images.img_element(lambda _image: {}),
            external_file_access=False,
        ).value
    except Exception as error:  # the library raises whatever its XML parser does
        why = f"it is damaged, or no Word document ({type(error).__name__})"
        raise UnreadableDocument(name=name, why=why) from error
    return _markdown(page)


def _unpackable(name: str, content: bytes) -> None:
    """Refuse a package that would unpack to far more than it is, before anything of it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise UnreadableDocument(name=name, why="it is damaged: its package cannot be opened") from error
    unpacked = sum(part.file_size for part in parts)
    packed = max((p.file_size / max(p.compress_size, 1) for p in parts if p.file_size > 1_000_000), default=0)
    if unpacked > MOST_UNPACKED or len(parts) > MOST_PARTS or packed > MOST_RATIO:
        raise UnreadableDocument(name=name, why="it would unpack to far more than a document holds")
    if not any(part.filename == "word/document.xml" for part in parts):
        raise UnreadableDocument(name=name, why="it is a package, but no Word document")
