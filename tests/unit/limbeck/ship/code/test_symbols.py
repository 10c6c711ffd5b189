"""Names, kinds and lines of symbols, language by language, and what counts as a change of one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbeck.ship.code.changes import changes
from limbeck.ship.code.complexity import complexity
from limbeck.ship.code.grammars import grammar_of
from limbeck.ship.code.symbols import symbols_in

PYTHON = """import os

class Cart:
    limit = 3

    @property
    def total(self):
        if self.limit and self.open:
            return 1
        return 0

def load(path):
    def inner():
        return 2
    return inner()
"""
LANGUAGES = {
    "a.py": (PYTHON, [("class", "Cart", 3, 10), ("method", "Cart.total", 6, 10), ("function", "load", 12, 15),
                      ("function", "load.inner", 13, 14)]),
    "a.js": ("function a() {}\nconst b = async (x) => 1;\nclass K {\n  f = () => 1;\n  m() {}\n}\n"
             "module.exports.z = function () {};\n",
             [("function", "a", 1, 1), ("function", "b", 2, 2), ("class", "K", 3, 6), ("method", "K.f", 4, 4),
              ("method", "K.m", 5, 5), ("function", "module.exports.z", 7, 7)]),
    "a.ts": ("interface I { a: number }\ntype T = string;\nenum E { A }\nabstract class K<T> {\n  m<T>(a: T): T {\n"
             "    return a\n  }\n}\nnamespace N { export function q() {} }\n",
             [("type", "I", 1, 1), ("type", "T", 2, 2), ("type", "E", 3, 3), ("class", "K", 4, 8),
              ("method", "K.m", 5, 7), ("function", "N.q", 9, 9)]),
    "a.tsx": ("export const Box = (p: P) => <b>{p.a}</b>;\n", [("function", "Box", 1, 1)]),
    "a.jsx": ("export function Box(p) { return <b>{p.a}</b>; }\n", [("function", "Box", 1, 1)]),
    "a.go": ("package p\ntype S struct { a int }\ntype I interface { M() }\nfunc F() {}\nfunc (s *S) M() {}\n"
             "func (s S[T]) G() {}\n",
             [("type", "S", 2, 2), ("type", "I", 3, 3), ("function", "F", 4, 4), ("method", "S.M", 5, 5),
              ("method", "S.G", 6, 6)]),
    "a.rs": ("mod m { fn deep() {} }\nstruct S<T> { a: T }\ntrait Tr { fn d(&self) {} }\nimpl<T> Tr for S<T> {\n"
             "    fn d(&self) {}\n}\n",
             [("function", "m.deep", 1, 1), ("type", "S", 2, 2), ("type", "Tr", 3, 3), ("method", "Tr.d", 3, 3),
              ("method", "S.d", 5, 5)]),
    "A.java": ("package p;\n@A\n"
               "class K {\n  K() {}\n  @Override\n  int m(int a) { return 1; }\n}\nrecord R(int a) {}\n",
               [("class", "K", 2, 7), ("method", "K.K", 4, 4), ("method", "K.m", 5, 6), ("class", "R", 8, 8)]),
    "a.rb": ("module M\n  class K\n    def m(a)\n    end\n    def self.s\n    end\n  end\nend\ndef f\nend\n",
             [("class", "M", 1, 8), ("class", "M.K", 2, 7), ("method", "M.K.m", 3, 4), ("method", "M.K.s", 5, 6),
              ("function", "f", 9, 10)]),
    "a.c": ("struct s { int a; };\n"
            "typedef struct { int b; } t;\nstatic int *f(int a) { return 0; }\nint proto(void);\n",
            [("type", "s", 1, 1), ("type", "t", 2, 2), ("function", "f", 3, 3)]),
    "a.cpp": ("namespace n {\nclass K {\n  ~K() {}\n  int m() { return 1; }\n};\n}\nint n::K::z(int a) { return a; }\n"
              "template <class T> T f(T a) { return a; }\n",
              [("class", "K", 2, 5), ("method", "K.~K", 3, 3), ("method", "K.m", 4, 4), ("method", "n.K.z", 7, 7),
               ("function", "f", 8, 8)]),
    "a.cs": ("namespace N {\n  class K {\n    public K() {}\n    public int M(int a) { return a; }\n  }\n"
             "  struct S {}\n  interface I { void Z(); }\n}\n",
             [("class", "K", 2, 5), ("method", "K.K", 3, 3), ("method", "K.M", 4, 4), ("type", "S", 6, 6),
              ("type", "I", 7, 7), ("method", "I.Z", 7, 7)]),
    "a.php": ("<?php\nfunction f($a) {}\nclass K {\n  public function m() {}\n}\ntrait T { function t() {} }\n",
              [("function", "f", 2, 2), ("class", "K", 3, 5), ("method", "K.m", 4, 4), ("type", "T", 6, 6),
               ("method", "T.t", 6, 6)]),
}  # fmt: skip


def found(path: str, text: str):
    grammar = grammar_of(path)
    assert grammar is not None
    return symbols_in(grammar, text.encode())


@pytest.mark.parametrize("path", LANGUAGES)
def test_names_kinds_and_lines(path):
    text, expected = LANGUAGES[path]
    parsed = found(path, text)
    assert [(one.kind, one.name, one.start, one.end) for one in parsed.symbols] == expected
    assert not parsed.broken


@pytest.mark.parametrize("path", ["a.kt", "README.md", "style.css", "Makefile"])
def test_other_languages_have_no_grammar(path):
    assert grammar_of(path) is None


def test_cyclomatic_complexity_of_each_function():
    parsed = found("a.py", PYTHON)
    measured = complexity(grammar_of("a.py"), PYTHON, parsed.symbols)
    by_name = {one.name: value for one, value in zip(parsed.symbols, measured.each, strict=True)}
    assert by_name["Cart.total"] == 3
    assert by_name["load.inner"] == 1
    assert by_name["Cart"] is None
    assert measured.total == sum(value for value in by_name.values() if value)
    assert measured.functions == 3


BRANCHES = {
    "a.js": "function f(a) { if (a && a.b) { return 1 } for (;;) {} }\n",
    "a.ts": "class K { f(a: string): number { if (a && a.b) { return 1 } for (;;) {} } }\n",
    "a.go": "package p\nfunc f(a int) int {\n  if a > 1 && a < 3 {\n    return 1\n  }\n  for {\n  }\n}\n",
    "a.rs": "fn f(a: i32) -> i32 {\n  if a > 1 && a < 3 { return 1 }\n  while a > 2 {}\n  0\n}\n",
    "A.java": "class K {\n  int f(int a) { if (a > 1 && a < 3) { return 1; } for (;;) {} }\n}\n",
    "a.rb": "def f(a)\n  if a && b\n    1\n  end\n  while c\n  end\nend\n",
    "a.c": "int f(int a) { if (a && a > 2) { return 1; } for (;;) {} }\n",
    "a.cpp": "int K::f(int a) { if (a && a > 2) { return 1; } for (;;) {} }\n",
    "a.cs": "class K { int F(int a) { if (a > 1 && a < 3) { return 1; } for (;;) {} } }\n",
    "a.php": "<?php\nfunction f($a) { if ($a && $b) { return 1; } for (;;) {} }\n",
}


@pytest.mark.parametrize("path", BRANCHES)
def test_a_condition_of_two_and_a_loop_are_four_paths_in_every_language(path):
    parsed = found(path, BRANCHES[path])
    measured = complexity(grammar_of(path), BRANCHES[path], parsed.symbols)
    assert measured.each[-1] == 4
    assert (measured.total, measured.functions) == (4, 1)


def changed(before: str, after: str, path: str = "a.py"):
    told = changes(found(path, before).symbols, found(path, after).symbols)
    return [(one.change, one.symbol.name) for one in told]


def test_added_removed_and_changed():
    after = PYTHON.replace("return 1", "return 3").replace("def load", "def read")
    assert changed(PYTHON, after) == [
        ("changed", "Cart.total"),
        ("added", "read"),
        ("added", "read.inner"),
        ("removed", "load"),
        ("removed", "load.inner"),
    ]


def test_comments_and_spaces_are_no_change_but_indentation_that_means_something_is():
    commented = PYTHON.replace("    limit = 3\n", "    limit   =   3  # three\n\n\n")
    assert changed(PYTHON, commented) == []
    assert changed("def f():\n    if a:\n        b()\n        c()\n",
                   "def f():\n    if a:\n        b()\n    c()\n") == [("changed", "f")]  # fmt: skip


def test_a_decorator_belongs_to_what_it_decorates():
    assert changed(PYTHON, PYTHON.replace("@property", "@cached")) == [("changed", "Cart.total")]


def test_of_several_with_one_name_only_what_is_new_is_told():
    before = "class K {\n  int m(int a) { return 1; }\n}\n"
    after = "class K {\n  int m() { return 0; }\n  int m(int a) { return 1; }\n}\n"
    assert changed(before, after, "A.java") == [("added", "K.m")]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), st.data())
def test_torn_text_still_gives_symbols_within_it(path, data):
    text = LANGUAGES[path][0]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    torn = text[:start] + text[end:]
    parsed = found(path, torn)
    lines = torn.count("\n") + 1
    assert all(1 <= one.start <= one.end <= lines for one in parsed.symbols)
    assert changes(parsed.symbols, parsed.symbols) == []
    measured = complexity(grammar_of(path), torn, parsed.symbols)
    assert len(measured.each) == len(parsed.symbols)


def test_deep_nesting_is_walked_without_recursion():
    parsed = found("a.js", "function f() { return " + "(" * 3000 + "1" + ")" * 3000 + " }\n")
    assert [one.name for one in parsed.symbols] == ["f"]
