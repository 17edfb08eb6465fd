// @ts-check
// The page of a seat: whose turn, what I hold, what I may do. It shows what the table says and decides nothing.

import { asks, colourRow, shotRow, slapPanel, takePanel, taking } from "./asks.js";
import { banner, nameOf } from "./banner.js";
import { burst } from "./burst.js";
import { face, mark } from "./cards.js";
import { begin, choiceSheet, fields, missing, targetFields, unoffered } from "./choices.js";
import { addGuest, guestSheet } from "./guests.js";
import { hand } from "./hand.js";
import { lazily } from "./lazy.js";
import { caption, coolsFor, launcher } from "./launcher.js";
import { countPad } from "./pad.js";
import { ownButton, ownSheet, takeBack, told, watchOwn } from "./own.js";
import { choiceMatters, forgetReal, realHand } from "./real.js";
import { ring, roomFor } from "./ring.js";
import { rulebook, valuesAt } from "./rules.js";
import { matchLine, scores } from "./scores.js";
import { actable, present, switcher } from "./seats.js";
import { Shell, invitation, measured, sheet, stepper } from "./shell.js";
import { cardName, listed, t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./wire.js").State} State */

/** @type {Shell} */
const shell = new Shell("play", view);
const { link } = shell;
const counting = lazily(() => import("./counting.js"));
const helping = lazily(() => import("./help.js"));
const hosting = lazily(() => import("./waits.js"));
const size = { width: 390, height: 250 };
/** @type {import("./choices.js").Choice | null} */
let choice = null;
/** A sheet that asks for a player or a number. @type {"catch" | "report" | "typed" | null} */
let asking = null;
/** The next taking of cards is said to be by choice. */
let byChoice = false;
/** A shot nobody saw the end of, as it is being counted. @type {{shot: string, cards: number} | null} */
let counted = null;

function view() {
  const state = link.state;
  if (!state || !link.welcome) return waiting();
  const table = state.table;
  const mine = present(state);
  dropOldChoices(table, mine);
  const owes = taking(table, mine);
  const words = banner(table, mine);
  const lays = table.physical && table.phase === "playing" && !owes && table.due?.seat === mine?.seat;
  const kind = `${owes ? " owing" : ""}${table.physical ? " real-cards" : ""}${lays ? " laying" : ""}`;
  return h("main", { class: `play phase-${table.phase}${kind}`, key: "play" },
    h("header", { class: `banner ${words.tone}`, key: "banner" },
      h("div", { class: "words", "aria-live": words.tone === "act" ? "assertive" : "polite", "aria-atomic": "true" },
        h("h1", {}, words.title), words.sub && h("p", {}, words.sub)),
      words.tone !== "act" && h("p", { class: "match" }, matchLine(table).map((part) => h("span", {}, part))),
      link.you.host && h("a", { class: "button small", href: "/host" }, t("play.host"))),
    strip(table),
    h("section", { class: table.seats.length > 5 ? "ring many" : "ring", key: "ring", mounted: measured(resized) },
      ring(table, {
        shape: shape(table, mine), mine: link.you.seats, catchable: mine?.may.catch ?? [],
        onCatch: (seat) => catchSeat(document.querySelector(`.chip[data-seat="${seat}"]`), seat),
      }, centre(table, mine))),
    lower(state, mine, owes),
    mine && table.phase === "playing" && bar(table, mine, owes),
    ownSheet(shell, state) ?? sheets(table, mine));
}

/** Before the first word of the table. */
function waiting() {
  return h("main", { class: "play empty", key: "waiting" },
    h("div", { class: "blank" },
      h("div", { class: "pulse" }), h("h1", {}, t("banner.connecting")), h("p", {}, t("banner.connecting.sub"))));
}

/** @param {number} width @param {number} height */
function resized(width, height) {
  if (!width || (width === size.width && height === size.height)) return;
  Object.assign(size, { width, height });
  shell.draw();
}

/** @param {TableView} table @param {Mine | null} mine @returns {import("./ring.js").RingShape} */
function shape(table, mine) {
  const { width, height } = size;
  const ry = Math.max(30, height / 2 - 34);
  const bottom = mine?.seat ?? link.you.seats[0] ?? table.firstSeat ?? 0;
  return { width, height, rx: Math.max(40, Math.min(width / 2 - 46, ry * 2.4)), ry, bottom };
}

/** A choice begun before the table moved on may not be possible any more. @param {TableView} table @param {Mine | null} mine */
function dropOldChoices(table, mine) {
  const begun = choice;
  if (begun?.real ? table.due?.seat !== mine?.seat && !mine?.moves.length
    : begun && !mine?.moves.some((move) => JSON.stringify(move) === JSON.stringify(begun.move))) choice = null;
  if (asking === "catch" && !mine?.may.catch.length) asking = null;
  if (asking === "report" && !mine?.may.report.length) asking = null;
  if (asking === "typed" && !mine?.may.hit) asking = null;
  if (table.due?.what !== "play" || table.due.seat !== mine?.seat) byChoice = false;
}

/** @param {TableView} table */
function strip(table) {
  const playing = table.phase === "playing" || table.phase === "round-over";
  const colour = playing ? table.colour : null;
  return h("div", { class: `strip ${colour ?? "none"}`, key: "strip", role: "status" }, // a new colour is said, too
    colour ? [mark(colour), h("strong", {}, t(`strip.${colour}`))] : h("strong", {}, playing ? t("strip.none") : ""),
    table.physical && table.top !== null && h("span", { class: "on-top" }, t("strip.on-top", { card: cardName(table.top) })),
    playing && h("span", { class: `way ${table.direction}` },
      h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
        h("path", { d: "M20 12a8 8 0 1 1-3-6.2M17.5 1.5v4.8h-4.8" })),
      t(`direction.${table.direction}`)));
}

