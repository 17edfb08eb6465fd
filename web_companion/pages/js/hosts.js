// @ts-check
// Who runs the table: hosting is handed over to another phone by name, shared, or taken back.

import { post, sheet } from "./shell.js";
import { listed, refusal, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./shell.js").Shell} Shell @typedef {import("./wire.js").TableView} TableView */
/** @typedef {{session: string, name: string, seats: number[], host: boolean, here: boolean}} Phone */

/** The phones there are, while the sheet is open. @type {Phone[] | null} */
let phones = null;

/** The other phones, or null when the table does not say; then it was told why. @param {Shell} shell @param {Event} event
 * @returns {Promise<Phone[] | null>} */
export async function otherPhones(shell, event) {
  const touched = /** @type {Element} */ (event.currentTarget);
  const answer = await fetch("/api/v1/phones", { cache: "no-store" }).then((response) => response.json(), () => null);
  if (answer?.ok) return answer.phones;
  shell.say(touched, refusal(answer ?? { ok: false, reason: "lost" }));
  return null;
}

/** What a phone is called: by its seats, else by the name it gave. @param {TableView} table @param {Phone} phone */
export function phoneName(table, phone) {
  const seats = table.seats.filter((seat) => phone.seats.includes(seat.seat)).map((seat) => seat.name);
  return listed(seats) || phone.name || t("host.give.nameless");
}

/** @param {Shell} shell */
export function hostsButton(shell) {
  return h("button", { key: "hosts", type: "button", class: "button", "data-do": "hosts", onclick: async (/** @type {Event} */ event) => {
    phones = await otherPhones(shell, event);
    shell.draw();
  } }, t("host.hosts.open"));
}

/** @param {Shell} shell @param {TableView} table */
export function hostsSheet(shell, table) {
  if (!phones) return null;
  const close = () => { phones = null; shell.draw(); };
  return sheet("hosts", t("host.hosts.title"), close,
    h("ul", { class: "hosts" }, phones.map((phone) => h("li", { key: phone.session, "data-session": phone.session },
      h("span", { class: "who" }, h("b", {}, phoneName(table, phone)),
        h("small", {}, [phone.host && t("host.hosts"), !phone.seats.length && t("host.watching"), !phone.here && t("host.hosts.away")].filter(Boolean).join(" · "))),
      phone.host ? act(shell, close, "take", { session: phone.session, host: false })
        : [act(shell, close, "make", { session: phone.session, host: true }),
          act(shell, close, "hand", { session: phone.session, host: true, stay: false })]))),
    t(phones.length ? "host.hosts.sub" : "host.hosts.none"));
}

/** @param {Shell} shell @param {() => void} close @param {"make" | "hand" | "take"} what @param {object} body */
function act(shell, close, what, body) {
  return h("button", { key: what, type: "button", class: "button small", "data-do": `host-${what}`, onclick: async (/** @type {Event} */ event) => {
    const touched = /** @type {Element} */ (event.currentTarget);
    const answer = await post("/api/v1/hosts", body);
    if (!answer.ok) shell.say(touched, refusal(answer));
    else if (answer.you.host) close();
    else location.assign("/play");
  } }, t(`host.hosts.${what}`));
}
