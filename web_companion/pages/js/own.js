// @ts-check
// What belongs to a seat and its phone: its code, coming back, the own tap taken back; and what this phone must be told
// once.

import { nameOf } from "./banner.js";
import { lazily } from "./lazy.js";
import { post } from "./shell.js";
import { refusal, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").State} State @typedef {import("./wire.js").TableView} TableView */
/** @typedef {import("./shell.js").Shell} Shell */

/** The seat whose sheet is open. @type {number | null} */
let open = null;
const sheets = lazily(() => import("./seatsheet.js"));
/** What has happened to this phone and was not acknowledged yet. @type {{key: string, text: string, sub: string}[]} */
let notices = [];
/** Until when what a frame said may be taken back is offered. @type {WeakMap<object, number>} */
const offers = new WeakMap();

/** The small button with the seat's code. @param {Shell} shell @param {State} state @param {number} seat */
export function ownButton(shell, state, seat) {
  const code = state.codes?.[String(seat)];
  if (!code || !shell.link.you.seats.includes(seat)) return null;
  const helped = state.table.seats.find((one) => one.seat === seat)?.helped;
  return h("button", { key: `own ${seat}`, type: "button", class: "button small own", "data-do": "own", "data-seat": seat,
    "aria-label": t("own.title", { name: nameOf(state.table, seat) }),
    onclick: () => { open = seat; shell.draw(); } }, t("own.code", { code }), helped && ` · ${t("own.help")}`);
}

/** @param {Shell} shell @param {State} state */
export function ownSheet(shell, state) {
  const seat = state.table.seats.find((one) => one.seat === open);
  if (!seat || !shell.link.you.seats.includes(seat.seat)) {
    open = null;
    return null;
  }
  return sheets(() => shell.draw())?.seatSheet(shell, state, seat, () => { open = null; shell.draw(); }) ?? null;
}

/** Listen for what happens to this phone. @param {Shell} shell */
export function watchOwn(shell) {
  const { link } = shell;
  /** @type {boolean | null} */
  let wasHost = null;
  link.addEventListener("news", (event) => {
    const { state, before } = /** @type {CustomEvent<{state: State, before: State | null}>} */ (event).detail;
    for (const one of before ? state.events : []) {
      const had = before?.codes && !link.you.host && String(one.seat) in before.codes;
      const has = String(one.seat) in (state.codes ?? {});
      if (one.e === "reseated" && had && !has) {
        tell(`taken ${one.seat}`, t("own.taken", { name: nameOf(state.table, one.seat) }), t("own.taken.sub"));
      }
    }
  });
  link.addEventListener("change", () => {
    if (!link.welcome) return;
    if (wasHost === false && link.you.host) tell("host", t("own.host"), "");
    wasHost = link.you.host;
  });
}

/** @param {string} key @param {string} text @param {string} sub */
function tell(key, text, sub) {
  notices = [...notices.filter((one) => one.key !== key), { key, text, sub }];
}

/** What this phone is told or asked above everything else. @param {Shell} shell @param {State} state */
export function told(shell, state) {
  const { table } = state;
  const { you } = shell.link;
  return [
    notices.map((one) => h("aside", { key: one.key, class: "notice", role: "status" }, h("p", {}, h("b", {}, one.text), " ", one.sub),
      h("button", { type: "button", class: "button small", onclick: () => { notices = notices.filter((each) => each !== one); shell.draw(); } },
        t("own.taken.ok")))),
    table.chairFree && h("aside", { key: "chair", class: "notice", role: "status" },
      h("p", {}, t(you.host ? "chair.host" : "chair.free")),
      you.host ? h("button", { type: "button", class: "button small", "data-do": "keep-chair",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "keep-chair") }, t("chair.keep"))
        : h("button", { type: "button", class: "button small call", "data-do": "take-chair",
          onclick: (/** @type {Event} */ event) => void takeChair(shell, event) }, t("chair.take"))),
    (you.left ?? []).map((seat) => h("aside", { key: `left ${seat}`, class: "notice" }, h("p", {}, t("own.back.sub")),
      h("button", { type: "button", class: "button small call", "data-do": "come-back",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "come-back", { seat }) }, t("own.back", { name: nameOf(table, seat) })))),
    table.seats.some((seat) => seat.returning && you.seats.includes(seat.seat))
      && h("aside", { key: "returning", class: "notice" }, h("p", {}, t("own.returning"))),
  ];
}

/** @param {Shell} shell @param {Event} event */
async function takeChair(shell, event) {
  const touched = /** @type {Element} */ (event.currentTarget);
  const answer = await post("/api/v1/host", {});
  if (!answer.ok) shell.say(touched, refusal(answer));
}

/** The own tap, for as long as it may be taken back. @param {Shell} shell @param {State} state */
export function takeBack(shell, state) {
  const back = state.table.takeBack;
  if (!back || !shell.link.you.seats.includes(back.seat)) return null;
  const now = performance.now();
  const until = offers.get(back) ?? now + back.seconds * 1000;
  if (!offers.has(back)) {
    offers.set(back, until);
    setTimeout(() => shell.draw(), back.seconds * 1000 + 50);
  }
  return until > now && h("button", { key: "take-back", type: "button", class: "button take-back", "data-do": "take-back",
    onclick: (/** @type {Event} */ event) => void shell.ask(event, "take-back", { seat: back.seat }) }, "↶ ", t("own.back-tap"));
}
