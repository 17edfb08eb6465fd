// @ts-check
// The ring of seats: who sits where, how many cards they hold, and which way play goes. Seats lie clockwise, so that
// the next seat is the next one clockwise on the screen as at a real table.

import { owedText } from "./banner.js";
import { backs } from "./cards.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Seat} Seat */
/**
 * @typedef {object} RingShape
 * @property {number} width    of the box, in px
 * @property {number} height
 * @property {number} rx       half axes of the ellipse, in px
 * @property {number} ry
 * @property {number} bottom   the seat that sits at the bottom
 */
/**
 * @typedef {object} RingHow
 * @property {RingShape} shape
 * @property {number[]} mine   seats of this phone
 * @property {(seat: number) => void} [onCatch]   a chip that may be caught can be tapped
 * @property {number[]} [catchable]
 * @property {boolean} [large]
 */

/** The place of the seat with index `i` of `n`, as an angle; 0 is the bottom, growing clockwise. */
const angle = (/** @type {number} */ i, /** @type {number} */ n) => Math.PI / 2 + (2 * Math.PI * i) / n;

/** @param {RingShape} shape @param {number} at */
const point = (shape, at) => ({
  x: shape.width / 2 + shape.rx * Math.cos(at),
  y: shape.height / 2 + shape.ry * Math.sin(at),
});

/** @param {TableView} table @param {number} bottom @returns {Seat[]} seats from the bottom one on, clockwise */
export function around(table, bottom) {
  const seats = table.seats.filter((seat) => !(seat.left && table.phase === "gathering"));
  const first = Math.max(0, seats.findIndex((seat) => seat.seat === bottom));
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/** Where a seat's chip is, in px of the ring's box. @param {TableView} table @param {RingShape} shape @param {number} seat */
export function placeOf(table, shape, seat) {
  const seats = around(table, shape.bottom);
  return point(shape, angle(Math.max(0, seats.findIndex((one) => one.seat === seat)), seats.length || 1));
}

/** @param {TableView} table @param {RingHow} how @param {import("./view.js").Child} centre */
export function ring(table, how, centre) {
  const { shape } = how;
  const seats = around(table, shape.bottom);
  return [
    track(table, shape, seats.length),
    h("div", { class: "centre", key: "centre" }, centre),
    h("ol", { class: "seats", key: "seats" }, seats.map((seat, i) => {
      const at = point(shape, angle(i, seats.length));
      return chip(table, seat, how, at);
    })),
  ];
}

/** The oval and its arrowheads. @param {TableView} table @param {RingShape} shape @param {number} n */
function track(table, shape, n) {
  const heads = n < 2 ? 0 : n === 2 ? 4 : n;
  const turned = table.direction === "counterclockwise";
  const live = table.phase === "playing";
  return h("svg", {
    class: `track${live ? " live" : ""}${turned ? " turned" : ""}`, key: "track", role: "img",
    viewBox: `0 0 ${shape.width} ${shape.height}`, "aria-label": t(`direction.${table.direction}`),
  },
    h("ellipse", { class: "oval", cx: shape.width / 2, cy: shape.height / 2, rx: shape.rx, ry: shape.ry }),
    live && Array.from({ length: heads }, (_, i) => {
      const at = angle(i + 0.5, heads);
      const { x, y } = point(shape, at);
      const along = (Math.atan2(shape.ry * Math.cos(at), -shape.rx * Math.sin(at)) * 180) / Math.PI;
      return h("g", { key: i, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${along.toFixed(1)})` },
        h("path", { class: "head", d: "M-9 -10L9 0L-9 10L-4 0z" }));
    }));
}

/** @param {TableView} table @param {Seat} seat @param {RingHow} how @param {{x: number, y: number}} at */
function chip(table, seat, how, at) {
  const playing = table.phase === "playing";
  const turn = playing && (table.due ? table.due.seat : table.turn) === seat.seat;
  const caught = how.onCatch && (how.catchable ?? []).includes(seat.seat);
  const owed = owedText(seat.owed);
  const classes = ["chip", turn && "turn", seat.out && "out", seat.left && "left", seat.eliminated && "eliminated",
    seat.kind === "person" && !seat.connected && "away", how.mine.includes(seat.seat) && "me",
    playing && seat.catchable && "catchable"].filter(Boolean).join(" ");
  const inside = [
    h("span", { class: "name" }, seat.kind === "bot" && robot(), h("span", {}, seat.name)),
    playing ? h("span", { class: "holds" }, seat.out ? t("seat.out") : [
      backs(seat.hand), h("b", { class: "count" }, seat.hand),
      h("span", { class: "unseen" }, ` ${t("seat.cards", { n: seat.hand })}`)])
      : table.round > 0 && h("span", { class: "holds score" }, h("b", { class: "count" }, seat.score)),
    badge(table, seat, owed),
  ];
  return h("li", { key: seat.seat, class: classes, "data-seat": seat.seat, vars: { "--x": `${at.x.toFixed(1)}px`, "--y": `${at.y.toFixed(1)}px` } },
    caught ? h("button", { class: "body", type: "button", onclick: () => how.onCatch?.(seat.seat) }, inside)
      : h("div", { class: "body" }, inside));
}

/** The one thing worth saying about a seat. @param {TableView} table @param {Seat} seat @param {string} owed */
function badge(table, seat, owed) {
  const playing = table.phase === "playing";
  if (seat.left) return h("em", { class: "badge quiet" }, t("seat.left"));
  if (seat.eliminated) return h("em", { class: "badge quiet" }, t("seat.eliminated"));
  if (playing && owed) return h("em", { class: "badge owes" }, owed);
  if (playing && seat.catchable) return h("em", { class: "badge catch" }, t("seat.catch"));
  if (playing && seat.called) return h("em", { class: "badge uno" }, t("seat.uno"));
  if (seat.kind === "person" && !seat.connected) return h("em", { class: "badge quiet" }, t("seat.away"));
  return null;
}

function robot() {
  return h("svg", { class: "robot", viewBox: "0 0 20 20", role: "img", "aria-label": t("seat.bot") },
    h("path", { d: "M10 1.5v3M3.5 7.5a3 3 0 0 1 3-3h7a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-7a3 3 0 0 1-3-3z" }),
    h("path", { class: "eyes", d: "M7.4 8.6v2.6M12.6 8.6v2.6" }));
}
