// @ts-check
// What a card asks for before it is played: colour, target, what is held back. One sheet after the other, each
// answer kept until the card is complete.

import { backs, face, mark, sorted } from "./cards.js";
import { nameOf } from "./banner.js";
import { sheet } from "./shell.js";
import { cardName, maybe, parts, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").Move} Move @typedef {import("./wire.js").TableView} TableView */
/** @typedef {import("./wire.js").Colour} Colour */
/**
 * @typedef {object} Choice
 * @property {Move} move
 * @property {string} [colour]
 * @property {number} [target]
 * @property {Set<number>} held    places in `move.keep` that stay in the hand
 */

/** @param {Move} move @returns {Choice} */
export function begin(move) {
  return { move, held: new Set() };
}

/** What is still missing. @param {Choice} choice @returns {"colour" | "target" | "keep" | null} */
export function missing(choice) {
  const { move } = choice;
  if (move.colours && choice.colour === undefined) return "colour";
  if (move.targets && choice.target === undefined) return "target";
  return move.keep && move.keep.length > 0 ? "keep" : null;
}

/** The command's fields. @param {Choice} choice */
export function fields(choice) {
  const { move, colour, target, held } = choice;
  const keep = sorted(move.keep ?? []).filter((_, place) => held.has(place));
  return { card: move.card, ...(colour ? { colour } : {}), ...(target === undefined ? {} : { target }),
    ...(keep.length ? { keep } : {}) };
}

/**
 * The sheet for what is missing.
 * @param {TableView} table @param {Choice} choice @param {{changed: () => void, close: () => void,
 *   play: (touched: Event) => void}} does
 */
export function choiceSheet(table, choice, does) {
  const { move } = choice;
  const step = missing(choice);
  const next = (/** @type {Event} */ event) => (missing(choice) === null ? does.play(event) : does.changed());
  if (step === "colour") {
    return sheet("colour", t("sheet.colour"), does.close, colourFields(move.colours ?? [], (event, colour) => {
      choice.colour = colour;
      next(event);
    }), cardName(move.card));
  }
  if (step === "target") {
    const rank = parts(move.card).rank;
    return sheet("target", maybe(`sheet.target.${rank}`) ?? t("sheet.target.other"), does.close,
      targetFields(table, move.targets ?? [], (event, seat) => {
        choice.target = seat;
        next(event);
      }), cardName(move.card));
  }
  return step === "keep" ? keepSheet(choice, does) : null;
}

/** Four large fields. @param {Colour[]} colours @param {(event: Event, colour: Colour) => void} chosen */
export function colourFields(colours, chosen) {
  return h("div", { class: "fields colours" }, colours.map((colour) =>
    h("button", { key: colour, type: "button", class: `field ${colour}`, "data-colour": colour,
      onclick: (/** @type {Event} */ event) => chosen(event, colour) },
    mark(colour), h("span", {}, t(`strip.${colour}`)))));
}

/** @param {TableView} table @param {number[]} targets @param {(event: Event, seat: number) => void} chosen */
export function targetFields(table, targets, chosen) {
  return h("div", { class: `fields targets${targets.length > 4 ? " many" : ""}` }, targets.map((target) => {
    const seat = table.seats.find((one) => one.seat === target);
    return h("button", { key: target, type: "button", class: "field", "data-seat": target,
      onclick: (/** @type {Event} */ event) => chosen(event, target) },
    h("span", { class: "name" }, nameOf(table, target)),
    h("span", { class: "holds" }, backs(seat?.hand ?? 0), t("seat.cards", { n: seat?.hand ?? 0 })));
  }));
}

/** @param {Choice} choice @param {{changed: () => void, close: () => void, play: (touched: Event) => void}} does */
function keepSheet(choice, does) {
  const { move, held } = choice;
  const others = sorted(move.keep ?? []);
  const toggle = (/** @type {number} */ place) => {
    if (!held.delete(place)) held.add(place);
    does.changed();
  };
  return sheet("keep", t("sheet.keep", { colour: maybe(`colour.${parts(move.card).colour}`) ?? "" }), does.close, [
    h("ul", { class: "keeps" },
      h("li", { key: "itself" }, h("span", { class: "card lit" }, face(move.card, { label: true })),
        h("small", {}, t("sheet.keep.goes"))),
      others.map((name, place) => {
        const stays = held.has(place);
        return h("li", { key: place },
          h("button", { type: "button", class: `card${stays ? "" : " lit"}`, "aria-pressed": String(stays), "data-card": name,
            "aria-label": `${cardName(name)}: ${t(stays ? "sheet.keep.stays" : "sheet.keep.goes")}`,
            onclick: () => toggle(place) }, face(name)),
          h("small", { class: stays ? "stays" : "" }, t(stays ? "sheet.keep.stays" : "sheet.keep.goes")));
      })),
    h("button", { type: "button", class: "call wide", disabled: held.size < move.keepLeast, onclick: does.play },
      t("sheet.keep.do", { n: 1 + others.length - held.size })),
  ], move.keepLeast > 0 ? t("sheet.keep.least", { n: move.keepLeast }) : t("sheet.keep.sub"));
}
