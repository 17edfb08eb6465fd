// @ts-check
// What the table asks of one seat besides a card of its hand: to press, to draw, to answer a wild draw four, to slap, to
// keep silent, to say what came. Fields are large; where a card may be laid instead they leave room for the hand.

import { nameOf } from "./banner.js";
import { face, sorted } from "./cards.js";
import { colourFields } from "./choices.js";
import { coolsFor } from "./launcher.js";
import { countPad } from "./pad.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./shell.js").Shell} Shell */

const PEEK = 14; // cards of the own hand that are shown while a button is to be pressed

let verdict = ""; // the challenge whose hand is being looked at

/** Whether this seat has to take cards now, or is just getting them. @param {TableView} table @param {Mine | null} mine */
export function pressing(table, mine) {
  if (!mine || table.phase !== "playing") return false;
  const { state, shot } = table.launcher;
  const busy = state === "pressed" || state === "firing";
  if (shot?.seat === mine.seat && busy) return true;
  return table.due?.what === "hit" && table.due.seat === mine.seat;
}

/** Whether something has to be taken and no card can be laid instead: then it is one message. @param {TableView} table
 * @param {Mine | null} mine */
export function taking(table, mine) {
  const draws = table.phase === "playing" && table.due?.what === "draw" && table.due.seat === mine?.seat;
  return (draws || pressing(table, mine)) && !mine?.moves.length;
}

/** The lower half as one message: press, draw, or say what came. @param {Shell} shell @param {TableView} table @param {Mine} mine */
export function takePanel(shell, table, mine) {
  if (table.due?.what === "draw" && table.due.seat === mine.seat) return drawPanel(shell, table, mine);
  return table.launcher.button === "none" ? typedPanel(shell, table, mine) : pressPanel(shell, table, mine);
}

/** @param {TableView} table @param {Mine} mine */
function owedWords(table, mine) {
  const owed = table.seats.find((seat) => seat.seat === mine.seat)?.owed ?? 0;
  return typeof owed === "string" ? t(`play.press.${owed}`) : owed > 0 ? t("play.press.more", { n: owed }) : "";
}

/** @param {Shell} shell @param {TableView} table @param {Mine} mine */
function pressPanel(shell, table, mine) {
  const { state, button, typed } = table.launcher;
  const busy = state === "pressed" || state === "firing";
  const cools = coolsFor(table);
  const came = state === "firing" ? table.launcher.shot?.cards ?? 0 : 0;
  const more = owedWords(table, mine);
  const word = state === "pressed" ? t("play.press.wait") : state === "firing" ? t("play.press.firing")
    : state === "resting" ? t("play.press.resting") : cools ? t("play.press.cooling", { n: cools }) : t("play.press");
  const inside = [h("strong", {}, word), came > 0 && h("span", {}, t("seat.cards", { n: came })), !busy && more && h("span", {}, more)];
  return h("div", { class: `press lamp-${busy ? state : "due"}`, key: "press" },
    button === "page"
      ? h("button", { type: "button", class: "dome-button", "data-do": "press", disabled: busy || state === "resting" || cools > 0,
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "press", { seat: mine.seat }) }, inside)
      : h("div", { class: "dome-button finger" }, h("strong", {}, busy || cools ? word : t("play.press.finger")),
        !busy && more && h("span", {}, more)),
    mine.hand.some((card) => card !== "?") ? h("ul", { class: "peek", "aria-label": t("play.hand", { n: mine.hand.length }) },
      sorted(mine.hand).slice(0, PEEK).map((card, place) => h("li", { key: place, class: "card lit" }, face(card))))
      : h("p", { class: "quiet" }, t("play.press.why")),
    doneButton(shell, table, mine),
    typed && !busy && h("details", { class: "instead" }, h("summary", {}, t("play.typed.instead")),
      countPad("instead", "hit", (event, cards) => void shell.ask(event, "hit", { seat: mine.seat, cards }), () => shell.draw())));
}

/** No launcher that counts: the one who hit says what came. @param {Shell} shell @param {TableView} table @param {Mine} mine */
function typedPanel(shell, table, mine) {
  const more = owedWords(table, mine);
  return h("div", { class: "panel typed", key: "typed" },
    h("p", { class: "lead" }, t("play.typed"), more && h("span", { class: "quiet" }, ` ${more}`)),
    countPad("owed", "hit", (event, cards) => void shell.ask(event, "hit", { seat: mine.seat, cards }), () => shell.draw()),
    doneButton(shell, table, mine));
}

/** Until a colour comes: with real cards somebody has to see it. @param {Shell} shell @param {TableView} table @param {Mine} mine */
function doneButton(shell, table, mine) {
  const units = table.due?.units;
  if (!table.physical || units !== "until-colour" || table.due?.seat !== mine.seat) return null;
  return h("button", { type: "button", class: "button wide", "data-do": "done",
    onclick: (/** @type {Event} */ event) => void shell.ask(event, "done", { seat: mine.seat }) }, t("play.done"));
}

/** @param {Shell} shell @param {TableView} table @param {Mine} mine */
function drawPanel(shell, table, mine) {
  const owed = Number(table.seats.find((seat) => seat.seat === mine.seat)?.owed ?? 1);
  return h("div", { class: "press", key: "draw" },
    h("button", { type: "button", class: "call pile-button", "data-do": "draw",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "draw", { seat: mine.seat }) },
    h("strong", {}, t("play.take", { n: owed })), table.physical && h("span", {}, t("play.take.real"))),
    h("p", { class: "quiet" }, t("play.take.why")));
}

