"""Documents as Markdown and as passages, hostile ones among them."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from projection.documents.apart import convert_apart
from projection.documents.formats import MOST_BYTES, convert
from projection.documents.passages import LONGEST, parts
from projection.errors import UnreadableDocument

WORD = """<?xml version="1.0" encoding="UTF-8"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Sign in</w:t></w:r></w:p>
<w:p><w:r><w:t>Users sign in with a passkey.</w:t></w:r></w:p>
</w:body></w:document>"""
STYLES = """<?xml version="1.0" encoding="UTF-8"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>"""
TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/></Types>"""
RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>"""
OF_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
</Relationships>"""


def docx(document: str = WORD, **more: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", TYPES)
        package.writestr("_rels/.rels", RELATIONS)
        package.writestr("word/document.xml", document)
        package.writestr("word/styles.xml", STYLES)
        package.writestr("word/_rels/document.xml.rels", OF_DOCUMENT)
        for name, content in more.items():
            package.writestr(name, content)
    return held.getvalue()


def pdf(*pages: str, password: str | None = None) -> bytes:
    writer = PdfWriter()
    for words in pages:
        page = writer.add_blank_page(300, 300)
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password is not None:
        writer.encrypt(password, algorithm="RC4-128")
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()


def refused(name: str, content: bytes) -> str:
    with pytest.raises(UnreadableDocument) as error:
        convert(name, content)
    return str(error.value)


def test_markdown_is_kept_as_it_is():
    made = convert("spec.md", b"\xef\xbb\xbf# Sign in\r\n\r\nUsers sign in.\r\n")
    assert (made.format, made.title, made.text) == ("markdown", "Sign in", "# Sign in\n\nUsers sign in.\n")


def test_html_becomes_markdown_without_what_runs_or_is_hidden():
    page = b"""<html><head><title>x</title><script>alert('head')</script></head><body><h1>Sign in</h1>
    <script>alert('body')</script><style>.a{}</style><!-- hidden order --><p onclick="run()">Users <b>sign</b> in.</p>
    <a href=" java\nscript:alert(1)">click</a><a href="https://example.com/a">here</a>
    <img src="data:image/png;base64,AA">
    <iframe src="https://example.com"></iframe><ul><li>one</li><li>two</li></ul></body></html>"""
    made = convert("spec.html", page)
    assert made.title == "Sign in"
    assert "Users **sign** in." in made.text
    assert "[here](https://example.com/a)" in made.text
    assert "- one\n- two" in made.text
    for gone in ("alert", "hidden order", "javascript", "base64", "iframe", "onclick", ".a{}"):
        assert gone not in made.text


def test_word_becomes_markdown():
    made = convert("spec.docx", docx())
    assert (made.format, made.title) == ("docx", "Sign in")
    assert made.text == "# Sign in\n\nUsers sign in with a passkey.\n"


def test_a_pdf_becomes_markdown_with_its_pages():
    made = convert("spec.pdf", pdf("Users sign in", "# with a passkey"))
    assert made.text == "## Page 1\n\nUsers sign in\n\n## Page 2\n\n\\# with a passkey\n"
    assert made.title == "spec"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.xyz", b"x", "its format is not known"),
        ("a.pdf", b"x", "called pdf and is none"),
        ("a.docx", b"x", "called docx and is none"),
        ("a.md", b"ok\n\xff\xfa", "line 2 is not UTF-8"),
        ("a.md", b"bin\x00ary", "it is not text"),
        ("a.md", b" \n", "there is no text in it"),
        ("a.md", b"x" * (MOST_BYTES + 1), "larger than 20 MB"),
        ("a.txt", b"word " * 250_000, "more than 1,000,000 characters"),
        ("a.pdf", b"%PDF-1.7\n" + b"\x00garbage" * 50, "it is damaged, or no PDF"),
        ("a.docx", b"PK\x03\x04garbage", "its package cannot be opened"),
        ("a.html", b"<script>alert(1)</script>", "there is no text in it"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(name, content, why):
    assert why in refused(name, content)


def test_an_encrypted_pdf_and_one_without_text_are_refused():
    assert "it is encrypted; save it without a password" in refused("a.pdf", pdf("secret", password="sesame"))
    assert "scanned pages need text recognition first" in refused("a.pdf", pdf(""))


def test_a_zip_bomb_is_refused_before_it_unpacks():
    bomb = docx(**{"word/media/zeros": b"\0" * 30_000_000})
    assert len(bomb) < 100_000
    assert "it would unpack to far more" in refused("a.docx", bomb)
    assert "no Word document" in refused("a.docx", _package({"other.txt": b"x"}))


def _package(parts_of: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, content in parts_of.items():
            package.writestr(name, content)
    return held.getvalue()


def test_an_entity_bomb_is_refused():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(12))
    page = f"<?xml version='1.0'?><!DOCTYPE w [{entities}]>" + WORD.split("?>", 1)[1].replace(
        "Sign in", "&e11;"
    )
    with pytest.raises(UnreadableDocument):
        convert_apart("a.docx", docx(page))


def test_html_nested_without_end_is_refused():
    page = b"<div>" * 20_000 + b"deep" + b"</div>" * 20_000
    assert "it is nested too deeply" in refused("a.html", page)


def test_a_child_of_its_own_gives_the_same_and_its_refusals():
    assert convert_apart("spec.docx", docx()) == convert("spec.docx", docx())
    with pytest.raises(UnreadableDocument, match="it is encrypted"):
        convert_apart("a.pdf", pdf("x", password="sesame"))


def test_a_child_that_takes_too_much_is_ended_with_a_reason():
    with pytest.raises(UnreadableDocument, match=r"took more than .*10 MB"):
        convert_apart("spec.docx", docx(), megabytes=10)


def test_passages_stand_under_their_headings():
    text = "intro\n\n# A\n\none\n\n## B\n\n```\n# not a heading\n```\n\n# C\n\ntwo\n"
    assert [(one.heading, one.text) for one in parts(text)] == [
        ("", "intro"),
        ("A", "one"),
        ("A > B", "```\n# not a heading\n```"),
        ("C", "two"),
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=80), st.sampled_from(["# A", "## B", "```", "\n", "word " * 500, "x" * 4000])
        ),
        max_size=12,
    ).map("\n".join)
)
def test_every_word_lies_in_one_passage_or_a_heading(text):
    cut = parts(text)
    assert all(one.text == text[one.starts : one.ends] and 0 < len(one.text) <= LONGEST for one in cut)
    ends = [0, *(one.ends for one in cut)]
    assert all(one.starts >= before for one, before in zip(cut, ends, strict=False))
    between = "".join(text[a:b] for a, b in zip(ends, [*(one.starts for one in cut), len(text)], strict=True))
    assert all(not line.strip() or line.lstrip().startswith("#") for line in between.split("\n"))
