"""No error's own words reach a log, and no statement's values an error: each is decided at one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .conftest import ROOT

LOGS = "schema/logs.py"  # the one place that writes what nobody caught
BANNED = {"exception", "format_exc", "print_exc", "print_exception", "format_exception"}


def calls(packages: list[str]) -> Iterator[tuple[str, ast.Call, str]]:
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    name = (
                        node.func.attr
                        if isinstance(node.func, ast.Attribute)
                        else getattr(node.func, "id", "")
                    )
                    yield path.relative_to(ROOT).as_posix(), node, name


def test_nothing_logs_or_prints_an_error_with_its_words(packages):
    found = {
        f"{where}:{call.lineno} {name}"
        for where, call, name in calls(packages)
        if name in BANNED or any(word.arg == "exc_info" for word in call.keywords)
    }
    assert found == set()


def test_every_engine_hides_the_values_of_a_statement_that_failed(packages):
    engines = [(where, call) for where, call, name in calls(packages) if name == "create_engine"]
    assert engines
    for where, call in engines:
        hidden = any(
            word.arg == "hide_parameters"
            and isinstance(word.value, ast.Constant)
            and word.value.value is True
            for word in call.keywords
        )
        assert hidden, f"{where}:{call.lineno}"


def test_every_process_writes_its_log_the_quiet_way(packages):
    found = {where for where, _, name in calls(packages) if name in {"basicConfig", "dictConfig"}}
    assert found == {LOGS}
