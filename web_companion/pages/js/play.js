// @ts-check
// The page of a seat: whose turn, what I hold, what I may do. It shows what the table says and decides nothing.

import { banner, nameOf } from "./banner.js";
import { burst } from "./burst.js";
import { face, mark } from "./cards.js";
import { begin, choiceSheet, colourFields, fields, missing, targetFields } from "./choices.js";
import { hand } from "./hand.js";
import { caption, launcher } from "./launcher.js";
import { ring, roomFor } from "./ring.js";
import { matchLine, scores } from "./scores.js";
import { Shell, invitation, measured, sheet, stepper } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./wire.js").Move} Move */

/** @type {Shell} */
const shell = new Shell("play", view);
const { link } = shell;
const size = { width: 390, height: 250 };
/** @type {number | null} */
let chosenSeat = null;
/** @type {import("./choices.js").Choice | null} */
let choice = null;
let catching = false;
let counted = 0;

function view() {
  const state = link.state;
  if (!state || !link.welcome) return waiting();
  const table = state.table;
  const mine = present(table, state.mine);
  dropOldChoices(mine);
  const owes = pressing(table, mine);
  const words = banner(table, mine);
  return h("main", { class: `play phase-${table.phase}${owes ? " owing" : ""}`, key: "play" },
    h("header", { class: `banner ${words.tone}`, key: "banner" },
      h("div", { class: "words", "aria-live": words.tone === "act" ? "assertive" : "polite", "aria-atomic": "true" },
        h("h1", {}, words.title), words.sub && h("p", {}, words.sub)),
      words.tone !== "act" && h("p", { class: "match" }, matchLine(table).map((part) => h("span", {}, part)))),
    strip(table),
    h("section", { class: table.seats.length > 5 ? "ring many" : "ring", key: "ring", mounted: measured(resized) },
      ring(table, {
        shape: shape(table, mine), mine: link.you.seats, catchable: mine?.may.catch ?? [],
        onCatch: (seat) => catchSeat(document.querySelector(`.chip[data-seat="${seat}"]`), seat),
      }, centre(table, mine))),
    h("section", { class: "lower", key: "lower" }, switcher(state.mine, table, mine), lower(table, mine, owes)),
    mine && table.phase === "playing" && bar(table, mine, owes),
    sheets(table, mine));
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

/** The seat this phone shows now: the one that is due, else the one chosen. @param {TableView} table @param {Mine[]} all */
function present(table, all) {
  const due = all.find((one) => one.seat === table.due?.seat);
  return due ?? all.find((one) => one.seat === chosenSeat) ?? all[0] ?? null;
}

/** @param {TableView} table @param {Mine | null} mine @returns {import("./ring.js").RingShape} */
function shape(table, mine) {
  const { width, height } = size;
  const ry = Math.max(30, height / 2 - 34);
  const bottom = mine?.seat ?? link.you.seats[0] ?? table.firstSeat ?? 0;
  return { width, height, rx: Math.max(40, Math.min(width / 2 - 46, ry * 2.4)), ry, bottom };
}

/** Whether the lower half is one message: press the button. @param {TableView} table @param {Mine | null} mine */
function pressing(table, mine) {
  if (!mine || table.phase !== "playing") return false;
  const { state, shot } = table.launcher;
  const due = table.due?.what === "hit" && table.due.seat === mine.seat;
  return due || (shot?.seat === mine.seat && (state === "pressed" || state === "firing"));
}

/** A choice begun before the table moved on may not be possible any more. @param {Mine | null} mine */
function dropOldChoices(mine) {
  if (choice && !mine?.moves.some((move) => JSON.stringify(move) === JSON.stringify(choice?.move))) choice = null;
  if (catching && !mine?.may.catch.length) catching = false;
}

/** @param {TableView} table */
function strip(table) {
  const playing = table.phase === "playing" || table.phase === "round-over";
  const colour = playing ? table.colour : null;
  return h("div", { class: `strip ${colour ?? "none"}`, key: "strip" },
    colour ? [mark(colour), h("strong", {}, t(`strip.${colour}`))] : h("strong", {}, playing ? t("strip.none") : ""),
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

/** @param {Mine[]} all @param {TableView} table @param {Mine | null} mine */
function switcher(all, table, mine) {
  if (all.length < 2) return null;
  return h("nav", { class: "switcher", key: "switcher", "aria-label": t("play.switch") }, all.map((one) =>
    h("button", { key: one.seat, type: "button", class: "tab", "aria-pressed": String(one.seat === mine?.seat),
      onclick: () => { chosenSeat = one.seat; shell.draw(); } }, nameOf(table, one.seat))));
}

/** @param {TableView} table @param {Mine | null} mine @param {boolean} owes */
function lower(table, mine, owes) {
  if (table.phase === "gathering") return gathering(table);
  if (table.phase === "round-over" || table.phase === "match-over") return over(table, mine);
  if (table.due?.what === "shot-count" && (table.due.seat === mine?.seat || link.you.host)) return shotCount();
  if (!mine) return watching();
  if (owes) return pressPanel(table, mine);
  if (mine.may.colour) {
    return h("div", { class: "panel", key: "colour" }, colourFields(["red", "yellow", "green", "blue"],
      (event, colour) => void shell.ask(event, "colour", { seat: mine.seat, colour })));
  }
  const name = nameOf(table, mine.seat);
  const title = link.you.seats.length > 1 ? t("play.hand.of", { name, n: mine.hand.length }) : t("play.hand", { n: mine.hand.length });
  return hand(mine, title, (event, card) => touched(event, card, mine));
}

/** The last shot was cut short and nobody saw what came: the one whose shot it was says so. */
function shotCount() {
  return h("div", { class: "panel", key: "shot-count" },
    h("p", { class: "lead" }, t("play.count")), h("p", { class: "quiet" }, t("play.count.sub")),
    h("div", { class: "actions" },
      stepper(t("play.count"), counted, 40, (value) => { counted = value; shell.draw(); }),
      h("button", { type: "button", class: "button call", "data-do": "shot-was",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "shot-was", { cards: counted }) },
      t("host.count.do", { n: counted }))));
}

/** @param {Event} event @param {string} card @param {Mine} mine */
function touched(event, card, mine) {
  const move = mine.moves.find((one) => one.card === card);
  const begun = begin(move ?? { card, colours: null, targets: null, keep: null, keepLeast: 0, mates: null });
  if (missing(begun) === null) {
    void shell.ask(event, "play", { seat: mine.seat, ...fields(begun) }); // unlit cards too: the table says why not
    return;
  }
  choice = begun;
  shell.draw();
}

/** @param {TableView} table @param {Mine} mine */
function pressPanel(table, mine) {
  const { state, button } = table.launcher;
  const busy = state === "pressed" || state === "firing";
  const came = state === "firing" ? table.launcher.shot?.cards ?? 0 : 0;
  const owed = table.seats.find((seat) => seat.seat === mine.seat)?.owed ?? 0;
  const more = typeof owed === "string" ? t(`play.press.${owed}`) : owed > 0 ? t("play.press.more", { n: owed }) : "";
  const word = state === "pressed" ? t("play.press.wait") : state === "firing" ? t("play.press.firing")
    : state === "resting" ? t("play.press.resting") : t("play.press");
  const inside = [h("strong", {}, word), came > 0 && h("span", {}, t("seat.cards", { n: came })), !busy && more && h("span", {}, more)];
  return h("div", { class: `press lamp-${busy ? state : "due"}`, key: "press" },
    button === "page"
      ? h("button", { type: "button", class: "dome-button", "data-do": "press", disabled: busy || state === "resting",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "press", { seat: mine.seat }) }, inside)
      : h("div", { class: "dome-button finger" }, h("strong", {}, busy ? word : t("play.press.finger")),
        !busy && more && h("span", {}, more)),
    h("p", { class: "quiet" }, t("play.press.why")));
}

/** Nobody holds cards yet: what counts is where this phone sits. @param {TableView} table */
function gathering(table) {
  const { seats } = link.you;
  if (!seats.length) return watching();
  const count = table.seats.filter((seat) => !seat.left).length;
  return h("div", { class: "panel", key: "gathering" },
    h("p", { class: "lead" }, t("play.sits", { name: seats.map((seat) => nameOf(table, seat)).join(", ") })),
    h("p", { class: "quiet" }, t("play.sits.count", { n: count })),
    link.welcome && h("div", { class: "invite" }, invitation(link.welcome)),
    h("div", { class: "actions" },
      link.you.host && h("a", { class: "button call", href: "/host" }, t("play.to-host")),
      seats.map((seat) => h("button", { key: `stand ${seat}`, type: "button", class: "button", "data-do": "stand",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "stand", { seat }) },
      seats.length > 1 ? t("play.stand.of", { name: nameOf(table, seat) }) : t("play.stand"))),
      h("a", { class: "button", href: "/table" }, t("play.to-table"))));
}

