"""The seam to regular expressions: everything is declared, and a loader can replace the compiler."""

import re

from capture.redact import programs


def test_every_pattern_is_listed_once_and_compiles():
    listed = list(programs.all_programs())
    keys = [key for key, _, _ in listed]
    assert len(set(keys)) == len(keys) > 250
    for _, source, flags in listed:
        re.compile(source, flags)


def test_a_loader_replaces_the_compiler(monkeypatch):
    asked = []

    def loader(key, source, flags):
        asked.append((key, source, flags))
        return re.compile("made by the loader")

    monkeypatch.setattr(programs, "compile_program", programs.compile_program)
    monkeypatch.setattr(programs, "_declared", {})
    monkeypatch.setattr(programs, "_compiled", {})
    programs.use_loader(loader)
    declared = programs.Program("test.one", "a", programs.IGNORECASE)
    assert declared().pattern == "made by the loader"
    assert declared() is declared()
    assert programs.program("test.two", "b").pattern == "made by the loader"
    assert asked == [("test.one", "a", 2), ("test.two", "b", 0)]
