// @ts-check
// The host's chair: taken without a code at the machine itself, with the host code elsewhere. For every page that is the
// host's alone.

import { post } from "./shell.js";
import { refusal, t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";

/** @typedef {import("./shell.js").Shell} Shell */

let mustGiveCode = false;

/** What a page of the host's shows before it is his, or null once it is. @param {Shell} shell @param {string} title */
export function chair(shell, title) {
  const { link } = shell;
  if (mustGiveCode || (link.welcome && !link.you.host)) return codeForm(shell, title);
  if (link.state && link.welcome) return null;
  return h("main", { class: "host empty", key: "waiting" }, h("div", { class: "blank" },
    h("div", { class: "pulse" }), h("h1", {}, t("banner.connecting")), h("p", {}, t("banner.connecting.sub"))));
}

/** Come in, or have the code asked for. @param {Shell} shell */
export async function enter(shell) {
  const me = await fetch("/api/v1/me", { cache: "no-store" }).then((response) => response.json(), () => null);
  if (me?.you?.host || (me?.atMachine && (await post("/api/v1/host", {})).ok)) shell.link.start();
  else {
    mustGiveCode = true;
    shell.draw();
  }
}

/** @param {Shell} shell @param {string} title */
function codeForm(shell, title) {
  return h("main", { class: "join", key: "code" },
    h("form", { class: "paper", onsubmit: (/** @type {SubmitEvent} */ event) => void giveCode(shell, event) },
      h("h1", {}, title),
      h("label", { for: "code" }, t("host.code")),
      h("input", { id: "code", name: "code", class: "code", autocomplete: "off", autocapitalize: "characters", maxlength: 12,
        mounted: (/** @type {HTMLInputElement} */ input) => input.focus(), "aria-describedby": "code-hint" }),
      h("p", { class: "quiet", id: "code-hint" }, t("host.code.hint", { url: `http://localhost${location.port && `:${location.port}`}/host` })),
      h("button", { class: "call wide", type: "submit" }, t("host.code.go"))),
    tongues(shell));
}

/** @param {Shell} shell @param {SubmitEvent} event */
async function giveCode(shell, event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (document.getElementById("code"));
  const answer = await post("/api/v1/host", { code: input.value });
  if (answer.ok) location.reload();
  else shell.say(input, refusal(answer));
}
