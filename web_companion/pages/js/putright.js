// @ts-check
// The host puts something right, with a reason that is kept: a shot, a hand, a score, the turn, the direction, the colour.

import { nameOf } from "./banner.js";
import { colourFields } from "./choices.js";
import { standing } from "./scores.js";
import { stepper } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./shell.js").Shell} Shell */
/** @typedef {import("./view.js").Child} Child */

const WHAT = /** @type {const} */ (["shot", "hand", "score", "turn", "direction", "colour", "undo"]);
const REASONS = /** @type {const} */ (["miscounted", "mistapped", "forgotten", "agreed"]);
const MOST_SCORE = 5000;

/** What is being put right; `about` is the shot that it was when somebody began.
 * @type {{what: typeof WHAT[number], seat: number | null, value: number | null, about: string, reason: string}} */
const right = { what: "shot", seat: null, value: null, about: "", reason: "" };

/** @param {Shell} shell @param {TableView} table */
export function putRight(shell, table) {
  const shown = WHAT.filter((what) => (what !== "hand" || table.physical) && (what !== "shot" || table.launcherTable !== false));
  if (!shown.includes(right.what)) right.what = "turn";
  return h("section", { class: "paper put-right", key: "right" },
    h("h2", {}, t("right.title")),
    h("div", { class: "switcher flat", role: "group", "aria-label": t("right.title") }, shown.map((what) =>
      h("button", { key: what, type: "button", class: "tab", "data-right": what, "aria-pressed": String(what === right.what),
        onclick: () => { Object.assign(right, { what, seat: null, value: null }); shell.draw(); } }, t(`right.${what}`)))),
    reasons(shell),
    control(shell, table));
}

/** @param {Shell} shell */
function reasons(shell) {
  return h("div", { class: "reasons", key: "reasons" },
    h("span", { class: "quiet" }, t("right.why")),
    REASONS.map((one) => {
      const text = t(`right.why.${one}`);
      return h("button", { key: one, type: "button", class: "tab", "data-reason": one, "aria-pressed": String(right.reason === text),
        onclick: () => { right.reason = right.reason === text ? "" : text; shell.draw(); } }, text);
    }),
    h("input", { "aria-label": t("right.why"), placeholder: t("right.why.own"), maxlength: 120, value: right.reason,
      oninput: (/** @type {Event} */ event) => { right.reason = /** @type {HTMLInputElement} */ (event.currentTarget).value; } }));
}

/** @param {Shell} shell @param {TableView} table @returns {Child} */
function control(shell, table) {
  const send = async (/** @type {Event} */ event, /** @type {string} */ what, /** @type {Record<string, unknown>} */ fields) => {
    const answer = await shell.ask(event, what, { ...fields, ...(right.reason.trim() ? { reason: right.reason.trim() } : {}) });
    if (answer.ok) Object.assign(right, { seat: null, value: null, reason: "" });
    shell.draw();
  };
  switch (right.what) {
    case "shot": return shot(shell, table, send);
    case "hand": return number(shell, table, (seat) => seat.hand, 112, "set-hand", "count", send);
    case "score": return number(shell, table, (seat) => standing(table, seat), MOST_SCORE, "set-score", "score", send,
      { typed: true, least: table.match.format === "chips" ? -MOST_SCORE : 0 });
    case "turn": return people(table, table.turn, (event, seat) => void send(event, "set-turn", { seat }));
    case "direction": return h("div", { class: "actions" }, [1, -1].map((step) => {
      const way = step > 0 ? "clockwise" : "counterclockwise";
      return h("button", { key: step, type: "button", class: "tab", "data-step": step, "aria-pressed": String(way === table.direction),
        onclick: (/** @type {Event} */ event) => void send(event, "set-direction", { step }) }, t(`direction.${way}`));
    }));
    case "colour": return colourFields(["red", "yellow", "green", "blue"], (event, colour) => void send(event, "set-colour", { colour }));
    default: return [h("p", { class: "quiet" }, t("right.undo.sub")),
      h("button", { type: "button", class: "button", "data-do": "undo-why", onclick: (/** @type {Event} */ event) => void send(event, "undo", {}) }, t("host.undo"))];
  }
}

/** @typedef {(event: Event, what: string, fields: Record<string, unknown>) => Promise<void>} Send */

/** Somebody's number. @param {Shell} shell @param {TableView} table @param {(seat: import("./wire.js").Seat) => number} now
 * @param {number} most @param {string} what @param {string} field @param {Send} send
 * @param {{least?: number, typed?: boolean}} [how] @returns {Child} */
function number(shell, table, now, most, what, field, send, how) {
  const seat = table.seats.find((one) => one.seat === right.seat);
  const value = right.value ?? (seat ? now(seat) : 0);
  return [
    people(table, right.seat, (_, chosen) => { Object.assign(right, { seat: chosen, value: null }); shell.draw(); }),
    seat && h("div", { class: "actions" },
      stepper(seat.name, value, most, (to) => { right.value = to; shell.draw(); }, 1, how),
      h("button", { type: "button", class: "button call", "data-do": what, disabled: value === now(seat),
        onclick: (/** @type {Event} */ event) => void send(event, what, { seat: seat.seat, [field]: value }) }, t("right.do", { name: seat.name, n: value }))),
  ];
}

/** @param {Shell} shell @param {TableView} table @param {Send} send @returns {Child} */
function shot(shell, table, send) {
  const last = table.launcher.last;
  if (!last) return h("p", { class: "quiet" }, t("host.correct.none"));
  const about = JSON.stringify(last);
  if (right.about !== about) Object.assign(right, { about, seat: null, value: null });
  const cards = right.value ?? last.cards;
  const seat = right.seat ?? last.seat;
  return [
    h("p", { class: "quiet" }, t("host.correct.sub", { n: last.cards, name: nameOf(table, last.seat) })),
    people(table, seat, (_, chosen) => { right.seat = chosen; shell.draw(); }),
    h("div", { class: "actions" },
      stepper(t("host.correct"), cards, 60, (value) => { right.value = value; shell.draw(); }),
      h("button", { type: "button", class: "button", "data-do": "correct", disabled: cards === last.cards && seat === last.seat,
        onclick: (/** @type {Event} */ event) => void send(event, "correct", { cards, seat }) }, t("host.correct.do", { n: cards }))),
  ];
}

/** @param {TableView} table @param {number | null} chosen @param {(event: Event, seat: number) => void} picked */
function people(table, chosen, picked) {
  return h("div", { class: "dealers" }, table.seats.filter((seat) => !seat.left).map((seat) =>
    h("button", { key: seat.seat, type: "button", class: "tab", "data-seat": seat.seat, "aria-pressed": String(seat.seat === chosen),
      onclick: (/** @type {Event} */ event) => picked(event, seat.seat) }, seat.name)));
}