/** @param {TableView} table @param {Mine | null} mine */
function centre(table, mine) {
  const onTable = table.phase !== "gathering" && table.top !== null;
  const said = size.height > 250;
  const chip = { width: 90, height: 56 };
  const scale = roomFor(table, shape(table, mine), chip, { width: 96 + 14 + 118, height: Math.max(134, said ? 148 : 0) });
  return h("div", { class: "middle", vars: { "--card": `${Math.round(96 * scale)}px`, "--machine": `${Math.round(104 * scale)}px` } },
    onTable && table.top !== null && h("div", { class: "top-card card lit", key: `top ${table.top}` },
      face(table.top, { named: table.top.includes(" ") ? null : table.colour, label: true })),
    h("div", { class: "machine", key: "machine" }, launcher(table), said && h("small", {}, caption(table))));
}

/** What this phone is told and asked, which gives way, and below it the hand or what stands in its place.
 * @param {State} state @param {Mine | null} mine @param {boolean} owes */
function lower(state, mine, owes) {
  const { table } = state;
  const panel = inPlaceOfTheHand(state, mine, owes);
  const holds = panel === null && mine !== null;
  const back = takeBack(shell, state);
  const tabs = table.phase === "playing" && switcher(state, mine, () => shell.draw());
  return h("section", { class: "lower", key: "lower" },
    h("div", { class: "above", key: "above" }, told(shell, state), (back || tabs) && h("div", { class: "whose", key: "whose" }, back, tabs),
      holds && [help(table, mine), shot(state), mine.may.colour && colourRow(shell, mine),
        asks(shell, table, mine, () => { asking = "report"; shell.draw(); })]),
    panel, holds && held(state, mine));
}

/** What is on the lower half while no card of a hand can be laid, or null. @param {State} state @param {Mine | null} mine
 * @param {boolean} owes @returns {import("./view.js").Child} */
function inPlaceOfTheHand(state, mine, owes) {
  const { table } = state;
  if (table.phase === "gathering") return gathering(state);
  if (table.phase === "round-over" || table.phase === "match-over") return over(table, mine);
  if (table.phase === "counting") return counting(() => shell.draw())?.counting(shell, table, actable(state)) ?? [];
  if (table.due?.what === "shot-count" && (table.due.seat === mine?.seat || link.you.host)) return shotCount(table);
  const wanted = link.you.host && table.physical ? hosting(() => shell.draw())?.waits(shell, table) ?? null : null;
  if (wanted) return h("div", { class: "panel", key: "waits" }, wanted);
  if (table.phase === "start") return starting(table);
  if (!mine) return watching();
  if (mine.may.slap && !table.physical) return slapPanel(shell, mine);
  if (owes) return [help(table, mine), shot(state), takePanel(shell, table, mine)];
  return null;
}

