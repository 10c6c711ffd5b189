"""What no tracked file holds: a machine's path, the address of a package registry, a secret, a loose end."""

from __future__ import annotations

import re

from .conftest import ROOT

# One character of each is in brackets, so that this file does not find itself.
SECRETS = [
    re.compile(rule)
    for rule in (
        r"AK[I]A[0-9A-Z]{16}",
        r"g[h][pousr]_[A-Za-z0-9]{36}",
        r"github[_]pat_[A-Za-z0-9_]{40,}",
        r"glpat[-][A-Za-z0-9_-]{20}",
        r"sk[-][A-Za-z0-9_-]{24,}",
        r"xox[abprs]-[0-9A-Za-z-]{20,}",
        r"AI[z]a[0-9A-Za-z_-]{35}",
        r"ey[J][A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40,}",
    )
]
REGISTRIES = re.compile(r"pypi[.]org|pythonho[s]ted|--(extra-)?index[-]url|registry[.]npm")
LOOSE = re.compile(r"\b(TO[D]O|FIX[M]E)\b")
VARIETY = 10  # fewer different characters than this is a drawing of a secret, not one
# What the redaction is measured on is written as shapes, and some of them are the lines of such files.
SHAPES = ("limbeck/bench/shapes", "tests/unit/capture/", "tests/unit/redact/", "capture/redact/")


def looks_real(text: str) -> bool:
    return len(set(text)) >= VARIETY and not re.search(r"EXAMPLE|XXXX|xxxx", text)


def secrets_in(text: str) -> list[str]:
    return [f.group()[:12] for rule in SECRETS for f in rule.finditer(text) if looks_real(f.group())]


def test_no_literal_looks_like_a_secret(texts):
    assert {name: found for name, text in texts.items() if (found := secrets_in(text))} == {}


def test_the_check_sees_a_secret_made_now():
    import secrets

    assert secrets_in(f'token = "ghp_{secrets.token_hex(18)}"')
    assert not secrets_in("ghp_" + "x" * 36)


def test_no_file_names_a_place_on_a_machine(texts):
    places = re.compile(rf"{re.escape(str(ROOT))}/|(?<![\w.])/ro[o]t/")
    assert {name: found.group() for name, text in texts.items() if (found := places.search(text))} == {}


def test_no_file_names_a_package_registry(texts):
    found = {name for name, text in texts.items() if not name.startswith(SHAPES) and REGISTRIES.search(text)}
    assert found == set()


def test_no_code_has_a_loose_end(texts):
    code = {
        n: t
        for n, t in texts.items()
        if n.endswith((".py", ".sh", ".toml", ".yaml")) and not n.startswith(SHAPES)
    }
    assert {name for name, text in code.items() if LOOSE.search(text)} == set()


def test_every_text_ends_with_one_line_break(texts):
    made = {n: t for n, t in texts.items() if n.endswith((".py", ".md", ".toml", ".yaml", ".sh")) and t}
    assert {name for name, text in made.items() if not text.endswith("\n") or text.endswith("\n\n")} == set()


def test_scripts_may_be_run_and_nothing_else_may(tracked):
    wrong = []
    for path in tracked:
        with path.open("rb") as stream:
            is_script = stream.read(2) == b"#!"
        if bool(path.stat().st_mode & 0o100) != is_script:
            wrong.append(path.relative_to(ROOT).as_posix())
    assert wrong == []
