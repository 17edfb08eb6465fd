// @ts-check
// What the table waits for that only the host can say, and what he may decide for somebody who does not: on his own page,
// and on his seat's page when the cards are real ones.

import { nameOf } from "./banner.js";
import { colourFields, targetFields } from "./choices.js";
import { picker } from "./picker.js";
import { deckOf, rulebook, valuesAt } from "./rules.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./shell.js").Shell} Shell */
/** @typedef {import("./view.js").Child} Child */

/** The host's part in what the table waits for, or null when it waits for nobody's word but the players'.
 * @param {Shell} shell @param {TableView} table @returns {Child} */
export function waits(shell, table) {
  const { launcher, due } = table;
  if (launcher.unowned) return owner(shell, table, launcher.unowned.cards);
  if (table.phase === "start") return beginning(shell, table);
  if (due?.what === "reload" && table.physical) return refill(shell);
  if (due?.what === "slap") return last(shell, table);
  return null;
}

/** What a host may decide in a player's place. @param {Shell} shell @param {TableView} table @returns {Child} */
export function instead(shell, table) {
  const { due } = table;
  if (table.phase !== "playing" || !due || due.seat === null) return null;
  const { seat } = due;
  const about = { name: nameOf(table, seat) };
  if (due.what === "colour") {
    return [h("p", { class: "lead" }, t("wait.colour", about)),
      colourFields(["red", "yellow", "green", "blue"], (event, colour) => void shell.ask(event, "colour", { seat, colour }))];
  }
  if (due.what === "challenge") {
    return [h("p", { class: "lead" }, t("wait.challenge", about)),
      h("button", { type: "button", class: "button", "data-do": "accept", onclick: (/** @type {Event} */ event) => void shell.ask(event, "accept", { seat }) },
        t("wait.accept", about))];
  }
  if (due.what === "draw") {
    return h("button", { type: "button", class: "button", "data-do": "draw", onclick: (/** @type {Event} */ event) => void shell.ask(event, "draw", { seat }) },
      t("wait.draw", about));
  }
  return null;
}

/** Real cards, before the first one: who deals, and which was turned up. @param {Shell} shell @param {TableView} table */
function beginning(shell, table) {
  const rules = rulebook(() => shell.draw());
  if (!rules) return h("p", { class: "quiet" }, t("join.checking"));
  const deck = deckOf(rules, table);
  const cards = Number(valuesAt(rules, table).hand_size);
  return h("div", { class: "start", key: "start" },
    h("p", { class: "lead" }, t("wait.dealer")),
    h("div", { class: "dealers", role: "group", "aria-label": t("wait.dealer") },
      table.seats.filter((seat) => !seat.left && !seat.eliminated).map((seat) =>
        h("button", { key: seat.seat, type: "button", class: "tab", "data-do": "dealer", "data-seat": seat.seat,
          "aria-pressed": String(seat.seat === table.dealer),
          onclick: (/** @type {Event} */ event) => void shell.ask(event, "dealer", { seat: seat.seat }) }, seat.name))),
    h("p", { class: "quiet" }, t("wait.dealer.sub", { name: nameOf(table, table.dealer), n: cards })),
    h("p", { class: "lead" }, t("wait.start")),
    table.tracking === "effects" && h("button", { type: "button", class: "call wide plain-card", "data-do": "start-plain",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "start-card", { card: "?" }) }, t("wait.start.plain")),
    picker(`start ${table.round}`, {
      ranks: deck.coloured, wilds: deck.wilds, colour: null, lit: () => true,
      picked: (event, card) => void shell.ask(event, "start-card", { card }), changed: () => shell.draw(),
    }));
}

/** @param {Shell} shell */
function refill(shell) {
  return h("div", { class: "start", key: "refill" },
    h("p", { class: "lead" }, t("wait.reload")),
    h("button", { type: "button", class: "call wide", "data-do": "reload-all",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "reload") }, t("wait.reload.all")));
}

/** A real slap: the host saw who was last. @param {Shell} shell @param {TableView} table */
function last(shell, table) {
  return h("div", { class: "start", key: "last" },
    h("p", { class: "lead" }, t("wait.last")),
    targetFields(table, table.slap ?? [], (event, target) => void shell.ask(event, "last", { target })));
}

/** Cards that came when nobody was due. @param {Shell} shell @param {TableView} table @param {number} cards */
function owner(shell, table, cards) {
  const seats = table.seats.filter((seat) => !seat.left && !seat.out).map((seat) => seat.seat);
  return h("div", { class: "start", key: "owner" },
    h("p", { class: "lead" }, t("wait.unowned", { n: cards })),
    targetFields(table, seats, (event, seat) => void shell.ask(event, "give-shot", { seat })),
    h("button", { type: "button", class: "button", "data-do": "nobodys",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "give-shot") }, t("wait.nobodys")));
}
