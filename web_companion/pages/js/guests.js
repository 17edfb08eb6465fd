// @ts-check
// A name without typing: one from a friendly list that nobody here has yet, and the sheet for another player on the same
// phone.

import { sheet } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./shell.js").Shell} Shell */

/** The name that is offered, until somebody takes it. */
let offer = "";
let open = false;

/** A name nobody has; the same one until it is taken. @param {TableView | undefined} table @param {boolean} [another] */
export function suggestion(table, another = false) {
  const taken = new Set([...(table?.seats ?? []).map((seat) => seat.name), ...(table?.waiting ?? [])].map((name) => name.toLowerCase()));
  const free = t("join.names").split(", ").filter((name) => !taken.has(name.toLowerCase()) && !(another && name === offer));
  if (another || !free.includes(offer)) {
    offer = free[Math.floor(Math.random() * free.length)] ?? t("join.name.numbered", { n: (table?.seats.length ?? 0) + 1 });
  }
  return offer;
}

/** The button that asks who else plays on this phone. @param {Shell} shell */
export function addGuest(shell) {
  return h("button", { key: "guest", type: "button", class: "button", "data-do": "guest",
    onclick: () => { open = true; shell.draw(); } }, t("guest.add"));
}

/** @param {Shell} shell @param {TableView} table */
export function guestSheet(shell, table) {
  if (!open) return null;
  const close = () => { open = false; shell.draw(); };
  return sheet("guest", t("guest.title"), close,
    h("form", { class: "guest", onsubmit: async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.currentTarget);
      const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
      const answer = await shell.ask(input, "sit", { name: input.value });
      if (answer.ok) close();
    } },
    h("input", { id: "guest-name", "aria-label": t("join.name"), maxlength: 20, required: true, autocomplete: "off",
      value: suggestion(table) }),
    h("button", { type: "submit", class: "call wide", "data-do": "sit-guest",
      mounted: (/** @type {HTMLButtonElement} */ button) => button.focus() }, t("guest.sit"))),
    t("guest.sub"));
}
