// @ts-check
// The host's page: seats, rules, start, and putting the launcher right. Everything here is asked of the table, which
// judges whether it may be.

import { banner, faultText, nameOf } from "./banner.js";
import { chair, enter } from "./chair.js";
import { addGuest, guestSheet } from "./guests.js";
import { hostsButton, hostsSheet, otherPhones, phoneName } from "./hosts.js";
import { told, watchOwn } from "./own.js";
import { putRight } from "./putright.js";
import { rulebook, valuesAt } from "./rules.js";
import { scores } from "./scores.js";
import { helpSwitch } from "./seatsheet.js";
import { setup } from "./setup.js";
import { Shell, invitation, sheet, stepper } from "./shell.js";
import { listed, t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";
import { instead, waits } from "./waits.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Seat} Seat */

const SURE_FOR = 4000; // ms a question waits for its second tap

/** @type {Shell} */
const shell = new Shell("host", view);
const { link } = shell;
/** What is being filled in; nothing of it is the game's until it is sent. */
const form = {
  /** @type {number | null} */ reload: null,
  /** @type {{shot: string, cards: number} | null} */ count: null,
  /** @type {{seat: number, name: string} | null} */ rename: null,
  /** @type {string | null} */ sure: null,
  /** A seat that is to get another phone, and the phones there are. @type {{seat: number, phones: import("./hosts.js").Phone[]} | null} */
  give: null,
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let sureTimer;

function view() {
  const before = chair(shell, t("host.title"));
  if (before) return before;
  const state = /** @type {import("./wire.js").State} */ (link.state);
  const { table } = state;
  const words = banner(table, null);
  return h("main", { class: "host", key: "host" },
    h("header", { class: `banner ${words.tone}` },
      h("div", { class: "words", "aria-live": "polite" }, h("h1", {}, words.title), words.sub && h("p", {}, words.sub)),
      h("nav", { class: "links" },
        (link.you.seats.length > 0 || table.physical) && h("a", { class: "button", href: "/play" },
          t(table.physical ? "host.play.real" : "host.play")),
        h("a", { class: "button", href: "/table" }, t("host.table")),
        h("a", { class: "button", href: "/service" }, t("host.service")))),
    told(shell, state),
    h("div", { class: "columns" }, wanted(table), game(table), seats(table), table.phase !== "gathering" && putRight(shell, table),
      machine(table), joining()),
    table.phase === "gathering" && guestSheet(shell, table), giveSheet(table), hostsSheet(shell, table));
}

/** @param {string} what @param {Record<string, unknown>} [fields] */
const does = (what, fields) => (/** @type {Event} */ event) => void shell.ask(event, what, fields);

/** A button that asks once more before it acts. @param {string} key @param {string} text @param {string} question
 * @param {(event: Event) => void} act */
function careful(key, text, question, act) {
  const asked = form.sure === key;
  return h("button", { key: `${key} ${asked}`, type: "button", class: `button${asked ? " danger" : ""}`,
    onclick: (/** @type {Event} */ event) => {
      clearTimeout(sureTimer);
      form.sure = asked ? null : key;
      if (asked) act(event);
      else sureTimer = setTimeout(() => { form.sure = null; shell.draw(); }, SURE_FOR);
      shell.draw();
    } }, asked ? question : text);
}

/** What the table waits for that the host can say. @param {TableView} table */
function wanted(table) {
  const said = waits(shell, table) ?? instead(shell, table);
  return said && h("section", { class: "paper wanted", key: "wanted" }, said);
}

/** @param {TableView} table */
function game(table) {
  const inRound = table.phase === "playing";
  return h("section", { class: "paper", key: "game" },
    h("h2", {}, t("host.game")),
    table.phase === "gathering" ? setup(shell, table) : [
      h("div", { class: "actions" },
        table.phase === "round-over" && h("button", { type: "button", class: "call", "data-do": "next", onclick: does("next") },
          t("host.next", { n: table.round + 1 })),
        table.phase === "match-over" && table.seats.filter((seat) => !seat.left || seat.returning).length > 1 && h("button", { type: "button", class: "call", "data-do": "rematch", onclick: does("rematch") },
          t("host.rematch")),
        inRound && h("button", { type: "button", class: "button", "data-do": table.paused ? "resume" : "pause",
          onclick: does(table.paused ? "resume" : "pause") }, t(table.paused ? "host.resume" : "host.pause")),
        h("button", { type: "button", class: "button", "data-do": "undo", onclick: does("undo") }, t("host.undo")),
        table.phase === "round-over" && careful("finish", t("host.finish"), t("host.end.sure"), does("finish")),
        table.phase === "match-over" ? h("button", { type: "button", class: "button", "data-do": "end", onclick: does("end") }, t("host.other"))
          : careful("end", t("host.end"), t("host.end.sure"), does("end"))),
      scores(table, link.you.seats, table.rounds.length > 0),
    ]);
}

/** @param {TableView} table */
function seats(table) {
  const shown = table.seats.filter((seat) => !seat.left || seat.kind === "person");
  return h("section", { class: "paper", key: "seats" },
    h("h2", {}, t("host.seats")),
    shown.length ? h("ol", { class: "seat-list" }, shown.map((seat) => seatRow(table, seat)))
      : h("p", { class: "quiet" }, t("host.seats.none")),
    (table.waiting ?? []).length > 0 && h("p", { class: "quiet" }, t("host.waiting", { names: listed(table.waiting ?? []) })),
    h("div", { class: "actions" },
      table.phase === "gathering" && h("button", { type: "button", class: "button", "data-do": "add-bot", onclick: does("add-bot") },
        t("host.bot")),
      table.phase === "gathering" && addGuest(shell),
      advice(table), hostsButton(shell),
      h("button", { type: "button", class: "button", "data-do": table.open ? "close-table" : "open-table",
        onclick: does(table.open ? "close-table" : "open-table") }, t(table.open ? "host.close" : "host.open"))));
}

/** Somebody told another what to play, where that costs. @param {TableView} table */
function advice(table) {
  const rules = table.phase === "playing" ? rulebook(() => shell.draw()) : null;
  if (!rules || !valuesAt(rules, table).advice_penalty) return null;
  return h("details", { class: "more", key: "advice" }, h("summary", {}, t("host.advice")),
    h("div", { class: "dealers" }, table.seats.filter((seat) => !seat.left && !seat.out).map((seat) =>
      h("button", { key: seat.seat, type: "button", class: "tab", "data-do": "advice", onclick: does("advice", { target: seat.seat }) }, seat.name))));
}

/** @param {TableView} table @param {Seat} seat */
function seatRow(table, seat) {
  if (form.rename?.seat === seat.seat) return renameRow(seat);
  const code = link.state?.codes?.[String(seat.seat)];
  const gone = seat.left && !seat.returning;
  const playing = table.phase !== "gathering" && seat.kind === "person";
  return h("li", { key: seat.seat, "data-seat": seat.seat },
    h("span", { class: "who" }, h("b", {}, seat.name),
      h("small", {}, [seat.kind === "bot" && t("seat.bot"), seat.kind === "person" && !seat.connected && t("seat.away"),
        gone && t("seat.left"), seat.returning && t("seat.returning"),
        code && t("host.code.of", { code }),
        table.phase === "playing" && !seat.left && t("seat.cards", { n: seat.hand })].filter(Boolean).join(" · "))),
    gone && h("button", { type: "button", class: "button small", "data-do": "come-back", onclick: does("come-back", { seat: seat.seat }) }, t("host.back")),
    !gone && seat.kind === "person" && h("details", { class: "seat-help" }, h("summary", {}, t("host.help")), helpSwitch(shell, seat)),
    seat.kind === "person" && !seat.connected && h("button", { type: "button", class: "button small", "data-do": "other-phone",
      onclick: (/** @type {Event} */ event) => void findPhones(event, seat.seat) }, t("host.give")),
    h("button", { type: "button", class: "button small", onclick: () => {
      form.rename = { seat: seat.seat, name: seat.name };
      shell.draw();
    } }, t("host.rename")),
    !gone && careful(`remove ${seat.seat}`, t(playing ? "host.leave" : "host.remove"),
      t(playing ? "host.leave.sure" : "host.remove.sure", { name: seat.name }), does("remove", { seat: seat.seat })));
}

/** Somebody's phone is lost, or a new one: which of those without a seat is theirs? @param {Event} event @param {number} seat */
async function findPhones(event, seat) {
  const phones = await otherPhones(shell, event);
  if (phones) form.give = { seat, phones: phones.filter((phone) => !phone.seats.length) };
  shell.draw();
}

/** @param {TableView} table */
function giveSheet(table) {
  const { give } = form;
  if (!give) return null;
  const close = () => { form.give = null; shell.draw(); };
  return sheet("give", t("host.give.title", { name: nameOf(table, give.seat) }), close,
    h("div", { class: "fields" }, [...give.phones.map((phone) => ({ session: phone.session, name: phoneName(table, phone) })),
      { session: link.you.session, name: t("host.give.this") }].map(({ session, name }) =>
      h("button", { key: session, type: "button", class: "field", "data-do": "give", "data-session": session,
        onclick: async (/** @type {Event} */ event) => {
          if ((await shell.ask(event, "give", { seat: give.seat, session })).ok) close();
        } }, name))),
    t(give.phones.length ? "host.give.sub" : "host.give.none"));
}

/** @param {Seat} seat */
function renameRow(seat) {
  return h("li", { key: `rename ${seat.seat}` }, h("form", { class: "rename", onsubmit: async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input");
    const answer = await shell.ask(input, "rename", { seat: seat.seat, name: input?.value ?? "" });
    if (answer.ok) form.rename = null;
    shell.draw();
  } },
  h("input", { value: form.rename?.name ?? "", maxlength: 20, "aria-label": t("host.rename"),
    mounted: (/** @type {HTMLInputElement} */ input) => input.select() }),
  h("button", { type: "submit", class: "button small" }, t("host.save")),
  h("button", { type: "button", class: "button small", onclick: () => { form.rename = null; shell.draw(); } }, t("host.cancel"))));
}

/** @param {TableView} table */
function machine(table) {
  const { state, fault, hopper, button } = table.launcher;
  const lost = table.due?.what === "shot-count" ? table.due : null;
  const broken = state === "fault" || state === "jammed";
  const cards = form.reload ?? 112;
  if (table.launcherTable === false && table.phase !== "gathering" && !broken) return null;
  return h("section", { class: "paper", key: "machine" },
    h("h2", {}, t("host.launcher")),
    h("p", { class: broken ? "warn" : "quiet" }, fault ? faultText(fault) : t(`launcher.${state}`)),
    lost && countShot(table, lost.seat),
    h("div", { class: "actions" },
      broken && h("button", { type: "button", class: "call", "data-do": "clear-fault", onclick: does("clear-fault") }, t("host.clear")),
      button === "page" && table.phase === "playing" && h("button", { type: "button", class: "button", "data-do": "press",
        onclick: does("press") }, t("host.press")),
      h("button", { type: "button", class: "button danger", "data-do": "halt", onclick: does("halt") }, t("host.halt"))),
    h("h3", {}, t("host.hopper")),
    h("p", { class: "quiet" }, hopper === null ? t("host.reload.sub") : t("host.hopper.holds", { n: hopper })),
    h("div", { class: "actions" },
      stepper(t("host.hopper"), cards, 500, (value) => { form.reload = value; shell.draw(); }, 4),
      h("button", { type: "button", class: "button", "data-do": "reload", disabled: cards === 0, onclick: does("reload", { cards }) }, t("host.reload")),
      table.physical && h("button", { type: "button", class: "button", "data-do": "reload-all", onclick: does("reload") }, t("wait.reload.all"))));
}

/** A shot nobody saw the end of: a person says what came. @param {TableView} table @param {number | null} seat */
function countShot(table, seat) {
  const shot = `${seat} ${table.round} ${table.pile} ${table.launcher.last?.seat} ${table.launcher.last?.cards}`;
  const cards = form.count?.shot === shot ? form.count.cards : table.launcher.shot?.cards ?? 0;
  return [
    h("p", { class: "warn" }, t("banner.shot-count", { name: nameOf(table, seat) })),
    h("div", { class: "actions" },
      stepper(t("host.count"), cards, 60, (value) => { form.count = { shot, cards: value }; shell.draw(); }),
      h("button", { type: "button", class: "call", "data-do": "shot-was", onclick: does("shot-was", { cards }) },
        t("host.count.do", { n: cards }))),
  ];
}

function joining() {
  const welcome = link.welcome;
  return welcome && h("section", { class: "paper join-box", key: "join" },
    h("h2", {}, t("host.join")),
    invitation(welcome), tongues(shell));
}

watchOwn(shell);
shell.draw();
void enter(shell);
