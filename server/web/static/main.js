// Everything works without scripts; these add what needs them. Each module looks for its own mark in the page.
import { times } from "./times.js";
import { toasts } from "./toasts.js";
import { confirmations } from "./confirm.js";
import { keys } from "./keys.js";
import { fresh } from "./fresh.js";
import { forms } from "./forms.js";
import { feed } from "./feed.js";

function start() {
  times(); toasts(); confirmations(); forms(); feed();
  // Where the places are a strip, the one looked at is in sight.
  const strip = document.querySelector(".places"), here = strip?.querySelector("[aria-current]");
  if (here) strip.scrollLeft = here.offsetLeft - strip.clientWidth / 2;
}
keys();
fresh(start);
start();
