"""Who comes in: by a token, by a link that works once; and who is out again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from server.tokens import store

from .conftest import OURS


def link(browser, token) -> str:
    answer = browser.client.post("/signin/links", headers={"Authorization": f"Bearer {token.text}"})
    assert answer.status_code == 201
    return answer.json()["path"]


def test_who_is_not_signed_in_is_sent_to_the_door_and_back(world):
    answer = world.stranger().client.get("/facts?text=a")
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/signin?next=/facts%3Ftext%3Da".replace("/facts", "%2Ffacts"),
    )
    token = world.token("team", "ada")
    done = world.stranger().client.post(
        "/signin", data={"token": token.text, "next": "/facts?text=a"}, headers={"Origin": OURS}
    )
    assert done.headers["location"] == "/facts?text=a"


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_the_door_leads_nowhere_else(world, next_):
    token = world.token("team", "ada")
    done = world.stranger().client.post(
        "/signin", data={"token": token.text, "next": next_}, headers={"Origin": OURS}
    )
    assert done.headers["location"] == "/now"


def test_the_cookie_is_for_the_server_alone(world):
    token = world.token("team", "ada")
    done = world.stranger().client.post("/signin", data={"token": token.text}, headers={"Origin": OURS})
    cookie = done.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert token.secret not in cookie


def test_over_https_the_cookie_is_secure_and_bound_to_the_host(world):
    token = world.token("team", "ada")
    browser = world.stranger()
    browser.client.base_url = "https://127.0.0.1"
    done = browser.client.post("/signin", data={"token": token.text})
    assert "__Host-limbeck_visit=" in done.headers["set-cookie"]
    assert "Secure" in done.headers["set-cookie"]
    assert browser.client.get("/facts").status_code == 200


@pytest.mark.parametrize("wrong", ["", "lbk_team_" + "0" * 16 + "_" + "0" * 64, "nonsense"])
def test_a_wrong_token_is_refused_with_the_same_words(world, wrong):
    answer = world.stranger().client.post("/signin", data={"token": wrong}, headers={"Origin": OURS})
    assert answer.status_code == 401
    assert "That token is not valid here" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_link_signs_in_once(world):
    browser, token = world.stranger(), world.token("team", "ada")
    path = link(browser, token)
    assert browser.client.get(path).status_code == 303
    assert "ada" in browser.get("/facts").text
    again = world.stranger().client.get(path)
    assert again.status_code == 401
    assert "was used already" in again.text


def test_a_link_that_another_page_led_to_asks_first(world):
    browser = world.stranger()
    path = link(browser, world.token("team", "ada"))
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Purpose": "prefetch;prerender"}):
        assert "Sign in with this link" in browser.client.get(path, headers=headers).text
    done = browser.client.post("/signin/link", data={"key": path.split("key=")[1]}, headers={"Origin": OURS})
    assert done.status_code == 303


def test_an_old_link_is_refused(world):
    browser = world.stranger()
    path = link(browser, world.token("team", "ada"))
    with world.database.tenant("team") as connection:
        connection.execute(text("UPDATE visit_links SET expires_at = now()"))
    assert browser.client.get(path).status_code == 401


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}])
def test_a_link_is_made_for_a_token_alone(world, header):
    assert world.stranger().client.post("/signin/links", headers=header).status_code == 401


def test_signing_out_ends_the_visit(ada):
    cookies = dict(ada.client.cookies)
    assert ada.post("/signout") == "/signin?done=out"
    ada.client.cookies.update(cookies)
    assert ada.client.get("/facts").status_code == 303


def test_a_visit_ends_with_its_token(world):
    token = world.token("team", "ada")
    browser = world.stranger().sign_in(token.text)
    browser.get("/facts")
    with world.database.tenant("team") as connection:
        store.revoke(connection, "team", token.id, datetime.now(UTC))
    assert browser.client.get("/facts").status_code == 303


@pytest.mark.parametrize("change", ["expires_at = now()", "seen_at = now() - interval '4 days'"])
def test_a_visit_ends_by_itself(world, change):
    token = world.token("team", "ada")
    browser = world.stranger().sign_in(token.text)
    with world.database.tenant("team") as connection:
        connection.execute(text(f"UPDATE visits SET {change} WHERE token = :token"), {"token": token.id})
    answer = browser.client.get("/facts")
    assert "why=ended" in answer.headers["location"]


def test_the_database_holds_no_secret_of_a_visit(world):
    token = world.token("team", "ada")
    browser = world.stranger().sign_in(token.text)
    secret = browser.client.cookies["limbeck_visit"].rsplit("_", 1)[1]
    with world.database.tenant("team") as connection:
        rows = connection.execute(text("SELECT v::text FROM visits v")).scalars().all()
    assert rows
    assert not any(secret in row for row in rows)


def test_a_form_without_a_mark_of_its_visit_is_refused(world, ada):
    other = world.browser("team", "bert")
    for mark in ("", "x" * 96, other.get("/settings").mark):
        told = ada.post("/theme", 403, mark=mark, theme="dark")
        assert "was not made by this visit" in told
    assert ada.post("/theme", theme="dark") == "/settings?done=saved"


def test_a_page_of_another_origin_is_refused(ada):
    mark = ada.get("/settings").mark
    answer = ada.client.post(
        "/theme", data={"mark": mark, "theme": "dark"}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
