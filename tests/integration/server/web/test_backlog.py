"""From a proposal to an approved item, its page, and the documents it came from."""

from __future__ import annotations

import html
import re

import pytest

from server.principal import Right

SPEC = """\
# Harbour

## Lights

The harbour must show a red light. Follow-up: paint the mole again.

## Other

Nothing to do.
"""


@pytest.fixture(scope="module")
def hedda(world):
    """A client with one project, where everything is proposed by hand."""
    teller = world.teller("harbour")
    teller.prompt("p-1", "look around")
    teller.settle()
    return world.browser("harbour", "hedda")


def propose(browser, title: str, kind: str = "TA", **fields: str) -> str:
    assert browser.post("/backlog/propose", type=kind, title=title, **fields).endswith("done=created")
    page = browser.get("/backlog")
    assert title in page.text
    return re.search(rf'<li id="d-([0-9a-f-]{{36}})"(?:(?!</li>).)*{re.escape(title)}', page.html, re.DOTALL)[
        1
    ]


def test_several_drafts_are_approved_at_once(hedda):
    chosen = [propose(hedda, title) for title in ("Mend the third crane", "Grease the long winch")]
    assert hedda.post("/backlog/drafts", draft=chosen, decision="approve", project="shop") == (
        "/backlog?project=shop&done=approved"
    )
    page = hedda.get("/backlog")
    assert {"TA4001", "TA4002"} <= set(re.findall("TA[0-9]{4}", page.html))
    assert hedda.get("/backlog/TA4001").text.count("Mend the third crane") >= 1


def test_one_draft_that_cannot_be_decided_holds_up_no_other(hedda):
    gone, stands = (propose(hedda, title) for title in ("Sweep the quay", "Tar the ropes"))
    hedda.post("/backlog/drafts", draft=[gone], decision="reject", project="shop")
    nowhere = "00000000-0000-7000-8000-000000000000"
    told = hedda.post(
        "/backlog/drafts", 400, draft=[gone, nowhere, stands], decision="reject", project="shop"
    )
    assert nowhere in told
    assert f'value="{stands}"' not in hedda.get("/backlog").html


def test_a_draft_is_reworded_and_approved_in_one(hedda):
    draft = propose(hedda, "Check the gate")
    hedda.post(
        f"/backlog/drafts/{draft}",
        decision="approve",
        title="Check both gates",
        type="BU",
        text="",
        version="1",
        project="shop",
    )
    assert "Check both gates" in hedda.get("/backlog/BU3001").text


def test_a_stale_draft_is_not_overwritten(hedda):
    draft = propose(hedda, "Count the buoys")
    hedda.post(
        f"/backlog/drafts/{draft}",
        decision="save",
        title="Count the green buoys",
        type="TA",
        text="",
        version="1",
        project="shop",
    )
    told = hedda.post(
        f"/backlog/drafts/{draft}",
        409,
        decision="save",
        title="Count nothing",
        type="TA",
        text="",
        version="1",
        project="shop",
    )
    assert "Somebody was faster" in told
    hedda.post("/backlog/drafts", draft=draft, decision="reject", reason="enough buoys", project="shop")
    page = hedda.get("/backlog")
    assert "Count the green buoys" in page.text.split("rejected or merged")[1]
    assert "enough buoys" in page.text


def test_a_draft_is_merged_into_an_item(hedda):
    draft = propose(hedda, "Oil all the winches of the north quay")
    hedda.post("/backlog/drafts", draft=draft, decision="merge", into="TA4002", project="shop")
    assert "into TA4002" in hedda.get("/backlog").text


def test_nothing_chosen_is_told(hedda):
    assert hedda.post("/backlog/drafts", decision="approve", project="shop").endswith("done=nothing")
    hedda.post("/backlog/drafts", 400, draft="0" * 36, decision="merge", project="shop")


