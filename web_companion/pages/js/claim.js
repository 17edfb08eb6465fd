// @ts-check
// A player with another phone or another browser: the seat is claimed with the four figures that stand on its page.

import { sheet } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./shell.js").Shell} Shell @typedef {import("./wire.js").TableView} TableView */

/** @type {number | null} */
let seat = null;

/** @param {Shell} shell @param {() => void} close */
export function claimSheet(shell, close) {
  const table = shell.link.state?.table;
  if (!table) return null;
  const people = table.seats.filter((one) => one.kind === "person");
  const chosen = people.find((one) => one.seat === seat);
  return sheet("claim", t("join.claim.title"), close, [
    h("div", { class: "dealers", role: "group", "aria-label": t("join.claim.title") }, people.map((one) =>
      h("button", { key: one.seat, type: "button", class: "tab", "data-seat": one.seat, "aria-pressed": String(one.seat === seat),
        onclick: () => { seat = one.seat; shell.draw(); } }, one.name))),
    chosen && h("form", { key: `claim ${chosen.seat}`, class: "claim", onsubmit: async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const input = /** @type {HTMLInputElement} */ (document.getElementById("seat-code"));
      const answer = await shell.ask(input, "claim", { seat: chosen.seat, code: input.value });
      if (answer.ok) location.assign("/play");
      else input.select();
    } },
    h("label", { for: "seat-code" }, t("join.claim.code", { name: chosen.name })),
    h("input", { id: "seat-code", class: "code", inputmode: "numeric", autocomplete: "off", maxlength: 8, required: true,
      mounted: (/** @type {HTMLInputElement} */ input) => input.focus() }),
    h("button", { type: "submit", class: "call wide", "data-do": "claim-it" }, t("join.claim.do"))),
  ], t("join.claim.sub"));
}