/** @param {State} state */
function shot(state) {
  return shotRow(shell, state.table, actable(state).map((one) => one.seat));
}

/** The cards of this seat. @param {State} state @param {Mine} mine */
function held(state, mine) {
  const { table } = state;
  const name = nameOf(table, mine.seat);
  const named = actable(state).length > 1 || mine.seat !== link.you.seats[0];
  const title = named ? t("play.hand.of", { name, n: mine.hand.length }) : t("play.hand", { n: mine.hand.length });
  return table.physical && mine.hand.every((card) => card === "?")
    ? realHand(shell, table, mine, title, (event, begun) => laid(event, begun, mine))
    : hand(mine, title, ownButton(shell, state, mine.seat), (event, card) => laid(event, begin(mine.moves.find((one) => one.card === card) ?? unoffered(card)), mine));
}

/** @param {TableView} table @param {Mine} mine */
function help(table, mine) {
  const helped = table.seats.find((seat) => seat.seat === mine.seat)?.helped;
  return helped ? helping(() => shell.draw())?.help(shell, table, mine) ?? null : null;
}

/** Real cards are dealt, and the first one is turned up. @param {TableView} table */
function starting(table) {
  return h("div", { class: "panel", key: "starting" },
    h("p", { class: "lead" }, t("play.starting", { name: nameOf(table, table.dealer) })),
    h("p", { class: "quiet" }, t("play.starting.sub")));
}

/** The last shot was cut short and nobody saw what came: the one whose shot it was says so. @param {TableView} table */
function shotCount(table) {
  const shot = `${table.due?.seat} ${table.round} ${table.pile} ${table.launcher.last?.seat} ${table.launcher.last?.cards}`;
  const cards = counted?.shot === shot ? counted.cards : table.launcher.shot?.cards ?? 0;
  return h("div", { class: "panel", key: "shot-count" },
    h("p", { class: "lead" }, t("play.count")), h("p", { class: "quiet" }, t("play.count.sub")),
    h("div", { class: "actions" },
      stepper(t("play.count"), cards, 60, (value) => { counted = { shot, cards: value }; shell.draw(); }),
      h("button", { type: "button", class: "button call", "data-do": "shot-was",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "shot-was", { cards }) },
      t("host.count.do", { n: cards }))));
}

/** A card was touched; what it still wants is asked for. @param {Event} event @param {import("./choices.js").Choice} begun
 * @param {Mine} mine */
function laid(event, begun, mine) {
  shell.hush();
  const { card } = begun.move;
  if (card !== "?" && !mine.moves.some((move) => move.card === card)) { // dim: the table says why, and nothing is played
    const touched = /** @type {Element} */ (event.currentTarget);
    void shell.dim(touched, mine.seat, { do: "play", card }).then((stands) => {
      if (!stands) void play(touched, begun, mine);
    });
    return;
  }
  if (missing(begun) === null) {
    void play(event, begun, mine);
    return;
  }
  choice = begun;
  shell.draw();
}

/** @param {Event | Element} event @param {import("./choices.js").Choice} chosen @param {Mine} mine */
async function play(event, chosen, mine) {
  const answer = await shell.ask(event, "play", { seat: mine.seat, ...fields(chosen) });
  if (answer.ok || choice !== chosen) choice = null;
  if (answer.ok) forgetReal();
  shell.draw();
}