/** @param {TableView} table @param {Mine | null} mine */
function over(table, mine) {
  const round = table.phase === "round-over";
  return h("div", { class: "panel over", key: "over" },
    scores(table, link.you.seats, true),
    h("div", { class: "actions" },
      round && (mine || link.you.host) && h("button", { type: "button", class: "button call wide",
        "data-do": "next", onclick: (/** @type {Event} */ event) => void shell.ask(event, "next") }, t("play.next")),
      !round && link.you.host && h("button", { type: "button", class: "button call wide",
        onclick: (/** @type {Event} */ event) => void shell.ask(event, "rematch") }, t("play.rematch"))));
}

function watching() {
  return h("div", { class: "panel", key: "watching" },
    h("p", { class: "lead" }, t("banner.watching")), h("p", { class: "quiet" }, t("play.watching")),
    h("div", { class: "actions" },
      h("a", { class: "button call", href: "/?sit" }, t("play.take-seat")),
      link.you.host && h("a", { class: "button", href: "/host" }, t("play.to-host")),
      h("a", { class: "button", href: "/table" }, t("play.to-table"))));
}

/** UNO, catch and one more thing, in the thumb's reach. @param {TableView} table @param {Mine} mine @param {boolean} owes */
function bar(table, mine, owes) {
  const me = table.seats.find((seat) => seat.seat === mine.seat);
  const { may } = mine;
  const one = may.catch.length === 1 ? may.catch[0] : null;
  const called = me?.called === true;
  return h("nav", { class: "bar", key: "bar" },
    h("button", { type: "button", class: `side catch${may.catch.length ? " hot" : ""}`, "data-do": "catch",
      "aria-disabled": may.catch.length ? undefined : "true",
      onclick: (/** @type {Event} */ event) => catchTapped(event, mine) },
    one !== null ? t("play.catch.one", { name: nameOf(table, one) })
      : may.catch.length ? t("play.catch.many") : t("play.catch")),
    h("button", { type: "button", class: `call-uno${called ? " called" : may.uno ? " hot" : ""}`, "data-do": "uno",
      onclick: (/** @type {Event} */ event) => void shell.ask(event, "uno", { seat: mine.seat }) },
    h("strong", {}, t("play.uno")), called && h("small", {}, t("play.uno.called"))),
    owes ? h("span", { class: "side blank-side" }) : third(table, mine));
}

