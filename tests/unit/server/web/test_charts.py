"""Pictures are well-formed, say what they are, and keep their numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.charts.churn import Box, File, churn, squarified
from server.web.charts.graph import MOST, Column, Step, graph
from server.web.charts.life import Version, life
from server.web.charts.signals import signals
from server.web.charts.svg import clipped, element

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def test_text_and_attributes_are_escaped():
    made = parsed(element("g", '<script a="b">&', class_='"><x'))
    assert made.text == '<script a="b">&'
    assert made.attrib == {"class": '"><x'}
    assert list(made) == []


def test_what_is_clipped_ends_in_an_ellipsis():
    assert clipped("abcdefghij", 33) == "abcd…"
    assert clipped("abc", 33) == "abc"


def test_a_life_has_one_bar_a_version_from_its_beginning_to_its_end():
    first = Version("Python", NOW - 10 * DAY, NOW - 5 * DAY, NOW - 9 * DAY, None)
    second = Version("Rust", NOW - 5 * DAY, None, NOW - 5 * DAY, None)
    bars = list(parsed(life([second, first], NOW)).iter("rect"))
    assert [bar.get("class") for bar in bars] == ["held", "held now"]
    left, right = (float(bars[0].get("x")), float(bars[1].get("x")))
    assert left + float(bars[0].get("width")) == pytest.approx(right, abs=0.2)
    assert float(bars[0].get("y")) < float(bars[1].get("y"))


def test_what_is_believed_no_longer_is_dashed():
    gone = Version("x", NOW - DAY, None, NOW - DAY, NOW)
    assert [bar.get("class") for bar in parsed(life([gone], NOW)).iter("rect")] == ["gone"]


def test_a_life_of_one_instant_is_drawn():
    assert parsed(life([Version("x", NOW, NOW, NOW, None)], NOW)).tag == "svg"


def test_nothing_gives_no_picture():
    assert life([], NOW) == churn([]) == graph([], "x") == signals({}) == ""


@given(st.lists(st.integers(1, 500), min_size=1, max_size=40))
def test_boxes_fill_the_room_in_proportion(weights):
    weights.sort(reverse=True)
    boxes = squarified(weights, Box(0, 0, 960, 360))
    assert len(boxes) == len(weights)
    total = sum(weights)
    for weight, box in zip(weights, boxes, strict=True):
        assert box.width * box.height == pytest.approx(960 * 360 * weight / total, rel=1e-6)
        assert -0.01 <= box.x <= 960.01 - box.width + 0.01
        assert -0.01 <= box.y <= 360.01 - box.height + 0.01


def test_a_tile_is_warmer_the_more_lines_changed():
    svg = parsed(churn([File("a.py", 3, 400), File("b.py", 3, 4)]))
    assert [rect.get("class") for rect in svg.iter("rect")] == ["tile heat4", "tile heat0"]


def test_a_hostile_path_stays_text():
    svg = parsed(churn([File('"/><script>x</script>', 1, 1)]))
    assert {one.tag for one in svg.iter()} == {"svg", "title", "g", "rect", "text"}


def test_a_graph_marks_where_one_is_and_joins_neighbours():
    columns = [
        Column("asked", (Step("p", "prompt", "do it", "/trace?id=p"),)),
        Column("came", (Step("f", "fact", "done"), Step("g", "fact", "more", "/trace?id=g"))),
    ]
    svg = parsed(graph(columns, "f"))
    assert len(list(svg.iter("path"))) == 2
    assert [one.get("href") for one in svg.iter("a")] == ["/trace?id=p", "/trace?id=g"]
    assert [one.get("class") for one in svg.iter("rect")].count("node here") == 1


def test_a_long_column_says_how_many_more_there_are():
    column = Column("came", tuple(Step(str(n), "fact", "x") for n in range(MOST + 4)))
    svg = parsed(graph([column], "0"))
    assert len(list(svg.iter("rect"))) == MOST
    assert "and 4 more, listed below" in [one.text for one in svg.iter("text")]


def test_a_better_place_has_a_longer_bar():
    svg = parsed(signals({"keyword": 1, "semantic": 30}))
    widths = [float(rect.get("width")) for rect in svg.iter("rect")]
    assert widths[0] > widths[1]
    assert [one.text for one in svg.iter("text")] == ["keyword", "#1", "semantic", "#30"]