/** Nobody holds cards yet: what counts is where this phone sits. @param {State} state */
function gathering(state) {
  const { table } = state;
  const { seats } = link.you;
  if (!seats.length) return watching();
  const count = table.seats.filter((seat) => !seat.left).length;
  return h("div", { class: "panel", key: "gathering" },
    h("p", { class: "lead" }, t("play.sits", { name: listed(seats.map((seat) => nameOf(table, seat))) })),
    h("p", { class: "quiet" }, t("play.sits.count", { n: count })),
    link.welcome && h("div", { class: "invite" }, invitation(link.welcome)),
    h("div", { class: "actions" },
      link.you.host && h("a", { class: "button call", href: "/host" }, t("play.to-host")),
      addGuest(shell), seats.map((seat) => ownButton(shell, state, seat)),
      seats.map((seat) => h("button", { key: `stand ${seat}`, type: "button", class: "button", "data-do": "stand",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "stand", { seat }) },
      seats.length > 1 ? t("play.stand.of", { name: nameOf(table, seat) }) : t("play.stand"))),
      h("a", { class: "button", href: "/table" }, t("play.to-table"))),
    tongues(shell));
}

/** @param {TableView} table @param {Mine | null} mine */
function over(table, mine) {
  const round = table.phase === "round-over";
  return h("div", { class: "panel over", key: "over" },
    scores(table, link.you.seats, true),
    h("div", { class: "actions" },
      round && (mine || link.you.host) && h("button", { type: "button", class: "button call wide",
        "data-do": "next", onclick: (/** @type {Event} */ event) => void shell.ask(event, "next") }, t("play.next")),
      !round && link.you.host && table.seats.filter((seat) => !seat.left || seat.returning).length > 1 && h("button", { type: "button", class: "button call wide",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "rematch") }, t("play.rematch"))),
    tongues(shell));
}

function watching() {
  const { name, waiting: waits } = link.you;
  return h("div", { class: "panel", key: "watching" },
    h("p", { class: "lead" }, t(waits ? "play.waiting" : "banner.watching")),
    h("p", { class: "quiet" }, t(waits ? "play.waiting.sub" : "play.watching")),
    h("div", { class: "actions" },
      waits ? h("button", { type: "button", class: "button", "data-do": "stand", onclick: (/** @type {Event} */ event) => void shell.ask(event, "stand", { name }) }, t("play.waiting.not"))
        : h("a", { class: "button call", href: "/?sit" }, t("play.take-seat")),
      link.you.host && h("a", { class: "button", href: "/host" }, t("play.to-host")),
      h("a", { class: "button", href: "/table" }, t("play.to-table"))),
    tongues(shell));
}

/** UNO, catch and one more thing, in the thumb's reach. @param {TableView} table @param {Mine} mine @param {boolean} owes */
function bar(table, mine, owes) {
  const me = table.seats.find((seat) => seat.seat === mine.seat);
  const { may } = mine;
  const one = may.catch.length === 1 ? may.catch[0] : null;
  const called = me?.called === true;
  const ripe = may.uno && (!table.physical || mine.hand.length <= 2);
  return h("nav", { class: "bar", key: "bar" },
    h("button", { type: "button", class: `side catch${may.catch.length ? " hot" : ""}`, "data-do": "catch",
      "aria-disabled": may.catch.length ? undefined : "true",
      onclick: (/** @type {Event} */ event) => catchTapped(event, mine) },
    one !== null ? t("play.catch.one", { name: nameOf(table, one) })
      : may.catch.length ? t("play.catch.many") : t("play.catch")),
    h("button", { type: "button", class: `call-uno${called ? " called" : ripe ? " hot" : ""}`, "data-do": "uno",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "uno", { seat: mine.seat }) },
    h("strong", {}, t("play.uno")), called && h("small", {}, t("play.uno.called"))),
    owes ? h("span", { class: "side blank-side" }) : third(table, mine));
}

