// @ts-check
// The sheet of a seat: the code with which another phone takes it over, help, and leaving for the night.

import { sheet } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").State} State @typedef {import("./wire.js").Seat} Seat @typedef {import("./shell.js").Shell} Shell */

let sure = false;

/** @param {Shell} shell @param {State} state @param {Seat} seat @param {() => void} closed */
export function seatSheet(shell, state, seat, closed) {
  const close = () => { sure = false; closed(); };
  const playing = state.table.phase !== "gathering" && state.table.phase !== "match-over";
  return sheet("own", t("own.title", { name: seat.name }), close, h("div", { class: "own-sheet" },
    h("p", { class: "code" }, state.codes?.[String(seat.seat)] ?? ""),
    h("p", { class: "quiet" }, t("own.code.sub")),
    helpSwitch(shell, seat), h("p", { class: "quiet" }, t("own.help.sub")),
    playing && h("button", { type: "button", class: `button${sure ? " danger" : ""}`, "data-do": "leave",
      onclick: async (/** @type {Event} */ event) => {
        if (!sure) {
          sure = true;
          shell.draw();
        } else if ((await shell.ask(event, "stand", { seat: seat.seat })).ok) close();
      } }, t(sure ? "own.leave.sure" : "own.leave")),
    playing && h("p", { class: "quiet" }, t("own.leave.sub"))));
}

/** Help for a seat, on or off. @param {Shell} shell @param {import("./wire.js").Seat} seat */
export function helpSwitch(shell, seat) {
  const set = (/** @type {boolean} */ on) => h("button", { key: String(on), type: "button", class: "tab", "data-help": String(on),
    "aria-pressed": String(on === (seat.helped === true)),
    onclick: (/** @type {Event} */ event) => void shell.ask(event, "help", { seat: seat.seat, on }) }, t(on ? "own.help.on" : "own.help.off"));
  return h("div", { class: "switcher flat", role: "group", "aria-label": t("own.help") }, set(true), set(false));
}
