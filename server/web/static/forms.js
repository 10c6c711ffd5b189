// Small comforts: a picked value looks at once, a sent form shows that it works, many boxes are ticked together.
import { say } from "./toasts.js";

function busy() {
  if (document.querySelector(".busy")) return;
  const bar = document.createElement("div");
  bar.className = "busy";
  bar.setAttribute("role", "progressbar");
  bar.setAttribute("aria-label", "Working");
  document.body.append(bar);
}

export function forms() {
  for (const form of document.querySelectorAll("form:not([data-known])")) {
    form.dataset.known = "";
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented || form.method === "dialog") return;
      // What was left open stays out of an address that is passed on.
      if (form.method === "get") for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
      busy();
    });
    if (form.dataset.pick !== undefined) form.addEventListener("change", () => form.requestSubmit());
  }
  for (const all of document.querySelectorAll("input[data-all]:not([data-known])")) {
    all.dataset.known = "";
    all.closest("[hidden]")?.removeAttribute("hidden");
    all.addEventListener("change", () => {
      for (const box of document.querySelectorAll(`input[name="${all.dataset.all}"]`)) box.checked = all.checked;
    });
  }
  for (const button of document.querySelectorAll("button[data-copy]:not([data-known])")) {
    button.dataset.known = "";
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        say("Copied");
      } catch { say("The browser did not allow it: select the text and copy it"); }
    });
  }
}

// A page that comes back from the browser's memory is not busy, and its fields are usable again.
addEventListener("pageshow", () => {
  document.querySelector(".busy")?.remove();
  for (const field of document.querySelectorAll("form[method=get] :disabled")) field.disabled = false;
});
