// @ts-check
// The way in: code, name, seat. A phone that has been here before goes straight back to its game.

import { lazily } from "./lazy.js";
import { suggestion } from "./guests.js";
import { halo } from "./launcher.js";
import { Shell, post } from "./shell.js";
import { refusal, t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").You} You */

/** @type {Shell} */
const shell = new Shell("join", view);
const { link } = shell;
const wantsSeat = new URLSearchParams(location.search).has("sit");
const goal = new URLSearchParams(location.search).get("to");
/** @type {"checking" | "offline" | "code" | "name"} */
let step = "checking";
let busy = false;
let claiming = false;
const claims = lazily(() => import("./claim.js"));
/** A name somebody typed or asked for; until then one is offered. @type {string | null} */
let typed = null;

function view() {
  return h("main", { class: "join", key: "join" },
    h("header", { key: "head" }, emblem(), h("h1", {}, t("join.title")), h("p", { class: "quiet" }, t("join.lead"))),
    step === "code" ? codeForm() : step === "name" ? nameForm() : wait(),
    step === "name" && present(), claiming && (claims(() => shell.draw())?.claimSheet(shell, () => { claiming = false; shell.draw(); }) ?? null),
    h("footer", { key: "foot" }, tongues(shell), h("a", { href: "/host" }, t("join.host"))));
}

/** The button in the dark. */
function emblem() {
  return h("svg", { class: "emblem launcher lamp-due", viewBox: "0 0 160 110", "aria-hidden": "true" },
    halo(),
    h("ellipse", { class: "collar", cx: 80, cy: 86, rx: 56, ry: 19 }),
    h("path", { class: "dome", d: "M36 82a44 46 0 0 1 88 0c0 9-19 15-44 15s-44-6-44-15z" }),
    h("path", { class: "shine", d: "M53 64c4-13 15-19 26-19" }));
}

function wait() {
  return h("div", { class: "paper", key: "wait" },
    h("p", { class: "lead" }, t(step === "offline" ? "join.offline" : "join.checking")),
    step === "offline" && h("button", { type: "button", class: "call wide", onclick: () => void enter() }, t("join.retry")));
}

function codeForm() {
  return h("form", { class: "paper", key: "code", onsubmit: (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (document.getElementById("code"));
    void giveCode(input.value, input);
  } },
  h("label", { for: "code" }, t("join.code")),
  h("input", { id: "code", class: "code", name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
    maxlength: 8, required: true, "aria-describedby": "code-hint" }),
  h("p", { class: "quiet", id: "code-hint" }, t("join.code.hint")),
  h("button", { type: "submit", class: "call wide", disabled: busy }, t("join.code.go")));
}

function nameForm() {
  const open = link.state?.table.open ?? true;
  const on = link.state !== null && link.state.table.phase !== "gathering";
  return h("form", { class: "paper", key: "name", onsubmit: (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void sit();
  } },
  open ? [
    h("label", { for: "name" }, t("join.name")),
    h("div", { class: "named" },
      h("input", { id: "name", name: "name", autocomplete: "nickname", maxlength: 20, required: true,
        value: typed ?? offered(),
        oninput: (/** @type {Event} */ event) => { typed = /** @type {HTMLInputElement} */ (event.currentTarget).value; },
        onfocus: (/** @type {Event} */ event) => {
          const input = /** @type {HTMLInputElement} */ (event.currentTarget);
          typed = input.value; // from now on it is theirs: no name is put into it under their fingers
          input.select();
        },
        "aria-describedby": "name-hint" }),
      h("button", { type: "button", class: "button dice", "data-do": "another", "aria-label": t("join.another"), onclick: another }, "⟳")),
    h("p", { class: "quiet", id: "name-hint" }, t(on ? "join.on" : "join.name.hint")),
    h("button", { type: "submit", class: "call wide", "data-do": "sit" }, t("join.sit")),
  ] : h("p", { class: "lead" }, t("join.closed")),
  link.state?.table.seats.some((seat) => seat.kind === "person") && h("button", { key: "claim", type: "button", class: "button wide",
    "data-do": "claim", onclick: () => { claiming = true; shell.draw(); } }, t("join.claim")),
  h("a", { class: "button wide", href: "/table" }, t("join.watch")));
}

/** The name of before, or one nobody here has. */
function offered() {
  const before = wantsSeat ? "" : link.you.name;
  return before || (link.state ? suggestion(link.state.table) : "");
}

/** Another name from the list. */
function another() {
  typed = suggestion(link.state?.table, true);
  const input = /** @type {HTMLInputElement} */ (document.getElementById("name"));
  input.value = typed;
  shell.draw();
}

/** Who is there already. */
function present() {
  const seats = (link.state?.table.seats ?? []).filter((seat) => !seat.left);
  return h("section", { class: "present", key: "present" }, h("h2", {}, t("join.who")),
    seats.length ? h("ul", {}, seats.map((seat) => h("li", { key: seat.seat }, seat.name)))
      : h("p", { class: "quiet" }, t("join.nobody")));
}

/** @param {string} code @param {Element | null} touched */
async function giveCode(code, touched) {
  busy = true;
  const answer = await post("/api/v1/join", { code });
  busy = false;
  if (answer.ok) {
    history.replaceState(null, "", location.pathname + location.search);
    joined(answer.you);
    return;
  }
  if (answer.reason === "too-many-guesses" && touched === null) { // the code is right, it came with the QR
    setTimeout(() => void giveCode(code, null), 1000 * Number(answer.wait ?? 1));
    return;
  }
  step = answer.reason === "offline" ? "offline" : "code";
  shell.draw();
  if (step === "code") shell.say(touched ?? document.querySelector(".paper"), refusal(answer));
}

async function sit() {
  const input = /** @type {HTMLInputElement} */ (document.getElementById("name"));
  const answer = await shell.ask(input, "sit", { name: input.value });
  if (answer.ok) location.assign("/play");
}

/** @param {You} you */
function joined(you) {
  if (goal && /^\/(play|table|host|rules|service)$/.test(goal)) location.replace(goal);
  else if (you.waiting || (you.seats.length && !wantsSeat)) location.replace("/play");
  else {
    step = "name";
    shell.draw();
    link.start();
  }
}

async function enter() {
  step = "checking";
  shell.draw();
  const me = await fetch("/api/v1/me", { cache: "no-store" }).then((response) => response.json(), () => null);
  const code = location.hash.slice(1);
  if (me === null) step = "offline";
  else if (me.you) return joined(me.you);
  else if (code) return giveCode(code, null);
  else step = "code";
  shell.draw();
}

void enter();
