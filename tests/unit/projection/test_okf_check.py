"""Our own checker: one broken bundle for every rule."""

from __future__ import annotations

import pytest

from projection.okf.check import check

CONCEPT = b'---\ntype: "Fact"\ntitle: "A"\n---\n# A\n'
GOOD = {
    "index.md": b'---\nokf_version: "0.1"\n---\n# Shop\n\n* [Facts](facts/) - what holds\n* [Log](log.md) - by day\n',
    "log.md": b"# Log\n\n## 2026-03-02\n\n* **Update** two\n\n## 2026-03-01\n\n* **Creation** one\n",
    "facts/index.md": b"# Facts\n\n* [A](a.md) - the first\n",
    "facts/a.md": CONCEPT,
}


def found(**changed):
    files = dict(GOOD)
    for path, content in changed.pop("files").items():
        if content is None:
            files.pop(path)
        else:
            files[path] = content
    return [(one.rule, one.level, one.path, one.line) for one in check(files)]


def test_a_good_bundle_has_no_finding():
    assert check(GOOD) == []


@pytest.mark.parametrize(
    ("rule", "level", "path", "line", "content"),
    [
        ("R3", "error", "facts/a.md", 1, b"# no frontmatter\n"),
        ("R3", "error", "facts/a.md", 1, b"---\ntype: Fact\n"),
        ("R3", "error", "facts/a.md", 3, b"---\ntype: Fact\ntitle: [a\n---\n"),
        ("R3", "error", "facts/a.md", 2, b"---\njust words\n---\n"),
        ("R3", "error", "facts/a.md", 2, b"---\n\xff\n---\n"),
        ("R3", "error", "facts/a.md", 1, b"\xef\xbb\xbf" + CONCEPT),
        ("R4", "error", "facts/a.md", 1, b"---\ntitle: A\n---\n"),
        ("R4", "error", "facts/a.md", 1, b"---\ntype: ''\n---\n"),
        ("R4", "error", "facts/a.md", 1, b"---\ntype: [Fact]\n---\n"),
        ("R5", "warning", "facts/a.md", 1, b"---\ntype: Fact\ntags: auth\n---\n"),
        ("R5", "warning", "facts/a.md", 1, b"---\ntype: Fact\ntimestamp: soon\n---\n"),
        ("R5", "warning", "facts/a.md", 1, b"---\ntype: Fact\ntitle: 7\n---\n"),
        ("R8", "warning", "facts/a.md", 4, b"---\ntype: Fact\n---\n[gone](b.md)\n"),
        ("R8", "warning", "facts/a.md", 4, b"---\ntype: Fact\n---\n[gone](/facts/b.md)\n"),
        ("R9", "warning", "facts/a.md", 6, b"---\ntype: Fact\n---\n# Citations\n\n* a source\n"),
        (
            "R10",
            "error",
            "facts/index.md",
            1,
            b"---\nokf_version: '0.1'\n---\n# Facts\n\n* [A](a.md) - the first\n",
        ),
        ("R11", "error", "index.md", 1, b"---\nokf_version: '0.1'\ntype: Index\n---\n# Shop\n"),
        ("R11", "error", "index.md", 2, b"---\nokf_version: 0.1\n---\n# Shop\n"),
        ("R12", "error", "facts/index.md", 1, b"welcome\n"),
        ("R12", "warning", "facts/index.md", 3, b"# Facts\n\n* a bullet without a link\n"),
        ("R12", "warning", "facts/index.md", 3, b"# Facts\n\n* [A](a.md)\n"),
        ("R13", "error", "log.md", 1, b"---\ntype: Log\n---\n# Log\n"),
        ("R13", "error", "log.md", 3, b"# Log\n\n## Yesterday\n\n* x\n"),
        ("R13", "error", "log.md", 3, b"# Log\n\n## 2026-02-30\n\n* x\n"),
        ("R13", "error", "log.md", 5, b"# Log\n\n## 2026-03-01\n* x\n## 2026-03-02\n* y\n"),
    ],
)
def test_each_rule_names_the_file_and_the_line(rule, level, path, line, content):
    assert (rule, level, path, line) in found(files={path: content})


def test_a_folder_without_an_index_or_without_any_page_is_told():
    assert found(files={"facts/index.md": None}) == [
        ("R8", "warning", "index.md", 6),
        ("R10", "warning", "facts", 0),
    ]
    assert [one.rule for one in check({"manifest.json": b"{}"})] == ["R1"]


def test_what_readers_must_tolerate_is_no_error():
    """Unknown types and keys, absolute links, code that looks like links or headings."""
    page = (
        b"---\ntype: Something New\nowner: ada\n---\n[A](/facts/a.md)\n\n```\n[x](y.md)\n## not a date\n```\n"
    )
    assert found(files={"facts/b.md": page}) == []
