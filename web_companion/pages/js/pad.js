// @ts-check
// Numbers with large fields: how many cards came, how many more went, how many points are held.

import { stepper } from "./shell.js";
import { t } from "./texts.js";
import { h } from "./view.js";

const FEW = 9;
const MANY = 40;

/** Which pad shows more than single figures, and the number it is at. @type {{about: string, value: number} | null} */
let more = null;

/**
 * 0 to 9 in one tap, more with a stepper.
 * @param {string} about @param {string} what  the name of the command, for who looks for the field
 * @param {(event: Event, value: number) => void} chosen @param {() => void} changed
 */
export function countPad(about, what, chosen, changed) {
  const wide = more?.about === about ? more : null;
  return h("div", { class: "pad", key: `pad ${about}` },
    Array.from({ length: FEW + 1 }, (_, value) =>
      h("button", { key: value, type: "button", class: "button figure", "data-do": what, "data-value": value,
        onclick: (/** @type {Event} */ event) => chosen(event, value) }, value)),
    wide ? h("div", { class: "many", key: "many" },
      stepper(t("pad.more"), wide.value, MANY, (value) => { more = { about, value }; changed(); }),
      h("button", { type: "button", class: "button call", "data-do": what, "data-value": wide.value,
        onclick: (/** @type {Event} */ event) => { more = null; chosen(event, wide.value); } }, t("pad.take", { n: wide.value })))
      : h("button", { key: "more", type: "button", class: "button many",
        onclick: () => { more = { about, value: FEW + 1 }; changed(); } }, t("pad.more")));
}

/**
 * A number typed with keys of our own, so that no keyboard covers the page.
 * @param {string} label @param {string} typed @param {(typed: string) => void} changed
 */
export function keypad(label, typed, changed) {
  const key = (/** @type {string} */ figure) => h("button", { key: figure, type: "button", class: "button figure", "data-figure": figure,
    onclick: () => changed((typed + figure).replace(/^0+(?=\d)/, "").slice(0, 4)) }, figure);
  return h("div", { class: "keypad", role: "group", "aria-label": label },
    h("output", {}, typed || "0"),
    [..."123456789"].map(key),
    h("button", { key: "clear", type: "button", class: "button figure", "aria-label": t("pad.clear"), onclick: () => changed("") }, "✕"),
    key("0"),
    h("button", { key: "back", type: "button", class: "button figure", "aria-label": t("pad.back"),
      onclick: () => changed(typed.slice(0, -1)) }, "⌫"));
}