/** @param {TableView} table @param {Mine} mine */
function third(table, mine) {
  const { may, seat } = mine;
  const does = (/** @type {string} */ what, /** @type {string} */ text, tone = "") =>
    h("button", { key: what, type: "button", class: `side ${tone}`, "data-do": what,
      onclick: (/** @type {Event} */ event) => void shell.ask(event, what, { seat }) }, text);
  if (may.slap) return does("slap", t("play.slap"), "hot");
  if (may.challenge || may.accept) {
    return h("span", { class: "side pair" }, may.accept && does("accept", t("play.accept")),
      may.challenge && does("challenge", t("play.challenge"), "hot"));
  }
  if (may.pass) return does("pass", t("play.pass"), "able");
  if (may.draw) return does("draw", t("play.draw"), "able");
  if (may.hit && table.launcher.button === "page") return does("press", t("play.hit"), "able");
  if (may.hit) return h("span", { class: "side hint" }, t("play.hit.finger"));
  return h("button", { type: "button", class: "side", "data-do": "pass", "aria-disabled": "true", key: "pass",
    onclick: (/** @type {Event} */ event) => void shell.ask(event, "pass", { seat }) }, t("play.pass"));
}

/** @param {Event} event @param {Mine} mine */
function catchTapped(event, mine) {
  const { catch: possible } = mine.may;
  if (possible.length > 1) {
    catching = true;
    shell.draw();
  } else if (possible.length === 1) catchSeat(event, possible[0]);
  else shell.say(/** @type {Element} */ (event.currentTarget), t("refused.nothing-to-catch"));
}

/** @param {Event | Element | null} touchedThing @param {number} target */
function catchSeat(touchedThing, target) {
  const state = link.state;
  const mine = state && present(state.table, state.mine);
  if (mine) void shell.ask(touchedThing, "catch", { seat: mine.seat, target });
}

/** @param {TableView} table @param {Mine | null} mine */
function sheets(table, mine) {
  if (choice && mine) {
    const chosen = choice;
    return choiceSheet(table, chosen, {
      changed: () => shell.draw(),
      close: () => { choice = null; shell.draw(); },
      play: async (event) => {
        const answer = await shell.ask(event, "play", { seat: mine.seat, ...fields(chosen) });
        if (answer.ok || choice !== chosen) choice = null;
        shell.draw();
      },
    });
  }
  if (!catching || !mine) return null;
  return sheet("catch", t("sheet.catch"), () => { catching = false; shell.draw(); },
    targetFields(table, mine.may.catch, (event, seat) => {
      catching = false;
      catchSeat(event, seat);
      shell.draw();
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

shell.draw();
link.start();
