"""Settings in the viewer: changed where the machine keeps them, a key never shown, nothing for who may not."""

from __future__ import annotations

import secrets
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from limbeck.services import state as states
from server.principal import Right


@pytest.fixture(autouse=True)
def untouched(world):
    """The machine's settings as they were, after each test."""
    yield
    (world.home / "config.toml").unlink(missing_ok=True)


def field(page, name: str) -> dict[str, str]:
    return next(
        one for tag in ("input", "select", "textarea") for one in page.all(tag) if one.get("name") == name
    )


def audited(world) -> list[tuple[str, list[str], str]]:
    with world.database.everyone("team") as connection:
        rows = connection.exec_driver_sql(
            "SELECT operation, ids, outcome FROM audit WHERE operation = 'change_settings' ORDER BY at DESC, id DESC"
        )
        return [tuple(row) for row in rows]


def test_every_setting_is_shown_with_its_source_and_a_field_where_it_can_be_changed(ada):
    page = ada.get("/settings")
    assert "/settings/values" in page.forms
    assert field(page, "daily_usd")["value"] == "1.0"
    assert field(page, "was.daily_usd")["value"] == "1.0"
    assert "What the model may cost a day" in page.text
    for kept in ("client", "database_url", "server_port"):
        assert not [one for one in page.all("input") if one.get("name") == kept]
        assert f"On the server’s machine: limbeck config set {kept}" in page.text.replace("'", "’")