/** What can be done in place of laying a card, in a row above the cards. @param {Shell} shell @param {TableView} table
 * @param {Mine} mine @param {() => void} report   somebody made a sound */
export function asks(shell, table, mine, report) {
  const { may, seat } = mine;
  const does = (/** @type {string} */ what, fields = {}) => (/** @type {Event} */ event) => void shell.ask(event, what, { seat, ...fields });
  const rows = [];
  if (may.challenge || (may.accept && table.due?.what === "challenge")) rows.push(challengeRow(shell, table, mine));
  else if (mine.moves.length && table.due?.seat === seat && (table.due.what === "hit" || table.due.what === "draw")) {
    const owed = Number(table.seats.find((one) => one.seat === seat)?.owed) || 1;
    rows.push(h("div", { class: "ask", key: "answer" },
      h("p", {}, t("play.answer")),
      table.due.what === "draw"
        ? h("button", { type: "button", class: "button call", "data-do": "draw", onclick: does("draw") }, t("play.take", { n: owed }))
        : table.launcher.button === "page"
          ? h("button", { type: "button", class: "button call", "data-do": "press", onclick: does("press") }, t("play.hits", { n: owed }))
          : h("p", { class: "quiet" }, t(table.launcher.button === "none" ? "play.typed" : "play.hit.finger"))),
    table.due.what === "hit" && table.launcher.button === "none"
      && countPad("answer", "hit", (event, cards) => void shell.ask(event, "hit", { seat, cards }), () => shell.draw()));
  }
  if (table.silence !== null && table.phase === "playing") {
    rows.push(h("div", { class: "ask", key: "silence" },
      h("p", {}, t("play.silence", { name: nameOf(table, table.silence) })),
      may.report.length > 0 && h("button", { type: "button", class: "button", "data-do": "report", onclick: report }, t("play.report"))));
  }
  return rows;
}

/** Accept a wild draw four, or say that it was a bluff; with real cards the challenger looks and says what was there.
 * @param {Shell} shell @param {TableView} table @param {Mine} mine */
function challengeRow(shell, table, mine) {
  const { may, seat } = mine;
  const key = `${table.round} ${table.discards} ${seat}`;
  const sends = (/** @type {string} */ what, fields = {}) => (/** @type {Event} */ event) => {
    verdict = "";
    void shell.ask(event, what, { seat, ...fields });
  };
  if (verdict === key && table.physical) {
    return h("div", { class: "ask tall", key: "verdict" },
      h("p", { class: "lead" }, t("play.verdict")),
      h("div", { class: "fields" },
        h("button", { type: "button", class: "field", "data-do": "guilty", onclick: sends("challenge", { verdict: "guilty" }) },
          t("play.verdict.guilty"), h("small", {}, t("play.verdict.guilty.sub"))),
        h("button", { type: "button", class: "field", "data-do": "innocent", onclick: sends("challenge", { verdict: "innocent" }) },
          t("play.verdict.innocent"), h("small", {}, t("play.verdict.innocent.sub")))),
      h("button", { type: "button", class: "button", onclick: () => { verdict = ""; shell.draw(); } }, t("host.cancel")));
  }
  return h("div", { class: "ask tall", key: "challenge" },
    h("div", { class: "fields" },
      may.accept && h("button", { type: "button", class: "field", "data-do": "accept", onclick: sends("accept") },
        t("play.accept"), h("small", {}, t("play.accept.sub"))),
      may.challenge && h("button", { type: "button", class: "field", "data-do": "challenge",
        onclick: table.physical ? () => { verdict = key; shell.draw(); } : sends("challenge") },
      t("play.challenge"), h("small", {}, t("play.challenge.sub")))));
}

/** Everybody slaps: one field, as large as a hand. @param {Shell} shell @param {Mine} mine */
export function slapPanel(shell, mine) {
  return h("div", { class: "press", key: "slap" },
    h("button", { type: "button", class: "call pile-button", "data-do": "slap",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "slap", { seat: mine.seat }) }, h("strong", {}, t("play.slap"))),
    h("p", { class: "quiet" }, t("banner.mine.slap.sub")));
}

/** The colour of a start card, above the hand that it is to suit. @param {Shell} shell @param {Mine} mine */
export function colourRow(shell, mine) {
  return h("div", { class: "ask tall naming", key: "colour" }, colourFields(["red", "yellow", "green", "blue"],
    (event, colour) => void shell.ask(event, "colour", { seat: mine.seat, colour })));
}

/** What the launcher counted last, to be put right at once by whose shot it was. @param {Shell} shell @param {TableView} table
 * @param {number[]} seats  of this phone */
export function shotRow(shell, table, seats) {
  const { last, correctable } = table.launcher;
  if (!last || !correctable || !seats.includes(last.seat)) return null;
  const sure = last.certainty === "exact";
  if (!table.physical && sure) return null;
  const to = (/** @type {number} */ cards) => (/** @type {Event} */ event) => void shell.ask(event, "correct", { cards });
  return h("div", { class: `ask shot${sure ? "" : " unsure"}`, key: "shot" },
    h("p", {}, t(sure ? "play.shot" : "play.shot.unsure", { n: last.cards, name: nameOf(table, last.seat) })),
    h("div", { class: "stepper", role: "group", "aria-label": t("host.correct") },
      h("button", { type: "button", class: "button", "data-do": "fewer", disabled: last.cards === 0, "aria-label": t("play.shot.fewer"),
        onclick: to(last.cards - 1) }, "−"),
      h("output", {}, last.cards),
      h("button", { type: "button", class: "button", "data-do": "further", "aria-label": t("play.shot.further"),
        onclick: to(last.cards + 1) }, "+")));
}
