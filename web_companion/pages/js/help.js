// @ts-check
// Help for children and first-timers: a picture of what to do now, a word about UNO at the right time, and a new card in
// one line when it is first held. What has been explained is kept on this phone.

import { nameOf } from "./banner.js";
import { backs, face, mark } from "./cards.js";
import { launcher } from "./launcher.js";
import { hasEffect, rulebook, valuesAt } from "./rules.js";
import { maybe, parts, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./shell.js").Shell} Shell */

const KEY = "met";
/** Ranks that have been explained on this phone. @type {Set<string> | null} */
let met = null;

/** @param {Shell} shell @param {TableView} table @param {Mine} mine */
export function help(shell, table, mine) {
  const seat = table.seats.find((one) => one.seat === mine.seat);
  if (!seat?.helped) return null;
  return h("section", { class: "help", key: "help" }, prompt(table, mine, seat.called), introduced(shell, table, mine));
}

/** One picture and a few words. @param {TableView} table @param {Mine} mine @param {boolean} called */
function prompt(table, mine, called) {
  const { may, moves } = mine;
  const say = (/** @type {string} */ key, /** @type {import("./view.js").Child} */ picture, /** @type {string} */ text) =>
    h("p", { key, class: `prompt ${key}` }, h("span", { class: "picture", "aria-hidden": "true" }, picture), h("strong", {}, text));
  const due = table.due?.seat === mine.seat;
  if (may.colour) return say("colour", ["red", "yellow", "green", "blue"].map((colour) => mark(colour)), t("help.colour"));
  if (mine.hand.length === 2 && moves.length && may.uno && !called) return say("uno", h("b", { class: "uno-word" }, t("play.uno")), t("help.uno"));
  if (moves.length) {
    return say("play", [face(moves[0].card === "?" ? "?" : moves[0].card), h("i", {}, "→"), table.top !== null && face(table.top)],
      t(called && mine.hand.length === 2 ? "help.called" : "help.play"));
  }
  if (may.hit && due) return say("hit", launcher(table), t(table.due?.what === "hit" ? "help.take" : "help.hit"));
  if (may.draw && due) return say("draw", backs(3), t("help.draw"));
  if (may.pass) return say("pass", h("i", {}, "✋"), t("help.pass"));
  const name = nameOf(table, table.due?.seat ?? table.turn);
  return say("wait", h("i", {}, "…"), name ? t("help.wait", { name }) : t("help.wait.nobody"));
}

/** The first card in this hand that this phone has not explained yet. @param {Shell} shell @param {TableView} table
 * @param {Mine} mine */
function introduced(shell, table, mine) {
  const rules = rulebook(() => shell.draw());
  if (!rules) return null;
  const values = valuesAt(rules, table);
  const known = met ?? (met = new Set(read()));
  const card = mine.hand.find((one) => {
    const { rank } = parts(one);
    return !known.has(rank) && hasEffect(values, rank) && maybe(`meet.${rank}`) !== null;
  });
  if (!card) return null;
  const { rank } = parts(card);
  return h("p", { key: `meet ${rank}`, class: "meet", "data-meet": rank },
    h("span", { class: "picture", "aria-hidden": "true" }, face(card)), h("span", {}, maybe(`meet.${rank}`)),
    h("button", { type: "button", class: "button small", "data-do": "met", onclick: () => {
      known.add(rank);
      try {
        localStorage.setItem(KEY, [...known].join(" "));
      } catch {
        // a private window keeps nothing; it is explained again then
      }
      shell.draw();
    } }, t("help.met")));
}

/** @returns {string[]} */
function read() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}
