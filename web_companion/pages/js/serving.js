// @ts-check
// Dealing real cards by the launcher and counting a deck through it, as the service page leads them. What comes next is
// the table's to say.

import { nameIn } from "./dealt.js";
import { stepper } from "./shell.js";
import { listed, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Service} Service */
/** @typedef {import("./wire.js").Deal} Deal @typedef {import("./wire.js").DeckCount} DeckCount */
/** @typedef {import("./shell.js").Shell} Shell */
/** @typedef {(event: Event, what: string, fields?: Record<string, unknown>) => Promise<unknown>} Does */

const MOST_EACH = 60;
const MOST_DECK = 500;

/** What is being filled in. */
const form = {
  /** @type {number | null} */ hand: null,
  /** @type {number | null} */ deck: null,
  /** A hand that is being counted, and which. @type {{about: string, cards: number} | null} */
  held: null,
};

/** @param {Shell} shell @param {TableView} table @param {Service} now @param {Does} does */
export function dealing(shell, table, now, does) {
  const deal = table.dealing ?? null;
  const hand = form.hand ?? now.hand;
  const possible = table.phase === "gathering" || (table.physical && table.phase === "start");
  return h("section", { class: "paper", key: "deal" },
    h("h2", {}, t("deal.title")),
    deal && deal.step !== "done" ? atSeat(shell, deal, now, does) : [
      deal && over(deal),
      h("p", { class: "quiet" }, t(!possible ? "deal.not" : now.names.length ? "deal.sub" : "deal.nobody", { names: listed(now.names) })),
      possible && now.names.length > 0 && h("div", { class: "actions" },
        stepper(t("deal.hand"), hand, MOST_EACH, (value) => { form.hand = Math.max(1, value); shell.draw(); }),
        h("button", { type: "button", class: "button", "data-do": "deal", onclick: (/** @type {Event} */ event) => void does(event, "deal", { cards: hand }) },
          t("deal.do", { n: hand }))),
    ]);
}

/** The seat that is dealt to. @param {Shell} shell @param {Deal} deal @param {Service} now @param {Does} does */
function atSeat(shell, deal, now, does) {
  const { seat, step } = deal;
  const missing = Math.max(0, deal.want - deal.hands[seat]);
  const about = `${seat} ${step} ${deal.shots} ${deal.hands[seat]}`;
  const held = form.held?.about === about ? form.held.cards : deal.hands[seat];
  return [
    h("ol", { class: "hands" }, deal.names.map((name, place) =>
      h("li", { key: place, "aria-current": place === seat ? "step" : false },
        h("span", {}, name), h("b", {}, t("deal.of", { n: deal.hands[place], want: deal.want }))))),
    deal.passed > 0 && h("p", { class: "lead" }, t("deal.passed", { n: deal.passed, from: deal.names[seat - 1], name: nameIn(deal) })),
    h("p", { class: step === "ready" || step === "firing" ? "lead" : "lead warn", "aria-live": "polite" },
      step === "ready" && missing === 0 ? t("deal.enough", { name: nameIn(deal) }) : t(`deal.${step}`, { name: nameIn(deal), n: missing })),
    step === "firing" && now.followsIn !== null && now.followsIn > 1 && h("p", { class: "quiet" }, t("deal.follows", { n: Math.ceil(now.followsIn) })),
    step !== "firing" && h("div", { class: "actions" },
      (step === "ready" || step === "trouble") && h("button", { type: "button", class: "call", "data-do": "deal-go",
        onclick: (/** @type {Event} */ event) => void does(event, "deal-go", { seat }) }, missing ? t("deal.go", { n: missing }) : t("deal.next")),
      h("button", { type: "button", class: "button", "data-do": "deal-skip", onclick: (/** @type {Event} */ event) => void does(event, "deal-skip", { seat }) },
        t("deal.skip"))),
    step !== "firing" && h("div", { class: "actions said" },
      stepper(t("deal.held"), held, MOST_EACH, (cards) => { form.held = { about, cards }; shell.draw(); }),
      h("button", { type: "button", class: step === "count" ? "call" : "button", "data-do": "deal-said",
        onclick: (/** @type {Event} */ event) => void does(event, "deal-said", { seat, cards: held }) }, t("deal.said", { n: held }))),
    h("button", { type: "button", class: "button", "data-do": "deal-end", onclick: (/** @type {Event} */ event) => void does(event, "deal-end") }, t("deal.end")),
  ];
}

/** @param {Deal} deal */
function over(deal) {
  return [
    h("p", { class: "lead" }, t("deal.done")),
    h("ol", { class: "hands" }, deal.names.map((name, place) => h("li", { key: place }, h("span", {}, name), h("b", {}, t("seat.cards", { n: deal.hands[place] }))))),
    deal.back > 0 && h("p", { class: "lead" }, t("deal.back", { n: deal.back, name: deal.names[deal.names.length - 1] })),
  ];
}

/** @param {Shell} shell @param {Service} now @param {Does} does */
export function counting(shell, now, does) {
  const { count } = now;
  const deck = form.deck ?? now.deck;
  const on = count !== null && count.step !== "done";
  return h("section", { class: "paper", key: "count" },
    h("h2", {}, t("tally.title")),
    count && progress(count, now),
    on ? h("div", { class: "actions" },
      count.step === "trouble" && [
        h("button", { type: "button", class: "button", "data-do": "count-empty", onclick: (/** @type {Event} */ event) => void does(event, "count-empty") }, t("tally.empty")),
        h("button", { type: "button", class: "button", "data-do": "count-go", onclick: (/** @type {Event} */ event) => void does(event, "count-go") }, t("tally.go"))],
      h("button", { type: "button", class: "button", "data-do": "count-end", onclick: (/** @type {Event} */ event) => void does(event, "count-end") }, t("tally.end")))
      : [h("p", { class: "quiet" }, t("tally.sub")),
        h("div", { class: "actions" },
          stepper(t("tally.deck"), deck, MOST_DECK, (value) => { form.deck = Math.max(1, value); shell.draw(); }, 4),
          h("button", { type: "button", class: "button", "data-do": "count-deck", onclick: (/** @type {Event} */ event) => void does(event, "count-deck", { cards: deck }) },
            t("tally.do")))]);
}

/** @param {DeckCount} count @param {Service} now */
function progress(count, now) {
  const { counted, deck, missing, certainty, step } = count;
  const result = missing > 0 ? t(certainty === "exact" ? "tally.missing" : "tally.missing.most", { n: missing })
    : missing < 0 ? t("tally.more", { n: -missing }) : t(certainty === "exact" ? "tally.complete" : "tally.doubt");
  return [
    h("progress", { max: deck, value: Math.min(counted, deck), "aria-label": t("tally.title") }),
    h("p", { class: "lead", "aria-live": "polite" }, t("tally.counted", { n: counted, deck })),
    step === "done" && h("p", { class: missing === 0 && certainty === "exact" ? "lead" : "lead warn" }, result),
    step === "trouble" && h("p", { class: "lead warn" }, t("tally.trouble")),
    step === "firing" && now.followsIn !== null && now.followsIn > 1 && h("p", { class: "quiet" }, t("deal.follows", { n: Math.ceil(now.followsIn) })),
  ];
}