def test_a_value_is_changed_and_stands_there_with_its_source(world, ada):
    led = ada.post("/settings/values", group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2.5"})
    assert led == "/settings?at=caps&done=set#caps"
    assert world.config == "daily_usd = 2.5\n"
    page = ada.get("/settings")
    assert field(page, "daily_usd")["value"] == "2.5"
    assert "set in config.toml; the default is 1.0" in page.text
    assert audited(world)[0] == ("change_settings", ["daily_usd"], "done")


def test_a_value_that_waits_with_an_earlier_change_is_told_so(world, ada):
    told = states.read(world.home / "run")
    states.write(world.home / "run", replace(told, held={"client": "what it was at the start"}))
    try:
        led = ada.post("/settings/values", group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2.5"})
        assert led == "/settings?at=caps&done=set-waits#caps"
        shown = ada.get("/settings", at="caps", done="set-waits").text
        assert "It waits with what was changed on the machine before" in shown
    finally:
        states.write(world.home / "run", told)


def test_what_the_form_did_not_change_is_left_as_somebody_else_set_it(world, ada):
    ada.post("/settings/values", group="caps", **{"was.session_usd": "0.25", "session_usd": "0.5"})
    old = {"was.session_usd": "0.25", "session_usd": "0.25", "was.daily_usd": "1.0", "daily_usd": "3"}
    ada.post("/settings/values", group="caps", **old)
    assert world.config == "session_usd = 0.5\ndaily_usd = 3.0\n"


def test_an_empty_field_goes_back_to_the_default(world, ada):
    ada.post("/settings/values", group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"})
    ada.post("/settings/values", group="caps", **{"was.daily_usd": "2.0", "daily_usd": ""})
    assert world.config == ""
    assert ada.post("/settings/values", group="caps", **{"was.at_cap": "offline", "at_cap": "offline"}) == (
        "/settings?done=same"
    )


def test_rules_are_written_a_line_each(world, ada):
    ada.post(
        "/settings/values", group="ignored", **{"was.ignore_paths": "", "ignore_paths": "a/**\r\n*.pem\r\n"}
    )
    assert world.config == 'ignore_paths = [\n    "a/**",\n    "*.pem",\n]\n'
    assert "a/**\n*.pem" in ada.get("/settings").text


def test_a_key_is_taken_replaced_and_taken_out_and_never_shown(world, ada):
    keys = [secrets.token_hex(16) for _ in range(2)]
    for key in keys:
        ada.post("/settings/values", group="models", anthropic_api_key=key)
        assert key in world.config
        page = ada.get("/settings")
        assert key not in page.html
        assert field(page, "anthropic_api_key").get("value", "") == ""
        assert field(page, "anthropic_api_key")["placeholder"] == "set; type to replace it"
    ada.post("/settings/values", group="models", anthropic_api_key="")
    assert keys[1] in world.config
    ada.post("/settings/values", group="models", out="anthropic_api_key")
    assert world.config == ""
    assert str(keys) not in str(audited(world))
    assert audited(world)[0][1] == ["anthropic_api_key"]


def test_what_cannot_be_used_is_told_beside_its_form_and_what_was_typed_stays(world, ada):
    key = secrets.token_hex(16)
    told = ada.post(
        "/settings/values",
        400,
        group="caps",
        anthropic_api_key=key,
        **{"was.daily_usd": "1.0", "daily_usd": "lots"},
    )
    assert "daily_usd cannot be used: an amount from 0 upwards is wanted, as 2.50." in told
    assert 'value="lots"' in told
    assert key not in told
    assert world.config == ""


def test_an_address_needs_the_key_that_is_sent_there(world, ada):
    ada.post("/settings/values", group="models", anthropic_api_key="one")
    moved = {"was.anthropic_url": "", "anthropic_url": "https://elsewhere.example"}
    told = ada.post("/settings/values", 400, group="models", **moved)
    assert "the key is sent there, so give anthropic_api_key with it" in told
    assert "elsewhere" not in world.config
    ada.post("/settings/values", group="models", anthropic_api_key="two", **moved)
    assert "elsewhere" in world.config


def test_what_the_environment_sets_is_shown_as_such_and_refused(world, ada, monkeypatch):
    monkeypatch.setenv("LIMBECK_MODEL", "a-model")
    page = ada.get("/settings")
    assert "Set by LIMBECK_MODEL: change it there" in page.text
    assert not [one for one in page.all("input") if one.get("name") == "model"]
    told = ada.post("/settings/values", 400, group="models", **{"was.model": "", "model": "another"})
    assert "set by LIMBECK_MODEL" in told
    assert world.config == ""


def test_in_a_deployment_nothing_can_be_changed_here(world, ada):
    state = world.home / "run" / "state.json"
    kept = state.read_text()
    state.unlink()
    try:
        page = ada.get("/settings")
        assert "/settings/values" not in page.forms
        assert "part of a deployment that keeps its settings" in page.text
        ada.post("/settings/values", 400, group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"})
    finally:
        state.write_text(kept)
    assert world.config == ""


def test_who_may_not_is_refused_and_shown_no_form(world):
    for right, projects in ((Right.READ, None), (Right.WRITE, None)):
        person = world.browser("team", f"somebody-{right}", right, projects)
        page = person.get("/settings")
        assert "/settings/values" not in page.forms
        assert not [one for one in page.forms if one.startswith("/settings/projects/")]
        person.post("/settings/values", 403, group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"})
    held = world.browser("team", "held", Right.ADMIN, ["00000000-0000-7000-8000-000000000000"])
    assert "/settings/values" not in held.get("/settings").forms
    held.post("/settings/values", 403, group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"})
    assert world.config == ""


def test_somebody_of_another_client_changes_nothing_of_the_machine(world, eve):
    page = eve.get("/settings")
    assert "/settings/values" not in page.forms
    told = eve.post("/settings/values", 400, group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"})
    assert "its own client" in told
    assert world.config == ""


def test_somebody_of_another_client_sees_no_value_of_the_machine(world, ada, eve):
    given = {
        "was.ignore_projects": "",
        "ignore_projects": "/home/ada/heron",
        "was.model": "",
        "model": "heron-2",
    }
    ada.post("/settings/values", group="ignored", **given)
    assert "/home/ada/heron" in ada.get("/settings").text
    assert field(ada.get("/settings"), "model")["value"] == "heron-2"
    page = eve.get("/settings")
    assert "heron" not in page.text
    assert "set; never shown" in page.text


def test_a_form_of_another_visit_changes_nothing(world, ada):
    ada.post(
        "/settings/values", 403, mark="0" * 64, group="caps", **{"was.daily_usd": "1.0", "daily_usd": "2"}
    )
    assert world.config == ""


def project_of(page) -> tuple[str, str]:
    """The first project's id and its name."""
    at = next(
        n for n, (tag, given) in enumerate(page.tags) if tag == "form" and given["action"].endswith("/name")
    )
    name = next(
        given["value"] for tag, given in page.tags[at:] if tag == "input" and given.get("name") == "name"
    )
    return page.tags[at][1]["action"].split("/")[3], name


def test_a_project_is_left_out_and_taken_in_again(world, ada):
    project, _ = project_of(ada.get("/settings"))
    assert (
        ada.post(f"/settings/projects/{project}/capture", capture="off")
        == "/settings?at=projects&done=left-out#projects"
    )
    assert world.config.startswith("ignore_projects = ")
    assert "left out" in ada.get("/settings").text
    assert (
        ada.post(f"/settings/projects/{project}/capture", capture="on")
        == "/settings?at=projects&done=taken-in#projects"
    )
    assert world.config == ""
    ada.post(f"/settings/projects/{project}/capture", 400, capture="perhaps")
    ada.post("/settings/projects/00000000-0000-7000-8000-000000000000/capture", 404, capture="off")


def test_a_project_is_renamed_and_keeps_its_memory(world, ada):
    project, old = project_of(ada.get("/settings"))
    assert (
        ada.post(f"/settings/projects/{project}/name", name="The  shop")
        == "/settings?at=projects&done=named#projects"
    )
    try:
        assert "The shop" in ada.get("/settings").text
        ada.get("/sessions", project="The shop")
        ada.post(f"/settings/projects/{project}/name", 400, name="ghp_" + secrets.token_hex(18))
    finally:
        ada.post(f"/settings/projects/{project}/name", name=old)


def test_of_two_forms_that_were_open_at_once_the_second_is_told_and_keeps_what_was_typed(world, ada):
    other = world.browser("team", "adam")
    page = ada.get("/settings")
    drawn = {
        name: field(page, name).get("value", "") for name in ("was.ignore_tools", "version.ignore_tools")
    }
    other.post("/settings/values", group="ignored", **drawn, ignore_tools="Todo*")
    told = ada.post("/settings/values", 409, group="ignored", **drawn, ignore_tools="Grep")
    assert "Somebody changed it first: ignore_tools is now Todo*; nothing was changed." in told
    assert ">Grep</textarea>" in told
    assert world.config == 'ignore_tools = ["Todo*"]\n'
    assert audited(world)[0][2] == "conflict"


def test_who_is_held_to_some_projects_reads_no_rule_of_the_others(world, ada):
    ada.post(
        "/settings/values", group="ignored", **{"was.ignore_projects": "", "ignore_projects": "zz/other"}
    )
    with world.database.tenant("team") as connection:
        one = connection.exec_driver_sql("SELECT project::text FROM projects LIMIT 1").scalar()
    page = world.browser("team", "held", projects=[one]).get("/settings")
    assert "zz/other" in ada.get("/settings").html
    assert "zz/other" not in page.html
    assert "/settings/values" not in page.forms
    assert "the settings are of all of them" in page.text


def test_every_project_is_reached_page_by_page(world):
    world.database.add_client("many")
    with world.database.tenant("many") as connection:
        connection.exec_driver_sql("""
            INSERT INTO projects (client, project, name, root)
            SELECT 'many', gen_random_uuid(), 'p' || lpad(g::text, 3, '0'), '/src/p' || g
            FROM generate_series(1, 53) g
        """)
    mona = world.browser("many", "mona")
    first = mona.get("/settings")
    assert "50 of 53" in first.text
    assert ("p050" in first.html.partition("data-pick")[2], "/src/p51<" in first.html) == (True, False)
    address = next(one["href"] for one in first.all("a") if "after=" in one["href"])
    second = mona.get("/settings", after=parse_qs(urlsplit(address).query)["after"][0])
    assert "3 of 53" in second.text
    assert all(f"/src/p{n}<" in second.html for n in (51, 52, 53))


def test_a_name_that_another_project_is_known_by_is_refused(world):
    world.database.add_client("named")
    with world.database.tenant("named") as connection:
        connection.exec_driver_sql("""
            INSERT INTO projects (client, project, name, remote) VALUES
            ('named', gen_random_uuid(), 'one', 'git.example/one'), ('named', gen_random_uuid(), 'two', NULL)
        """)
        two = connection.exec_driver_sql("SELECT project::text FROM projects WHERE name = 'two'").scalar()
    nora = world.browser("named", "nora")
    told = nora.post(f"/settings/projects/{two}/name", 400, name="git.example/one")
    assert "another project is known by it" in told
    nora.post(f"/settings/projects/{two}/name", name="three")
