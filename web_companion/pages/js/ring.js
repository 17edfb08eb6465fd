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
 * @property {number} rx       half axes of the rim, in px
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

const ROUNDNESS = 2.6; // of the superellipse: 2 is an ellipse, more is a table with rounded corners
const STEPS = 240;

/** A point of the rim; 0 is the bottom, a quarter on the left, growing clockwise. @param {RingShape} shape
 * @param {number} turn */
function rim(shape, turn) {
  const at = Math.PI / 2 + 2 * Math.PI * turn;
  const bent = (/** @type {number} */ value) => Math.sign(value) * Math.abs(value) ** (2 / ROUNDNESS);
  return { x: shape.width / 2 + shape.rx * bent(Math.cos(at)), y: shape.height / 2 + shape.ry * bent(Math.sin(at)) };
}

/** Places at the same distance from each other along the rim, with the way play goes there (degrees), from the
 * bottom on. @param {RingShape} shape @param {number} n @param {number} [offset] in places */
function places(shape, n, offset = 0) {
  const points = Array.from({ length: STEPS + 1 }, (_, i) => rim(shape, i / STEPS));
  const lengths = [0];
  points.slice(1).forEach((point, i) => lengths.push(lengths[i] + Math.hypot(point.x - points[i].x, point.y - points[i].y)));
  return Array.from({ length: n }, (_, i) => {
    const wanted = (((i + offset) / n) % 1) * lengths[STEPS];
    const next = Math.max(1, lengths.findIndex((length) => length >= wanted));
    const [from, to] = [points[next - 1], points[next]];
    const share = (wanted - lengths[next - 1]) / (lengths[next] - lengths[next - 1] || 1);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share,
      along: (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI };
  });
}

/** @param {TableView} table @param {number} bottom @returns {Seat[]} seats from the bottom one on, clockwise */
export function around(table, bottom) {
  const order = table.phase === "gathering" ? undefined : table.seating;
  const seats = table.seats.filter((seat) => !(seat.left && table.phase === "gathering"));
  if (order) seats.sort((a, b) => order.indexOf(a.seat) - order.indexOf(b.seat));
  const first = Math.max(0, seats.findIndex((seat) => seat.seat === bottom));
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/**
 * How large what lies in the middle may be (1: as large as it likes) without touching a seat.
 * @param {TableView} table @param {RingShape} shape
 * @param {{width: number, height: number}} chip  the largest a seat's chip gets
 * @param {{width: number, height: number}} block  the middle at its largest
 */
export function roomFor(table, shape, chip, block) {
  const seats = around(table, shape.bottom);
  const taken = places(shape, seats.length);
  const free = (/** @type {number} */ scale) => taken.every((at) =>
    Math.abs(at.x - shape.width / 2) >= (chip.width + block.width * scale) / 2
      || Math.abs(at.y - shape.height / 2) >= (chip.height + block.height * scale) / 2);
  let scale = 1;
  while (scale > 0.25 && !free(scale)) scale -= 0.05;
  return scale;
}

/** @param {TableView} table @param {RingHow} how @param {import("./view.js").Child} centre */
export function ring(table, how, centre) {
  const { shape } = how;
  const seats = around(table, shape.bottom);
  const at = places(shape, seats.length);
  return [
    track(table, shape, seats.length),
    h("div", { class: "centre", key: "centre" }, centre),
    h("ol", { class: "seats", key: "seats" }, seats.map((seat, i) => chip(table, seat, how, at[i]))),
  ];
}

/** The rim and its arrowheads. @param {TableView} table @param {RingShape} shape @param {number} n */
function track(table, shape, n) {
  const heads = n < 2 ? 0 : n === 2 ? 4 : n;
  const turned = table.direction === "counterclockwise";
  const live = table.phase === "playing";
  return h("svg", {
    class: `track${live ? " live" : ""}${turned ? " turned" : ""}`, key: "track", role: "img",
    viewBox: `0 0 ${shape.width} ${shape.height}`, "aria-label": t(`direction.${table.direction}`),
  },
    h("path", { class: "oval", d: `M${places(shape, 72).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z` }),
    live && places(shape, heads, 0.5).map(({ x, y, along }, i) =>
      h("g", { key: i, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${along.toFixed(1)})` },
        h("path", { class: "head", d: "M-9 -10L9 0L-9 10L-4 0z" }))));
}

/** @param {TableView} table @param {Seat} seat @param {RingHow} how @param {{x: number, y: number}} at */
function chip(table, seat, how, at) {
  const playing = table.phase === "playing";
  const turn = playing && (table.due?.seat ?? table.turn) === seat.seat;
  const caught = how.onCatch && (how.catchable ?? []).includes(seat.seat);
  const owed = owedText(table, seat.owed);
  const classes = ["chip", turn && "turn", playing && seat.out && "out", winners(table).includes(seat.seat) && "winner", seat.left && "left", seat.eliminated && "eliminated",
    seat.kind === "person" && !seat.connected && "away", how.mine.includes(seat.seat) && "me",
    playing && seat.catchable && "catchable"].filter(Boolean).join(" ");
  const inside = [
    h("span", { class: "name" }, seat.kind === "bot" && robot(), h("span", {}, seat.name)),
    playing || table.phase === "counting" || table.phase === "start" ? h("span", { class: "holds" }, seat.out ? t("seat.out") : [
      backs(seat.hand), h("b", { class: "count" }, seat.hand),
      h("span", { class: "unseen" }, ` ${t("seat.cards", { n: seat.hand })}`)])
      : table.round > 0 && h("span", { class: "holds score" }, h("b", { class: "count" }, seat.score)),
    badge(table, seat, owed),
  ];
  return h("li", { key: seat.seat, class: classes, "data-seat": seat.seat, vars: { "--x": `${at.x.toFixed(1)}px`, "--y": `${at.y.toFixed(1)}px` } },
    caught ? h("button", { class: "body", type: "button", onclick: () => how.onCatch?.(seat.seat) }, inside)
      : h("div", { class: "body" }, inside));
}

/** Who has just won the round or the match. @param {TableView} table @returns {number[]} */
export function winners(table) {
  if (table.phase === "match-over") return table.match.winners;
  const last = table.rounds[table.rounds.length - 1];
  return table.phase === "round-over" && last && last.winner !== null ? [last.winner] : [];
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