@pytest.fixture(scope="module")
def case(hedda) -> str:
    """A use case with one open feature."""
    draft = propose(hedda, "Ships find the harbour by night", "US", text="They see lights.")
    hedda.post("/backlog/drafts", draft=draft, decision="approve", project="shop")
    below = propose(hedda, "A red light on the mole", "FE", parent="US1001")
    hedda.post("/backlog/drafts", draft=below, decision="approve", project="shop")
    return "US1001"


def move(browser, number: str, *states: str, status: int = 303) -> str:
    told = ""
    for state in states:
        told = browser.post(f"/backlog/{number}", status, state=state)
    return told


def test_the_parent_guard_is_explained_before_and_after(hedda, case):
    move(hedda, case, "pending", "in-progress", "review")
    page = hedda.get(f"/backlog/{case}")
    assert "It can be done once all that belongs to it is done" in page.text
    assert "FE2001" in page.text
    assert "disabled" in next(one for one in page.all("button") if one.get("value") == "done")
    assert "FE2001" in move(hedda, case, "done", status=400)
    move(hedda, "FE2001", "pending", "in-progress", "review", "done")
    move(hedda, case, "done")
    assert "1 of 1 done" in hedda.get("/backlog").text
    move(hedda, case, "open")


def test_what_was_done_is_noted_on_both(hedda, case):
    hedda.post(
        "/backlog/FE2001/work", outcome="The light burns <b>red</b>.", tests="seen from the sea", commit=""
    )
    for number in ("FE2001", case):
        assert "The light burns <b>red</b>." in hedda.get(f"/backlog/{number}").text


def text_of(page) -> str:
    return html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page.html, re.DOTALL)[1])


def test_a_page_is_previewed_saved_and_kept_where_both_changed(hedda, case):
    place = f"/documents/pages/{case}"
    before = text_of(hedda.get(place))
    mine = before.replace("They see lights.", "They see two lights. <script>x</script>")
    preview = hedda.post(place, 200, text=mine, act="preview")
    assert "<script>x" not in preview
    assert "They see two lights." in preview
    assert "two lights" not in hedda.get(f"/backlog/{case}").text
    assert hedda.post(place, text=mine, act="save").endswith("done=saved")
    assert "They see two lights." in hedda.get(f"/backlog/{case}").text
    theirs = before.replace("They see lights.", "They hear horns.")
    conflict = hedda.post(place, 409, text=theirs, act="save")
    assert "Somebody changed the same meanwhile" in conflict
    assert "They hear horns." in conflict
    assert "They see two lights." in hedda.get(f"/backlog/{case}").text
    assert "line" in hedda.post(place, 400, text="no page at all", act="save")


def test_a_document_shows_which_passages_became_drafts(hedda):
    place = hedda.post("/documents", name="docs/harbour.md", text=SPEC, project="shop").split("?")[0]
    assert "not read for the backlog yet" in hedda.get(place).text
    hedda.post("/backlog/classify", project="shop")
    page = hedda.get(place)
    assert [one for one in page.all("span") if one.get("class") == "tag draft"]
    assert "no draft" in page.text
    assert "The harbour must show a red light." in page.text


def test_the_bundle_is_read_and_not_written(hedda):
    page = hedda.get("/documents/okf")
    assert "index.md" in page.text
    assert page.forms <= {"/signout"}
    hedda.get("/documents/okf", 404, file="../../etc/passwd")


def test_of_several_projects_one_is_chosen(ada):
    for path in ("/backlog", "/documents/okf"):
        page = ada.get(path)
        assert "Which one?" in page.text
    assert "No draft waits" in ada.get("/backlog", project="books").text


def test_who_may_read_decides_nothing(world, hedda, case):
    rita = world.browser("harbour", "rita", Right.READ)
    for path in ("/backlog", f"/backlog/{case}", "/documents", f"/documents/pages/{case}"):
        assert rita.get(path).forms <= {"/signout"}
    for path in (
        "/backlog/drafts",
        f"/backlog/{case}",
        "/documents",
        f"/documents/pages/{case}",
        "/backlog/classify",
    ):
        rita.post(
            path,
            403,
            draft="0" * 36,
            decision="approve",
            state="done",
            text="x",
            name="x",
            act="save",
            into="x",
        )
