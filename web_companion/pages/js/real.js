// @ts-check
// A seat whose cards are real ones: how many it holds, and a picker to say what was laid. Nothing is known of the hand,
// so the table judges by what lies on top and by what the deck can still hold.

import { backs, face } from "./cards.js";
import { beginReal, unoffered } from "./choices.js";
import { ownButton } from "./own.js";
import { forgetPick, picker } from "./picker.js";
import { deckOf, hasEffect, rulebook, valuesAt } from "./rules.js";
import { cardName, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./choices.js").Choice} Choice @typedef {import("./shell.js").Shell} Shell */

/** Several cards laid together: what was tapped of them, and of which turn. @type {{about: string, cards: string[]} | null} */
let together = null;

const FEW = 4; // cards that are offered without a picker

/**
 * @param {Shell} shell @param {TableView} table @param {Mine} mine @param {string} title
 * @param {(event: Event, choice: Choice) => void} laid   a card was named; it may still want a colour or a target
 */
export function realHand(shell, table, mine, title, laid) {
  const turn = table.due?.seat === mine.seat;
  const out = !turn && mine.moves.length > 0; // out of turn: the very same card, or a number that just came
  const few = out && mine.moves.length <= FEW;
  return h("section", { class: "hand real", key: "real", "aria-label": title },
    h("header", {}, h("span", { class: "holds" }, backs(mine.hand.length), h("h2", {}, title)),
      shell.link.state && ownButton(shell, shell.link.state, mine.seat),
      shell.link.you.host && h("button", { type: "button", class: "button small", "data-do": "undo",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "undo") }, t("real.undo"))),
    few ? thrown(mine, laid) : out || (turn && (mine.moves.length > 0 || table.due?.what === "play")) ? naming(shell, table, mine, laid)
      : !turn && h("p", { class: "quiet wait" }, t("real.wait")));
}

/** Out of turn: only the very same card. @param {Mine} mine @param {(event: Event, choice: Choice) => void} laid */
function thrown(mine, laid) {
  return [
    h("p", { class: "quiet wait" }, t("real.jump")),
    h("ul", { class: "cards row few", vars: { "--n": Math.max(4, mine.moves.length) } }, mine.moves.map((move) =>
      h("li", { key: move.card }, h("button", { type: "button", class: "card lit", "data-card": move.card, "aria-label": cardName(move.card),
        onclick: (/** @type {Event} */ event) => laid(event, beginReal(move)) }, face(move.card))))),
  ];
}

/** @param {Shell} shell @param {TableView} table @param {Mine} mine @param {(event: Event, choice: Choice) => void} laid */
function naming(shell, table, mine, laid) {
  const rules = rulebook(() => shell.draw());
  if (!rules) return h("p", { class: "quiet wait" }, t("join.checking"));
  const values = valuesAt(rules, table);
  const deck = deckOf(rules, table);
  const effects = table.tracking === "effects";
  const about = `${mine.seat} ${table.round} ${table.discards} ${table.top} ${table.colour}`;
  if (together && together.about !== about) together = null;
  const several = values.sets !== "off" || (/** @type {string[]} */ (values.defend)).includes("draw-two-pair");
  const moves = new Map(mine.moves.map((move) => [move.card, move]));
  const tapped = (/** @type {Event} */ event, /** @type {string} */ card) => {
    if (!together) return laid(event, beginReal(moves.get(card) ?? unoffered(card)));
    together.cards.push(card);
    shell.draw();
  };
  return [
    effects && h("button", { type: "button", class: "call wide plain-card", "data-do": "plain",
      onclick: (/** @type {Event} */ event) => tapped(event, "?") }, t("real.plain")),
    several && tray(shell, about, moves, laid),
    picker(about, {
      ranks: deck.coloured.filter((rank) => !effects || hasEffect(values, rank)), wilds: deck.wilds, colour: table.colour,
      lit: (card) => moves.has(card), picked: tapped, changed: () => shell.draw(),
    }),
  ];
}

/** Laying several at once. @param {Shell} shell @param {string} about
 * @param {Map<string, import("./wire.js").Move>} moves @param {(event: Event, choice: Choice) => void} laid */
function tray(shell, about, moves, laid) {
  const cards = together?.cards ?? [];
  if (!together) {
    return h("button", { type: "button", class: "button small", key: "several", "data-do": "several",
      onclick: () => { together = { about, cards: [] }; shell.draw(); } }, t("real.several"));
  }
  return h("div", { class: "tray", key: "tray" },
    h("ul", {}, cards.map((card, place) => h("li", { key: place }, h("button", { type: "button", class: "card lit", "aria-label": t("real.off", { card: cardName(card) }),
      onclick: () => { cards.splice(place, 1); shell.draw(); } }, face(card)))),
    cards.length === 0 && h("li", { class: "quiet" }, t("real.several.sub"))),
    h("button", { type: "button", class: "button call", "data-do": "lay", disabled: cards.length === 0,
      onclick: (/** @type {Event} */ event) => {
        const [first, ...set] = cards;
        laid(event, beginReal(moves.get(first) ?? unoffered(first), set));
      } }, t("sheet.keep.do", { n: cards.length })),
    h("button", { type: "button", class: "button", onclick: () => { together = null; shell.draw(); } }, t("host.cancel")));
}

/** A card was laid: nothing of it is left on the page. */
export function forgetReal() {
  together = null;
  forgetPick();
}

/** A taking of cards that somebody could have done without, which only they can know. @param {TableView} table
 * @param {Mine} mine @param {Record<string, unknown>} values */
export function choiceMatters(table, mine, values) {
  if (!table.physical || table.due?.what !== "play" || table.due.seat !== mine.seat) return false;
  if (!mine.may.hit && !mine.may.draw) return false;
  return values.after_voluntary_draw === "end" && values.after_draw !== "end" && values.voluntary_draw === true;
}

