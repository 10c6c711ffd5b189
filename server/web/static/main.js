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
}
keys();
fresh(start);
start();
