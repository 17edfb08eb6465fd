// @ts-check
// What a card asks for before it is played: what goes with it, colour, target, what is held back. One sheet after the
// other, each answer kept until the card is complete.

import { backs, face, mark, sorted } from "./cards.js";
import { nameOf } from "./banner.js";
import { countPad } from "./pad.js";
import { sheet } from "./shell.js";
import { cardName, maybe, parts, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").Move} Move @typedef {import("./wire.js").TableView} TableView */
/** @typedef {import("./wire.js").Colour} Colour */
/**
 * @typedef {object} Choice
 * @property {Move} move
 * @property {boolean} real        a real card: how many went with it is said, not which
 * @property {string} [colour]
 * @property {number} [target]
 * @property {Set<number>} beside  places in `move.mates` of what is played together with the card
 * @property {string[] | null} set what is played together with it, once that is settled
 * @property {Set<number>} held    places in what may be kept that stay in the hand
 * @property {number} [went]       how many more a real discard-all took along
 * @property {ReturnType<typeof missing>} [last]  what was asked for last, and is shown until the table has answered
 */
/** @typedef {{changed: () => void, close: () => void, play: (touched: Event) => void}} Does */

/** @param {Move} move @returns {Choice} */
export function begin(move) {
  return { move, real: false, beside: new Set(), set: offered(move).length ? null : [], held: new Set() };
}

/** A card laid on a real pile; `set`: what was laid with it. @param {Move} move @param {string[]} [set] @returns {Choice} */
export function beginReal(move, set = []) {
  return { move: { ...move, keep: null, mates: null }, real: true, beside: new Set(), set, held: new Set() };
}

/** A move that the table does not offer: it says why when it is asked. @param {string} card @returns {Move} */
export function unoffered(card) {
  return { card, colours: null, targets: null, keep: null, keepLeast: 0, mates: null };
}

/** What can be played together with the card. @param {Move} move @returns {string[]} */
function offered(move) {
  return (move.mostMates ?? move.mates?.length ?? 0) > 0 ? sorted(move.mates ?? []) : [];
}

/** What may stay in the hand. @param {Choice} choice @returns {string[]} */
function keepable(choice) {
  const left = sorted(choice.move.keep ?? []);
  for (const mate of choice.set ?? []) {
    const place = left.indexOf(mate);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

/** The colours a set can leave behind, when there is a choice. @param {Choice} choice @returns {Colour[]} */
function shades(choice) {
  const colours = [choice.move.card, ...(choice.set ?? [])].map((card) => parts(card).colour);
  const several = /** @type {Colour[]} */ ([...new Set(colours)]);
  return several.length > 1 ? several : [];
}

/** What is still missing. @param {Choice} choice @returns {"mates" | "colour" | "shade" | "target" | "keep" | "went" | null} */
export function missing(choice) {
  const { move, real } = choice;
  if (choice.set === null) return "mates";
  if (move.colours && choice.colour === undefined) return "colour";
  if (shades(choice).length && choice.colour === undefined) return "shade";
  if (move.targets && choice.target === undefined) return "target";
  if (real && parts(move.card).rank === "discard-all" && choice.went === undefined) return "went";
  return keepable(choice).length > 0 ? "keep" : null;
}

/** The command's fields. @param {Choice} choice */
export function fields(choice) {
  const { move, colour, target, held, set, went } = choice;
  const keep = keepable(choice).filter((_, place) => held.has(place));
  return { card: move.card, ...(colour ? { colour } : {}), ...(target === undefined ? {} : { target }),
    ...(keep.length ? { keep } : {}), ...(set?.length ? { set } : {}), ...(went ? { went } : {}) };
}

/** The sheet for what is missing. @param {TableView} table @param {Choice} choice @param {Does} does */
export function choiceSheet(table, choice, does) {
  const { move } = choice;
  const step = missing(choice) ?? choice.last ?? null;
  choice.last = step;
  const next = (/** @type {Event} */ event) => (missing(choice) === null ? does.play(event) : does.changed());
  const coloured = (/** @type {Event} */ event, /** @type {Colour} */ colour) => {
    choice.colour = colour;
    next(event);
  };
  switch (step) {
    case "mates": return matesSheet(choice, does, next);
    case "colour": return sheet("colour", t("sheet.colour"), does.close, colourFields(move.colours ?? [], coloured), cardName(move.card));
    case "shade": return sheet("shade", t("sheet.shade"), does.close, colourFields(shades(choice), coloured), t("sheet.shade.sub"));
    case "target": return sheet("target", maybe(`sheet.target.${parts(move.card).rank}`) ?? t("sheet.target.other"), does.close,
      targetFields(table, move.targets ?? [], (event, seat) => {
        choice.target = seat;
        next(event);
      }), cardName(move.card));
    case "went": return sheet("went", t("sheet.went", { colour: maybe(`colour.${parts(move.card).colour}`) ?? "" }), does.close,
      countPad("went", "went", (event, value) => {
        choice.went = value;
        next(event);
      }, does.changed), t("sheet.went.sub"));
    case "keep": return keepSheet(choice, does);
    default: return null;
  }
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

/** Cards to tap, the first one going in any case. @param {string} first @param {string[]} others
 * @param {(place: number) => boolean} goes @param {(place: number) => void} toggle @param {string} staying */
function goers(first, others, goes, toggle, staying) {
  return h("ul", { class: "keeps" },
    h("li", { key: "itself" }, h("span", { class: "card lit" }, face(first, { label: true })),
      h("small", {}, t("sheet.keep.goes"))),
    others.map((name, place) => {
      const going = goes(place);
      const word = going ? t("sheet.keep.goes") : staying;
      return h("li", { key: place },
        h("button", { type: "button", class: `card${going ? " lit" : ""}`, "aria-pressed": String(going), "data-card": name,
          "aria-label": `${cardName(name)}: ${word}`, onclick: () => toggle(place) }, face(name)),
        h("small", { class: going ? "" : "stays" }, word));
    }));
}

/** What else of the same kind goes with it. @param {Choice} choice @param {Does} does @param {(event: Event) => void} next */
function matesSheet(choice, does, next) {
  const { move, beside } = choice;
  const mates = offered(move);
  const most = move.mostMates ?? mates.length;
  const toggle = (/** @type {number} */ place) => {
    if (!beside.delete(place) && beside.size < most) beside.add(place);
    does.changed();
  };
  const none = move.alone === false && beside.size === 0;
  return sheet("mates", t("sheet.mates"), does.close, [
    goers(move.card, mates, (place) => beside.has(place), toggle, t("sheet.keep.stays")),
    h("button", { type: "button", class: "call wide", "data-do": "mates", disabled: none, onclick: (/** @type {Event} */ event) => {
      choice.set = mates.filter((_, place) => beside.has(place));
      next(event);
    } }, t("sheet.keep.do", { n: 1 + beside.size })),
  ], t(none ? "sheet.mates.least" : "sheet.mates.sub"));
}

/** @param {Choice} choice @param {Does} does */
function keepSheet(choice, does) {
  const { move, held } = choice;
  const others = keepable(choice);
  const toggle = (/** @type {number} */ place) => {
    if (!held.delete(place)) held.add(place);
    does.changed();
  };
  return sheet("keep", t("sheet.keep", { colour: maybe(`colour.${parts(move.card).colour}`) ?? "" }), does.close, [
    goers(move.card, others, (place) => !held.has(place), toggle, t("sheet.keep.stays")),
    h("button", { type: "button", class: "call wide", disabled: held.size < move.keepLeast, onclick: does.play },
      t("sheet.keep.do", { n: 1 + others.length - held.size })),
  ], move.keepLeast > 0 ? t("sheet.keep.least", { n: move.keepLeast }) : t("sheet.keep.sub"));
}
