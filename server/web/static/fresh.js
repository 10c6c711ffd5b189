// What was changed in one tab shows in the others: they draw their page again unless somebody is writing in it.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("limbeck") : null;

const chosen = (field) => Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));

function writing() {
  if ([...document.querySelectorAll("main select")].some((field) => field.selectedIndex !== chosen(field))) return true;
  return [...document.querySelectorAll("main textarea, main input:not([type=hidden])")].some((field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
}

async function again(start) {
  if (writing() || document.querySelector("dialog[open]") || document.querySelector("[data-feed]")) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  offline(!answer);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["main", ".places", ".toasts"]) {
    const old = document.querySelector(part), made = page.querySelector(part);
    if (old && made) {
      const focus = old.contains(document.activeElement) ? document.activeElement.id || document.activeElement.getAttribute("href") : null;
      old.replaceWith(made);
      if (focus) [...made.querySelectorAll("[id], [href]")].find((one) => one.id === focus || one.getAttribute("href") === focus)?.focus();
    }
  }
  document.querySelector("main [data-changed]")?.remove();
  start();
}

export function offline(yes) {
  const note = document.querySelector("[data-offline]");
  if (note) note.hidden = !yes;
}

export function fresh(start) {
  let looked = Date.now();
  channel?.addEventListener("message", () => { looked = Date.now(); again(start); });
  if (document.querySelector("main [data-changed]")) {
    channel?.postMessage("changed");
    // A reload or a shared address does not say again what was done.
    const address = new URL(location.href);
    for (const name of ["done", "at"]) address.searchParams.delete(name);
    history.replaceState(null, "", address);
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < 20000) return;
    looked = Date.now();
    again(start);
  });
  addEventListener("offline", () => offline(true));
  addEventListener("online", () => { offline(false); again(start); });
}