/** @param {TableView} table @param {Mine} mine */
function third(table, mine) {
  const { may, seat } = mine;
  const does = (/** @type {string} */ what, /** @type {string} */ text, tone = "") =>
    h("button", { key: what, type: "button", class: `side ${tone}`, "data-do": what,
      onclick: (/** @type {Event} */ event) => void shell.ask(event, what, { seat, ...(byChoice ? { choice: true } : {}) }) }, text);
  const { button } = table.launcher;
  const cools = coolsFor(table);
  if (may.slap) return does("slap", t("play.slap"), "hot");
  if (may.challenge || table.due?.what === "challenge" || table.due?.what === "shot-count") return h("span", { class: "side blank-side" });
  if (may.pass) return does("pass", t("play.pass"), "able");
  const rules = table.physical ? rulebook(() => shell.draw()) : null;
  const asks = rules !== null && choiceMatters(table, mine, valuesAt(rules, table));
  const what = may.draw ? does("draw", t("play.draw"), "able")
    : may.hit && cools ? h("span", { class: "side hint" }, t("play.press.cooling", { n: cools }))
    : may.hit && button === "page" ? does("press", t("play.hit"), "able")
      : may.hit && button === "none" ? h("button", { key: "typed", type: "button", class: "side able", "data-do": "typed",
        onclick: () => { asking = "typed"; shell.draw(); } }, t("play.hit"))
        : may.hit ? h("span", { class: "side hint" }, t("play.hit.finger")) : null;
  if (what === null) {
    return h("button", { type: "button", class: "side", "data-do": "pass", "aria-disabled": "true", key: "pass",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "pass", { seat }) }, t("play.pass"));
  }
  return asks && button !== "finger" ? h("span", { class: "side pair" }, what,
    h("button", { key: "choice", type: "button", class: "tick", "data-do": "by-choice", "aria-pressed": String(byChoice),
      onclick: () => { byChoice = !byChoice; shell.draw(); } }, t("play.by-choice"))) : what;
}

/** @param {Event} event @param {Mine} mine */
function catchTapped(event, mine) {
  const { catch: possible } = mine.may;
  if (possible.length > 1) {
    asking = "catch";
    shell.draw();
  } else if (possible.length === 1) catchSeat(event, possible[0]);
  else {
    const touched = /** @type {Element} */ (event.currentTarget);
    const target = link.state?.table.seats.find((seat) => seat.seat !== mine.seat && !seat.out && !seat.left)?.seat ?? mine.seat;
    void shell.dim(touched, mine.seat, { do: "catch", target });
  }
}

/** @param {Event | Element | null} touchedThing @param {number} target */
function catchSeat(touchedThing, target) {
  const state = link.state;
  const mine = state && present(state);
  if (mine) void shell.ask(touchedThing, "catch", { seat: mine.seat, target });
}

/** @param {TableView} table @param {Mine | null} mine */
function sheets(table, mine) {
  if (choice && mine) {
    const chosen = choice;
    return choiceSheet(table, chosen, {
      changed: () => shell.draw(),
      close: () => { choice = null; shell.draw(); },
      play: (event) => void play(event, chosen, mine),
    });
  }
  if (table.phase === "gathering") return guestSheet(shell, table);
  if (!asking || !mine) return null;
  const close = () => { asking = null; shell.draw(); };
  if (asking === "typed") {
    return sheet("typed", t("play.typed"), close, countPad("typed", "hit", (event, cards) => {
      void shell.ask(event, "hit", { seat: mine.seat, cards, ...(byChoice ? { choice: true } : {}) });
      close();
    }, () => shell.draw()), t("play.typed.sub"));
  }
  const what = asking;
  return sheet(what, t(what === "catch" ? "sheet.catch" : "sheet.report"), close,
    targetFields(table, mine.may[what], (event, target) => {
      void shell.ask(event, what, { seat: mine.seat, target });
      close();
    }));
}

link.addEventListener("news", (event) => {
  const { state, before } = /** @type {CustomEvent<{state: import("./wire.js").State,
    before: import("./wire.js").State | null}>} */ (event).detail;
  if (before && before.table.phase !== state.table.phase) shell.hush();
  for (const one of state.events) {
    if (one.e !== "took" || one.how !== "hit") continue;
    const count = Array.isArray(one.cards) ? one.cards.length : Number(one.count ?? one.cards ?? 0);
    const own = state.mine.some((mine) => mine.seat === one.seat);
    requestAnimationFrame(() => burst(document.querySelector(".press, .machine"),
      document.querySelector(own ? ".hand .cards, .lower" : `.chip[data-seat="${one.seat}"]`), count));
  }
});

watchOwn(shell);
shell.draw();
link.start();
