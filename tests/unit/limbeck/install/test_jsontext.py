from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbeck.install.jsontext import NotJson, parse, with_item, with_member, without

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
styles = st.sampled_from(
    [
        {"indent": None},
        {"indent": 2},
        {"indent": 4},
        {"indent": "\t"},
        {"indent": None, "separators": (",", ":")},
        {"indent": None, "separators": (" ,\t", " : ")},
    ]
)


@given(values, styles, st.booleans(), st.sampled_from(["", "\n", "\r\n", "  \n\n"]))
def test_reads_what_json_reads(value, style, ascii_only, tail):
    text = json.dumps(value, ensure_ascii=ascii_only, **style) + tail
    assert parse(text).value == json.loads(text)


@given(st.text(alphabet='{}[]",:0123456789-+.eE \\nturfalsbx\t\n/*', max_size=30))
def test_accepts_exactly_what_json_accepts(text):
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(NotJson):
            parse(text)
    else:
        assert parse(text).value == expected


@given(st.dictionaries(st.text(min_size=1), values, max_size=4), styles, values)
def test_a_member_put_in_and_taken_out_leaves_the_text_as_it_was(document, style, value):
    document.pop("new", None)
    text = json.dumps(document, **style).replace("\n", "\r\n") + "\r\n"
    longer = with_member(text, parse(text), "new", value)
    assert json.loads(longer) == {**document, "new": value}
    assert list(json.loads(longer))[-1] == "new"
    node = parse(longer)
    assert without(longer, node, node.children[-1]) == text


@given(st.lists(values, max_size=4), styles, values)
def test_an_item_put_in_and_taken_out_leaves_the_text_as_it_was(items, style, value):
    text = json.dumps({"list": items, "after": 1}, **style)
    listed = parse(text).children[0].node
    longer = with_item(text, listed, value)
    assert json.loads(longer) == {"list": [*items, value], "after": 1}
    again = parse(longer).children[0].node
    assert without(longer, again, again.children[-1]) == text


@given(st.lists(values, min_size=1, max_size=5), styles, st.data())
def test_taking_any_item_out_leaves_the_others(items, style, data):
    text = json.dumps(items, **style)
    place = data.draw(st.integers(0, len(items) - 1))
    node = parse(text)
    assert json.loads(without(text, node, node.children[place])) == items[:place] + items[place + 1 :]


def test_new_lines_follow_the_files_own_indentation():
    text = '{\n    "a": {\n        "b": 1\n    }\n}\n'
    assert with_member(text, parse(text), "n", [1]) == (
        '{\n    "a": {\n        "b": 1\n    },\n    "n": [\n        1\n    ]\n}\n'
    )


def test_one_line_stays_one_line():
    assert with_member('{"a":1}', parse('{"a":1}'), "n", [1, 2]) == '{"a":1, "n": [1, 2]}'


def test_comments_and_trailing_commas_are_kept_where_they_are_allowed():
    text = '// top\n{\n  "a": 1, /* one */ // more\n  "b": [1, 2,],\n}\n'
    node = parse(text, comments=True)
    assert node.value == {"a": 1, "b": [1, 2]}
    longer = with_member(text, node, "n", 3)
    assert longer == '// top\n{\n  "a": 1, /* one */ // more\n  "b": [1, 2,],\n  "n": 3,\n}\n'
    again = parse(longer, comments=True)
    assert without(longer, again, again.children[-1]) == text


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", (1, 1)),
        ('{"a": 1,}', (1, 9)),
        ('{"a": 1\n "b": 2}', (2, 2)),
        ("{'a': 1}", (1, 2)),
        ('{"a": 01}', (1, 8)),
        ("{} x", (1, 4)),
        ("// no\n{}", (1, 1)),
        ("[" * 5000, (1, 202)),
        ('"\x01"', (1, 1)),
    ],
)
def test_says_where_the_text_stops_being_json(text, where):
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == where


def test_of_repeated_keys_the_last_one_counts():
    node = parse('{"a": 1, "a": 2}').child("a")
    assert node is not None
    assert node.value == 2


def test_a_byte_order_mark_is_no_obstacle():
    text = "\ufeff{}"
    assert with_member(text, parse(text), "a", 1) == '\ufeff{\n  "a": 1\n}'
