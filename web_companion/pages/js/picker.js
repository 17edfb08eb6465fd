// @ts-check
// Naming a real card in two taps: its colour and its rank, in either order; a wild in one.

import { face, mark } from "./cards.js";
import { cardName, maybe, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./view.js").Child} Child */
/**
 * What was tapped so far, of a card that is not complete yet; `about` is what it belongs to.
 * @typedef {{about: string, colour: string | null, rank: string | null}} Pick
 */
/**
 * @typedef {object} Picking
 * @property {string[]} ranks      the coloured ranks that can be named
 * @property {string[]} wilds
 * @property {string | null} colour   the colour that is shown until another one is tapped
 * @property {(card: string) => boolean} lit   whether a card may be played
 * @property {(event: Event, card: string) => void} picked
 * @property {() => void} changed
 */

export const COLOURS = ["red", "yellow", "green", "blue"];

/** @type {Pick} */
let pick = { about: "", colour: null, rank: null };

/** Forget what was tapped of a card. */
export function forgetPick() {
  pick = { about: "", colour: null, rank: null };
}

/** @param {string} about  what is picked for: another one begins anew @param {Picking} how @returns {Child} */
export function picker(about, how) {
  if (pick.about !== about) pick = { about, colour: null, rank: null };
  const colour = pick.colour ?? how.colour;
  const both = (/** @type {Event} */ event, /** @type {string | null} */ shade, /** @type {string | null} */ rank) => {
    pick = { about, colour: shade, rank };
    if (shade && rank) {
      pick = { about, colour: shade, rank: null };
      how.picked(event, `${shade} ${rank}`);
    }
    how.changed();
  };
  return h("div", { class: "picker", key: "picker" },
    h("div", { class: "shades", role: "group", "aria-label": t("pick.colour") }, COLOURS.map((shade) =>
      h("button", { key: shade, type: "button", class: `shade ${shade}`, "data-colour": shade,
        "aria-pressed": String(shade === colour),
        onclick: (/** @type {Event} */ event) => both(event, shade, pick.rank) },
      mark(shade), h("span", {}, maybe(`strip.${shade}`) ?? shade)))),
    h("ul", { class: "ranks" },
      how.ranks.map((rank) => cell(colour ? `${colour} ${rank}` : `any ${rank}`, rank, how,
        (event) => both(event, colour, rank), !colour && pick.rank === rank)),
      how.wilds.map((wild) => cell(wild, wild, how, (event) => {
        how.picked(event, wild);
        how.changed();
      }, false))));
}

/** @param {string} card @param {string} rank @param {Picking} how @param {(event: Event) => void} tapped
 * @param {boolean} chosen */
function cell(card, rank, how, tapped, chosen) {
  const open = card.startsWith("any "); // no colour is chosen yet
  const lit = open || how.lit(card);
  const name = open ? maybe(`rank.${rank}`) ?? rank : cardName(card);
  return h("li", { key: rank }, h("button", { type: "button", class: `card${lit ? " lit" : ""}${chosen ? " chosen" : ""}`,
    "data-rank": rank, "data-card": open ? undefined : card,
    "aria-label": lit ? name : t("card.unlit", { card: name }), onclick: tapped }, face(card)));
}
