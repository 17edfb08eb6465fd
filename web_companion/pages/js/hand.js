// @ts-check
// A hand of cards: grouped by colour, lit where a card may be played now, and still usable with sixty of them.

import { face, groups, mark, sorted } from "./cards.js";
import { cardName, maybe, parts, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").Mine} Mine */

const FEW = 4; // side by side without overlapping
const ONE_ROW = 7; // as many as lie side by side on a phone; more are laid in rows

/**
 * @param {Mine} mine @param {string} title @param {import("./view.js").Child} own   the seat's own button
 * @param {(event: Event, card: string) => void} onCard
 */
export function hand(mine, title, own, onCard) {
  const lit = new Set(mine.moves.map((move) => move.card));
  const fresh = [...(mine.may.pass || mine.moves.length ? mine.drawn : [])];
  /** @type {Map<string, number>} */
  const copies = new Map();
  const cards = sorted(mine.hand);
  return h("section", { class: "hand", key: "hand", "aria-label": title },
    h("header", {},
      h("h2", {}, title), own,
      cards.length > ONE_ROW && h("nav", { class: "jumps" }, groups(cards).map(({ colour, count }) =>
        h("button", { key: colour, type: "button", class: "jump", onclick: () => jump(colour),
          "aria-label": t("play.group", { colour: maybe(`colour.${colour}`) ?? colour, n: count }) },
        mark(colour), h("span", {}, count))))),
    h("ul", { class: cards.length > ONE_ROW ? "cards rows" : cards.length > FEW ? "cards row" : "cards row few", vars: { "--n": Math.max(1, cards.length),
      "--cols": Math.ceil(cards.length / Math.ceil(cards.length / ONE_ROW || 1)) } },
      cards.map((name) => {
        const copy = copies.get(name) ?? 0;
        copies.set(name, copy + 1);
        const place = fresh.indexOf(name);
        if (place >= 0) fresh.splice(place, 1);
        return h("li", { key: `${name} ${copy}`, "data-colour": parts(name).colour },
          h("button", { type: "button", class: `card${lit.has(name) ? " lit" : ""}${place >= 0 ? " fresh" : ""}`,
            "aria-label": lit.has(name) ? cardName(name) : t("card.unlit", { card: cardName(name) }), "data-card": name,
            onclick: (/** @type {Event} */ event) => onCard(event, name) }, face(name)));
      }),
      cards.length === 0 && h("li", { key: "none", class: "quiet" }, t("play.nothing"))));
}

/** @param {string} colour */
function jump(colour) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector(`.hand [data-colour="${colour}"]`)
    ?.scrollIntoView({ block: "start", inline: "start", behavior: still ? "auto" : "smooth" });
}
