// @ts-check
// The table for a television: who sits where, whose turn, what lies on top, what just happened, how it stands.

import { banner } from "./banner.js";
import { burst } from "./burst.js";
import { face, mark } from "./cards.js";
import { caption, launcher } from "./launcher.js";
import { ring, roomFor } from "./ring.js";
import { matchLine, scores } from "./scores.js";
import { sentence } from "./sentences.js";
import { say, speakSwitch } from "./speak.js";
import { Shell, invitation, measured, post } from "./shell.js";
import { t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView */

const SAID = 3;
/** @type {Shell} */
const shell = new Shell("table", view);
const { link } = shell;
const size = { width: 900, height: 560 };
/** The last sentences, the newest last. @type {{id: number, text: string}[]} */
let said = [];
let saidCount = 0;

function view() {
  const state = link.state;
  if (!state || !link.welcome) {
    return h("main", { class: "table empty", key: "waiting" }, h("div", { class: "blank" },
      h("div", { class: "pulse" }), h("h1", {}, t("banner.connecting")), h("p", {}, t("banner.connecting.sub"))));
  }
  const table = state.table;
  const words = banner(table, null);
  say(words.title);
  const hit = words.tone === "calm" && table.phase === "playing" && table.due?.what === "hit";
  return h("main", { class: `table phase-${table.phase}`, key: "table" },
    h("header", { class: `banner ${hit ? "act" : words.tone}`, key: "banner" },
      h("div", { class: "words", "aria-live": "polite", "aria-atomic": "true" },
        h("h1", {}, words.title), words.sub && h("p", {}, words.sub))),
    h("section", { class: "ring", key: "ring", mounted: measured(resized) },
      table.seats.length ? ring(table, { shape: shape(table), mine: [], large: true }, centre(table))
        : h("div", { class: "blank" }, launcher(table), h("h2", {}, t("seat.empty")), h("p", {}, t("seat.empty.sub")))),
    h("ol", { class: "said", key: "said", "aria-live": "polite" },
      said.map((one) => h("li", { key: one.id }, one.text))),
    h("aside", { key: "aside" },
      h("section", { class: "standing" },
        h("h2", {}, matchLine(table).join(" · ") || t("scores.title")),
        h("div", { class: "rows", vars: { "--rows": table.seats.length + (table.match.forfeit ? 2 : 0) } },
          scores(table, [], table.phase !== "gathering" && table.rounds.length > 0))),
      joinBox(table), speakSwitch(shell), tongues(shell)));
}

/** @param {number} width @param {number} height */
function resized(width, height) {
  if (!width || (width === size.width && height === size.height)) return;
  Object.assign(size, { width, height });
  shell.draw();
}

/** @param {TableView} table @returns {import("./ring.js").RingShape} */
function shape(table) {
  const { width, height } = size;
  const wide = width > 700;
  return { width, height, rx: width / 2 - (wide ? Math.max(100, width * 0.12) : 62),
    ry: height / 2 - (wide ? Math.max(70, height * 0.14) : 40), bottom: table.firstSeat ?? 0 };
}

/** @param {TableView} table */
function centre(table) {
  const onTable = table.phase !== "gathering" && table.top !== null;
  const colour = table.phase === "gathering" ? null : table.colour;
  const em = Math.max(13, Math.min(innerHeight * 0.0225, innerWidth * 0.017, 44));
  const small = size.width < 700;
  const chip = small ? { width: 8 * em, height: 4.6 * em } : { width: 12 * em, height: 6.4 * em };
  const scale = roomFor(table, shape(table), chip, { width: 23 * em, height: 14.5 * em });
  return h("div", { class: "middle", vars: { "--scale": scale.toFixed(2) } },
    onTable && table.top !== null && h("div", { class: "top", key: "top" },
      h("div", { class: "top-card card lit", key: table.top },
        face(table.top, { named: table.top.includes(" ") ? null : table.colour, label: true })),
      colour && h("p", { class: `named ${colour}` }, mark(colour), t(`strip.${colour}`))),
    h("div", { class: "machine", key: "machine" }, launcher(table), h("p", {}, caption(table))));
}

/** Large while there is room for it, which is when people come. @param {TableView} table */
function joinBox(table) {
  const welcome = link.welcome;
  return welcome && h("section", { class: table.seats.length > 5 ? "join-box" : "join-box large", key: "join" }, invitation(welcome));
}

link.addEventListener("news", (event) => {
  const { state, before } = /** @type {CustomEvent<{state: import("./wire.js").State,
    before: import("./wire.js").State | null}>} */ (event).detail;
  if (before && before.epoch !== state.epoch) said = [];
  for (const one of state.events) {
    const text = sentence(one, state.table);
    if (text) said = [...said, { id: saidCount++, text }].slice(-SAID);
    if (one.e === "took" && one.how === "hit") {
      const count = Array.isArray(one.cards) ? one.cards.length : Number(one.count ?? one.cards ?? 0);
      requestAnimationFrame(() => burst(document.querySelector(".machine"), document.querySelector(`.chip[data-seat="${one.seat}"]`), count));
    }
  }
});

/** A television is opened with the join code in the fragment, or stands at the machine itself. */
async function enter() {
  const code = location.hash.slice(1);
  if (code) {
    const answer = await post("/api/v1/join", { code, watch: true });
    if (answer.ok) history.replaceState(null, "", "/table");
  }
  link.start();
}

shell.draw();
void enter();
