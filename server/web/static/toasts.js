// A deletion can be undone until its moment: then the server carries it out, whether this page is open or not.
export function toasts() {
  for (const toast of document.querySelectorAll(".toast[data-due]:not([data-watched])")) {
    toast.dataset.watched = "";
    const left = new Date(toast.dataset.due) - Date.now();
    setTimeout(() => toast.remove(), Math.max(0, left));
  }
}

export function say(text, kind = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  document.querySelector(".toasts")?.append(toast);
  setTimeout(() => toast.remove(), 6000);
}
