// "/" goes to the search field, j and k walk a list's rows once the focus is in it.
const typing = (target) => target.closest("input, select, textarea, [contenteditable]");

export function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "/") {
      const field = document.querySelector("main input[type=search]");
      if (field) { event.preventDefault(); field.focus(); field.select(); }
      return;
    }
    const list = event.target.closest("[data-walk]");
    if (!list || !["j", "k"].includes(event.key)) return;
    const stops = [...list.querySelectorAll("a.title, a[data-stop], summary")];
    const row = event.target.closest("li");
    const here = stops.findIndex((stop) => stop === event.target || row?.contains(stop));
    const next = stops[here + (event.key === "j" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); }
  });
}
