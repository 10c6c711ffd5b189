// The live feed: rows drawn by the server arrive as events; pausing keeps them until one looks again.
import { times } from "./times.js";
import { offline } from "./fresh.js";

const MOST = 200;
const KEPT = 500;

export function feed() {
  const list = document.querySelector("[data-feed]:not([data-known])");
  if (!list) return;
  list.dataset.known = "";
  const state = document.querySelector("[data-feed-state]");
  const pause = document.querySelector("[data-feed-pause]");
  const waiting = [];
  let paused = false, planned = false, missed = 0;

  const tell = (text) => { if (state && state.textContent !== text) state.textContent = text; };
  const count = () => waiting.length + missed;

  function draw() {
    planned = false;
    if (paused) return tell(`Paused: ${count()} new`);
    const rows = waiting.splice(0, waiting.length);
    const fresh = document.createDocumentFragment();
    for (const { id, html } of rows) {
      const made = document.createRange().createContextualFragment(html).firstElementChild;
      document.getElementById(id)?.remove();
      if (made) fresh.prepend(made);
    }
    document.querySelector("[data-feed-empty]")?.remove();
    list.prepend(fresh);
    while (list.children.length > MOST) list.lastElementChild.remove();
    times(list);
    tell(missed ? `Live; ${missed} passed by while this was paused` : "Live");
    missed = 0;
  }

  function plan() {
    if (!planned) { planned = true; requestAnimationFrame(draw); }
  }

  const source = new EventSource(list.dataset.feed);
  source.addEventListener("open", () => { offline(false); tell(paused ? "Paused" : "Live"); });
  source.addEventListener("error", () => {
    offline(true);
    tell(source.readyState === EventSource.CLOSED ? "Not connected. Load the page again." : "Not connected; trying again");
  });
  source.addEventListener("rows", (event) => {
    for (const row of JSON.parse(event.data)) {
      waiting.push(row);
      if (waiting.length > KEPT) { waiting.shift(); missed += 1; }
    }
    plan();
  });
  source.addEventListener("strip", (event) => {
    const strip = document.querySelector("[data-strip]");
    if (strip) { strip.replaceWith(document.createRange().createContextualFragment(event.data).firstElementChild); }
  });
  if (pause) {
    pause.hidden = false;
    pause.addEventListener("click", () => {
      paused = !paused;
      pause.setAttribute("aria-pressed", String(paused));
      pause.textContent = paused ? "Go on" : "Pause";
      draw();
    });
  }
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}
