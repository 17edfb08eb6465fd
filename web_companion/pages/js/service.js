// @ts-check
// The maker's page: how the machine stands, shots whose cards are nobody's, dealing and counting, and what can happen to
// a simulated one. What it shows beside the table's own view is asked for again and again while somebody looks.

import { faultText } from "./banner.js";
import { chair, enter } from "./chair.js";
import { Shell, stepper } from "./shell.js";
import { maybe, t } from "./texts.js";
import { faults } from "./twin.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";
import { counting, dealing } from "./serving.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Service} Service */
/** @typedef {import("./wire.js").PastShot} PastShot */

const LOOK_EVERY = 700; // ms
const SHOWN = 8; // shots

/** @type {Shell} */
const shell = new Shell("service", view);
/** The newest that was heard of the machine. @type {Service | null} */
let service = null;
let looking = false;
let cards = 1;

function view() {
  const before = chair(shell, t("service.title"));
  if (before) return before;
  const table = /** @type {import("./wire.js").State} */ (shell.link.state).table;
  const now = service;
  return h("main", { class: "host service", key: "service" },
    header(table),
    h("div", { class: "columns" },
      now ? sections(table, now) : h("p", { class: "quiet" }, t("banner.connecting"))),
    tongues(shell));
}

/** What is going on comes first. @param {TableView} table @param {Service} now */
function sections(table, now) {
  const deal = now.orders && dealing(shell, table, now, does);
  const count = now.orders && counting(shell, now, does);
  const deals = table.dealing && table.dealing.step !== "done";
  const counts = now.count && now.count.step !== "done";
  return [deals && deal, counts && count, machine(table, now), now.orders && shots(table, now), !deals && deal, !counts && count,
    now.twin && faults(now.twin, does)];
}

/** Give a command, and look at once what came of it. @param {Event} event @param {string} what
 * @param {Record<string, unknown>} [fields] */
async function does(event, what, fields) {
  const asked = shell.ask(event, what, fields);
  void look();
  const answer = await asked;
  await look();
  return answer;
}

/** @param {TableView} table */
function header(table) {
  const { state, fault } = table.launcher;
  const broken = state === "jammed" || state === "fault";
  return h("header", { class: `banner ${broken ? "warn" : "calm"}` },
    h("div", { class: "words", "aria-live": "polite" },
      h("h1", {}, t("service.state", { state: t(`launcher.${state}`) })),
      fault && h("p", {}, faultText(fault))),
    h("nav", { class: "links" }, h("a", { class: "button", href: "/host" }, t("service.host"))));
}

/** @param {TableView} table @param {Service} now */
function machine(table, now) {
  const { state } = table.launcher;
  const broken = state === "jammed" || state === "fault";
  return h("section", { class: "paper", key: "machine" },
    h("h2", {}, t("host.launcher")),
    h("p", { class: "quiet" }, t("service.backend", { backend: now.backend })),
    now.unseen !== null && h("p", { class: "warn", "data-unseen": "" }, t("service.unseen", { n: now.unseen })),
    now.loose && h("p", { class: "warn" }, t("service.loose")),
    h("dl", { class: "facts" },
      fact("hopper", t("host.hopper"), now.hopper === null ? t("service.hopper.unknown") : t("seat.cards", { n: now.hopper })),
      now.motor && fact("motor", t("service.motor"), motor(now.motor)),
      Object.entries(now.levels ?? {}).map(([name, level]) =>
        fact(name, maybe(`service.level.${name}`) ?? name, maybe(`service.level.${name}.${level ? "yes" : "no"}`) ?? String(level)))),
    now.motor && h("progress", { class: now.motor.readyIn > 0 ? "spent" : "", max: now.motor.budget, value: now.motor.used, "aria-label": t("service.motor") }),
    h("div", { class: "actions" },
      broken && h("button", { type: "button", class: "call", "data-do": "clear-fault", onclick: (/** @type {Event} */ event) => void does(event, "clear-fault") },
        t("host.clear")),
      h("button", { type: "button", class: "button danger", "data-do": "halt", onclick: (/** @type {Event} */ event) => void does(event, "halt") },
        t("host.halt"))));
}

/** @param {string} key @param {string} name @param {string} value */
function fact(key, name, value) {
  return h("div", { key, "data-fact": key }, h("dt", {}, name), h("dd", {}, value));
}

/** @param {{used: number, budget: number, readyIn: number}} time */
function motor({ used, budget, readyIn }) {
  const spent = t("service.motor.used", { used: used.toFixed(1), budget });
  return readyIn > 0 ? `${spent}, ${t("service.motor.rest", { n: Math.ceil(readyIn) })}` : spent;
}

/** Shots that belong to nobody, and the last ones that were made. @param {TableView} table @param {Service} now */
function shots(table, now) {
  const inGame = table.phase !== "gathering" && !table.paused;
  cards = Math.min(cards, now.most);
  return h("section", { class: "paper", key: "shots" },
    h("h2", {}, t("service.shot")),
    h("p", { class: "quiet" }, t(inGame ? "service.shot.game" : table.phase === "gathering" ? "service.shot.sub" : "service.shot.paused")),
    h("div", { class: "actions" },
      stepper(t("service.shot"), cards, now.most, (value) => { cards = Math.max(1, value); shell.draw(); }),
      h("button", { type: "button", class: "call", "data-do": "service-shot", disabled: inGame || now.shot !== null,
        onclick: (/** @type {Event} */ event) => void does(event, "service-shot", { cards }) }, t("service.shot.do", { n: cards }))),
    now.shot && h("p", { class: "quiet", "aria-live": "polite" }, t("service.shot.running", { n: now.shot.cards, asked: now.shot.asked })),
    now.shots.length > 0 && past(table, now.shots.slice(0, SHOWN)));
}

/** @param {TableView} table @param {PastShot[]} all */
function past(table, all) {
  return h("table", { class: "past" },
    h("caption", { class: "unseen" }, t("service.past")),
    h("thead", {}, h("tr", {}, ["whose", "asked", "came", "end"].map((name) => h("th", { key: name, scope: "col" }, maybe(`service.past.${name}`) ?? "")))),
    h("tbody", {}, all.map((shot, place) => h("tr", { key: shot.shot ?? `seen ${place}`, class: shot.certainty === "exact" && shot.end === "done" ? "" : "doubt" },
      h("td", { class: "who" }, table.seats.find((seat) => seat.seat === shot.seat)?.name ?? t("service.past.nobody")),
      h("td", {}, shot.asked ?? "–"),
      h("td", {}, maybe(`service.sure.${shot.certainty}`, { n: shot.cards }) ?? shot.cards),
      h("td", { class: "end" }, maybe(`service.end.${shot.end}`) ?? shot.end)))));
}

/** Ask how the machine stands, one question at a time. */
async function look() {
  if (looking || document.visibilityState !== "visible" || shell.link.condition !== "live" || !shell.link.you.host) return;
  looking = true;
  const answer = await fetch("/api/v1/service", { cache: "no-store" }).then((response) => response.json(), () => null);
  looking = false;
  if (!answer?.ok) return;
  service = answer.service;
  shell.draw();
}

shell.link.addEventListener("news", () => void look());
setInterval(() => void look(), LOOK_EVERY);
shell.draw();
void enter(shell);
