// A form that takes something away asks once more, in a dialog that the keyboard reaches first at "Cancel".
function ask(text, label) {
  const dialog = document.createElement("dialog");
  const words = document.createElement("p");
  words.id = "asked";
  words.textContent = text;
  const actions = document.createElement("form");
  actions.method = "dialog";
  actions.className = "actions";
  for (const [value, name, kind] of [["no", "Cancel", ""], ["yes", label, "grave"]]) {
    const button = document.createElement("button");
    button.value = value; button.textContent = name; button.className = kind;
    actions.append(button);
  }
  dialog.className = "stack";
  dialog.setAttribute("aria-labelledby", "asked");
  dialog.append(words, actions);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((settle) => dialog.addEventListener("close", () => {
    dialog.remove();
    settle(dialog.returnValue === "yes");
  }));
}

export function confirmations() {
  for (const form of document.querySelectorAll("form[data-confirm]:not([data-asks])")) {
    form.dataset.asks = "";
    form.addEventListener("submit", async (event) => {
      if (form.dataset.sure !== undefined) return;
      event.preventDefault();
      const button = event.submitter;
      if (await ask(form.dataset.confirm, button?.textContent || "Yes")) {
        form.dataset.sure = "";
        form.requestSubmit(button);
      } else button?.focus();
    });
  }
}
