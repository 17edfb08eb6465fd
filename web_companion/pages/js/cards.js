// @ts-check
// Cards, marks and symbols as inline SVG, drawn on one grid. No card of anybody else's deck is copied here.

import { cardName, maybe, parts } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./view.js").VNode} VNode */

/** The mark of each colour, in a box of 20: told apart without seeing colour. @type {Record<string, string>} */
const MARKS = {
  red: "M10 1.6a8.4 8.4 0 1 0 0 16.8a8.4 8.4 0 1 0 0-16.8z",
  yellow: "M10 .6L19.4 10L10 19.4L.6 10z",
  green: "M10 1.6L19.2 18H.8z",
  blue: "M2.4 2.4h15.2v15.2H2.4z",
  wild: "M10 .4L12.5 7.5L19.6 10L12.5 12.5L10 19.6L7.5 12.5L.4 10L7.5 7.5z",
  unknown: "M8 8h4v4H8z",
};

/** A colour's mark. @param {string} colour @param {string} [extra] */
export function mark(colour, extra = "") {
  return h("svg", { class: `mark ${colour} ${extra}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
    h("path", { d: MARKS[colour] ?? MARKS.unknown }));
}

const line = (/** @type {string} */ d, /** @type {object} */ more = {}) => h("path", { d, class: "ink-line", ...more });
const solid = (/** @type {string} */ d, /** @type {object} */ more = {}) => h("path", { d, class: "ink-solid", ...more });
const dot = (/** @type {number} */ cx, /** @type {number} */ cy, r = 5) => h("circle", { cx, cy, r, class: "ink-solid" });
const card = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ transform, fill = false) =>
  h("rect", { x, y, width: 22, height: 31, rx: 4, transform, class: fill ? "ink-line paper" : "ink-line" });

/** The launcher's button with pips on it, as on a die: the root of the hit symbols. @param {[number, number][]} pips */
const button = (...pips) => [
  solid("M6 46a26 26 0 0 1 52 0z"),
  line("M7 55.5h50"),
  ...pips.map(([cx, cy]) => h("circle", { cx, cy, r: 5.2, class: "paper-solid" })),
];
const bolt = (/** @type {number} */ x) => solid(`M${x} 4l-10 15h7l-4 12l13-17h-8l6-10z`);

/** One symbol for each action, in a box of 64. @type {Record<string, () => VNode[]>} */
const SYMBOLS = {
  skip: () => [h("circle", { cx: 32, cy: 32, r: 23, class: "ink-line" }), line("M16 48L48 16")],
  reverse: () => [line("M22 54V14M10 26L22 12L34 26"), line("M42 10V50M30 38L42 52L54 38")],
  "draw-two": () => [card(12, 10, "rotate(-10 23 25)"), card(30, 22, "rotate(8 41 38)", true)],
  "hit-1": () => button([32, 34]),
  "hit-2": () => button([23, 39], [40, 28]),
  "wild-hit-4": () => button([32, 27], [19, 37], [45, 37], [32, 40.5]),
  "discard-all": () => [
    card(21, 14, "rotate(-38 32 58)"), card(21, 14, "rotate(-13 32 58)", true),
    card(21, 14, "rotate(13 32 58)", true), card(21, 14, "rotate(38 32 58)", true),
  ],
  "trade-hands": () => [
    h("rect", { x: 5, y: 5, width: 20, height: 28, rx: 4, class: "ink-line" }),
    h("rect", { x: 39, y: 31, width: 20, height: 28, rx: 4, class: "ink-solid ink-line" }),
    line("M34 11h6q9 0 9 9v2M41.5 15.5L49 23L56.5 15.5"), line("M30 53h-6q-9 0-9-9v-2M7.5 48.5L15 41L22.5 48.5"),
  ],
  wild: () => [solid("M32 3L39.5 24.5L61 32L39.5 39.5L32 61L24.5 39.5L3 32L24.5 24.5z")],
  "wild-draw-four": () => [
    card(9, 5, "rotate(-16 20 20)"), card(19, 11, "rotate(-5 30 26)", true),
    card(27, 18, "rotate(6 38 33)", true), card(34, 26, "rotate(16 45 41)", true),
  ],
  "wild-all-hit": () => [
    ...Array.from({ length: 10 }, (_, i) =>
      dot(32 + 27 * Math.cos((i * Math.PI) / 5), 32 + 27 * Math.sin((i * Math.PI) / 5), 3.6)),
    solid("M19 37a13 13 0 0 1 26 0z"), line("M17 43.5h30"),
  ],
  "wild-hit-fire": () => [
    solid("M33 1c3 8 13 11 13 21a14 14 0 0 1-28 0c0-5 3-8 5-10c0 4 2 6 4 6c5-1 1-10 6-17z"),
    solid("M17 50a15 12 0 0 1 30 0z"), line("M9 56h46"),
  ],
  "wild-attack-attack": () => [bolt(24), bolt(46), solid("M17 49a15 13 0 0 1 30 0z"), line("M9 55.5h46")],
  "wild-customizable": () => [line("M12 52l4-13L42 13l9 9L25 48z"), line("M36 19l9 9"), line("M34 54h20")],
};

/** The picture in the middle of a card, in the box of the card (100 × 140). @param {string} rank @param {boolean} wild */
function middle(rank, wild) {
  const draw = SYMBOLS[rank];
  if (draw) {
    const size = wild ? 52 : 66;
    return h("svg", { x: 50 - size / 2, y: 70 - size / 2, width: size, height: size, viewBox: "0 0 64 64" }, draw());
  }
  const turned = rank === "6" || rank === "9"; // a line under it: 6 and 9 lie on tables either way up
  return [
    h("text", { x: 50, y: 71, class: "rank" }, rank),
    turned && h("path", { d: "M37 103h26", class: "ink-line" }),
  ];
}

/** @param {string} colour @param {string} transform */
function corner(colour, transform) {
  return h("g", { transform },
    h("svg", { x: 9, y: 10, width: 19, height: 19, viewBox: "0 0 20 20" },
      h("path", { d: MARKS[colour] ?? MARKS.unknown, class: "ink-solid" })),
    h("text", { x: 32, y: 20.5, class: "corner" }, maybe(`letter.${colour}`) ?? ""));
}

/**
 * A card's face as an SVG element; the button or list item around it says what it is.
 * @param {string} name @param {{named?: string | null, label?: boolean}} [how] `named`: the colour a wild stands for
 */
export function face(name, how = {}) {
  const { colour, rank } = parts(name);
  const wild = colour === "wild";
  const known = colour !== "unknown";
  return h("svg", {
    class: `face ${colour}${how.named ? ` named-${how.named}` : ""}`, viewBox: "0 0 100 140",
    role: how.label ? "img" : undefined, "aria-label": how.label ? cardName(name) : undefined,
    "aria-hidden": how.label ? undefined : "true",
  },
    h("rect", { class: "paper-edge", x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8.5 }),
    wild && [
      h("path", { class: "quarter red", d: "M5 70V11a6 6 0 0 1 6-6h39v65z" }),
      h("path", { class: "quarter yellow", d: "M95 70V11a6 6 0 0 0-6-6H50v65z" }),
      h("path", { class: "quarter green", d: "M5 70v59a6 6 0 0 0 6 6h39V70z" }),
      h("path", { class: "quarter blue", d: "M95 70v59a6 6 0 0 1-6 6H50V70z" }),
      h("circle", { class: "eye", cx: 50, cy: 70, r: 36 }),
    ],
    h("rect", { class: "inner", x: 5.5, y: 5.5, width: 89, height: 129, rx: 5.5 }),
    known ? h("g", { class: wild ? "on-eye" : "" }, middle(rank, wild)) : backPattern(),
    known && [corner(colour, ""), corner(colour, "rotate(180 50 70)")]);
}

function backPattern() {
  return [
    h("circle", { class: "back-ring", cx: 50, cy: 70, r: 27 }),
    h("path", { class: "back-dome", d: "M33 76a17 17 0 0 1 34 0z" }),
    h("path", { class: "back-base", d: "M27 83h46" }),
  ];
}

/** A few backs with a number: how many cards somebody holds. @param {number} count */
export function backs(count) {
  const shown = Math.min(3, Math.max(count, 0));
  return h("svg", { class: "backs", viewBox: "0 0 34 26", "aria-hidden": "true" },
    Array.from({ length: shown }, (_, i) =>
      h("rect", { class: "back", x: 4 + i * 6, y: 2.5, width: 14, height: 20, rx: 2.4,
        transform: `rotate(${(i - (shown - 1) / 2) * 9} ${11 + i * 6} 24)` })));
}

const ORDER = ["red", "yellow", "green", "blue", "wild", "unknown"];

/** The order of a hand: by colour, numbers before symbols. @param {string[]} hand @returns {string[]} */
export function sorted(hand) {
  const place = (/** @type {string} */ name) => {
    const { colour, rank } = parts(name);
    const number = Number(rank);
    return ORDER.indexOf(colour) * 1000 + (Number.isNaN(number) ? 100 + Object.keys(SYMBOLS).indexOf(rank) : number);
  };
  return [...hand].sort((a, b) => place(a) - place(b));
}

/** How many cards of each colour a hand holds, in the order of the hand. @param {string[]} hand */
export function groups(hand) {
  return ORDER.map((colour) => ({ colour, count: hand.filter((name) => parts(name).colour === colour).length }))
    .filter((group) => group.count > 0);
}
