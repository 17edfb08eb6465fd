// @ts-check
// Who was first, and by how much: for the one who lost a race for UNO.

import { nameOf } from "./banner.js";
import { t } from "./texts.js";

/** @typedef {import("./wire.js").Answer} Answer @typedef {import("./wire.js").TableView} TableView */

/** The words for a call or a catch that came second, or null. `what`: the command; `own`: this phone's seats.
 * @param {Answer} answer @param {string} what @param {TableView | undefined} table @param {number[]} own */
export function race(answer, what, table, own) {
  const first = /** @type {{what: string, seat: number, ms: number} | undefined} */ (answer.first);
  if (!first || !table || (what === "uno" && first.what === "call")) return null;
  const about = { name: nameOf(table, first.seat), n: Math.abs(first.ms) };
  if (what === "uno") return own.includes(first.seat) ? null : t("race.caught", about);
  if (first.what === "call") return t(first.ms < 0 ? "race.call.grace" : "race.call", about);
  return t("race.catch", about);
}
