"""The feed under a load: everything arrives, the page stays short and keeps drawing."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from .conftest import PICTURES, wait_until

RATE, BATCHES = 200, 12
SHORT = 200
FRAMES = """
() => { window.frames_ = []; let last = performance.now();
  const tick = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick); }
"""


def test_two_hundred_a_second_are_shown_and_the_page_keeps_drawing(house, owner):
    page = owner.go("/now")
    expect(page.locator("[data-feed-state]")).to_have_text("Live")
    page.evaluate(FRAMES)
    teller = house.teller()
    for batch in range(BATCHES):
        for number in range(RATE // 4):
            teller.prompt("s-load", f"load {batch}-{number}")
        page.wait_for_timeout(250)
    teller.prompt("s-load", "the last of the load")
    expect(page.get_by_text("the last of the load")).to_be_visible(timeout=30_000)
    assert page.locator("[data-feed] > li").count() <= SHORT
    frames = sorted(page.evaluate("window.frames_"))
    PICTURES.mkdir(parents=True, exist_ok=True)
    told = {
        "frames": len(frames),
        "p50_ms": frames[len(frames) // 2],
        "p95_ms": frames[int(len(frames) * 0.95)],
        "longest_ms": frames[-1],
    }
    (PICTURES / "frames.json").write_text(json.dumps(told, indent=1))
    wait_until(
        lambda: (
            house.scalar("SELECT count(*) FROM exchanges WHERE text LIKE 'load %'") == BATCHES * (RATE // 4)
        ),
        "not every event became a row",
    )
