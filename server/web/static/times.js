// Times in the reader's own zone and, where near, as how long ago. The exact moment stays in the title.
const SIZES = [[86400, "d"], [3600, "h"], [60, "min"]];

export function ago(seconds) {
  for (const [size, unit] of SIZES) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  return `${Math.max(0, Math.floor(seconds))} s ago`;
}

function write(element) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const seconds = (Date.now() - at) / 1000;
  if (element.dataset.day !== undefined) element.textContent = at.toLocaleDateString(undefined, { dateStyle: "medium" });
  else if (seconds >= -2 && seconds < 86400) element.textContent = ago(seconds);
  else element.textContent = at.toLocaleString(undefined, { ...(seconds < 300 * 86400 ? {} : { year: "numeric" }), month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  element.title = at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
}

export function times(root = document) {
  for (const element of root.querySelectorAll("time[datetime]")) write(element);
}

setInterval(() => { if (!document.hidden) times(); }, 15000);
