// @ts-check
// The end of a round with real cards: every hand is counted, card by card or as a sum, and everybody sees who is missing.

import { face } from "./cards.js";
import { nameOf } from "./banner.js";
import { keypad } from "./pad.js";
import { picker } from "./picker.js";
import { deckOf, pointsOf, rulebook } from "./rules.js";
import { cardName, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./shell.js").Shell} Shell */

/** What is being counted; nothing of it is the game's until it is sent. `again`: somebody wants to count it once more.
 * @type {{seat: number | null, again: boolean, sum: boolean, cards: string[], typed: string}} */
const count = { seat: null, again: false, sum: false, cards: [], typed: "" };

/** @param {number | null} seat @param {boolean} [again] */
function turnTo(seat, again = false) {
  Object.assign(count, { seat, again, cards: [], typed: "" });
}

/** @param {Shell} shell @param {TableView} table @param {Mine[]} seats  whose hands this phone may count */
export function counting(shell, table, seats) {
  const missing = table.toCount ?? [];
  const mine = seats.map((one) => one.seat);
  const able = missing.filter((seat) => mine.includes(seat));
  const wanted = count.seat !== null && (able.includes(count.seat) || (count.again && mine.includes(count.seat)));
  if (!wanted) turnTo(able[0] ?? null);
  const seat = count.seat;
  return h("div", { class: "panel counting", key: "counting" },
    seat === null ? h("p", { class: "lead" }, t(able.length ? "count.yours" : "count.wait")) : oneHand(shell, table, seat),
    standing(shell, table, mine));
}

/** @param {Shell} shell @param {TableView} table @param {number} seat */
function oneHand(shell, table, seat) {
  const held = table.seats.find((one) => one.seat === seat)?.hand ?? 0;
  const rules = rulebook(() => shell.draw());
  const way = (/** @type {boolean} */ sum, /** @type {string} */ text) => h("button", { type: "button", class: "tab", "data-do": sum ? "as-sum" : "as-cards",
    "aria-pressed": String(count.sum === sum), onclick: () => { count.sum = sum; shell.draw(); } }, text);
  return [
    h("p", { class: "lead" }, t("count.of", { name: nameOf(table, seat), n: held })),
    h("div", { class: "switcher flat" }, way(false, t("count.cards")), way(true, t("count.sum"))),
    count.sum ? asSum(shell, seat) : rules && asCards(shell, deckOf(rules, table), seat, held),
  ];
}

/** @param {Shell} shell @param {import("./rules.js").Deck} deck @param {number} seat @param {number} held */
function asCards(shell, deck, seat, held) {
  const points = count.cards.reduce((sum, card) => sum + pointsOf(deck, card), 0);
  return [
    picker(`count ${seat}`, {
      ranks: deck.coloured, wilds: deck.wilds, colour: "red", lit: () => true,
      picked: (_, card) => { count.cards.push(card); }, changed: () => shell.draw(),
    }),
    h("div", { class: "tray", key: "tray" },
      h("ul", {}, count.cards.map((card, place) => h("li", { key: place }, h("button", { type: "button", class: "card lit",
        "aria-label": t("real.off", { card: cardName(card) }), onclick: () => { count.cards.splice(place, 1); shell.draw(); } }, face(card)))),
      count.cards.length === 0 && h("li", { class: "quiet" }, t("count.cards.sub"))),
      h("button", { type: "button", class: "button call", "data-do": "count", disabled: count.cards.length === 0 && held > 0,
        onclick: async (/** @type {Event} */ event) => {
          const answer = await shell.ask(event, "count", { seat, cards: count.cards });
          if (answer.ok) turnTo(null);
          shell.draw();
        } }, t("count.do", { n: count.cards.length, points }))),
    count.cards.length !== held && count.cards.length > 0 && h("p", { class: "quiet", key: "of" }, t("count.held", { n: held })),
  ];
}

/** @param {Shell} shell @param {number} seat */
function asSum(shell, seat) {
  return [
    keypad(t("count.sum"), count.typed, (typed) => { count.typed = typed; shell.draw(); }),
    h("button", { type: "button", class: "call wide", "data-do": "points", onclick: async (/** @type {Event} */ event) => {
      const answer = await shell.ask(event, "points", { seat, points: Number(count.typed) });
      if (answer.ok) turnTo(null);
      shell.draw();
    } }, t("count.sum.do", { n: Number(count.typed) })),
  ];
}

/** Who is counted and who is still missing. @param {Shell} shell @param {TableView} table @param {number[]} mine */
function standing(shell, table, mine) {
  const missing = table.toCount ?? [];
  const shown = table.seats.filter((seat) => !seat.left && !seat.eliminated
    && (missing.includes(seat.seat) || (table.counted?.[seat.seat] ?? null) !== null));
  return h("ul", { class: "standing-list", key: "standing" }, shown.map((seat) => {
    const open = missing.includes(seat.seat);
    const text = [h("b", {}, seat.name), h("span", {}, open ? t("count.missing") : t("count.points", { n: table.counted?.[seat.seat] ?? 0 }))];
    return h("li", { key: seat.seat, class: open ? "missing" : "", "data-seat": seat.seat },
      mine.includes(seat.seat) && !seat.out ? h("button", { type: "button", class: "button small", "aria-pressed": String(count.seat === seat.seat),
        onclick: () => { turnTo(seat.seat, !open); shell.draw(); } }, text) : text);
  }));
}
