// @ts-check
// The rules of this table in words: every option with what it is set to, to be looked up when something was refused.

import { rulebookInWords, valuesAt } from "./rules.js";
import { Shell } from "./shell.js";
import { listed, maybe, t } from "./texts.js";
import { tongues } from "./tongues.js";
import { h } from "./view.js";

/** @typedef {import("./rules.js").Option} Option @typedef {import("./rules.js").Value} Value */

/** @type {Shell} */
const shell = new Shell("rules", view);
const { link } = shell;
let shown = "";

function view() {
  const book = rulebookInWords(() => shell.draw());
  const table = link.state?.table;
  if (!book || !table) {
    return h("main", { class: "host empty", key: "waiting" }, h("div", { class: "blank" },
      h("div", { class: "pulse" }), h("h1", {}, t("banner.connecting")), h("p", {}, t("banner.connecting.sub"))));
  }
  const values = valuesAt(book, table);
  const changed = table.rules.changed ?? table.rules.options ?? {};
  const preset = book.presets.find((one) => one.name === table.rules.preset);
  requestAnimationFrame(toAnchor);
  return h("main", { class: "host rules", key: "rules" },
    h("header", { class: "banner calm" }, h("div", { class: "words" }, h("h1", {}, t("rules.title")),
      h("p", {}, preset ? maybe(`preset.${preset.name}`) ?? preset.name : table.rules.preset)),
    h("nav", { class: "links" }, h("a", { class: "button", href: "/play" }, t("rules.back")))),
    h("div", { class: "columns" }, book.groups.map((group) => h("section", { key: group.name, class: "paper" },
      h("h2", {}, group.title),
      h("dl", { class: "rules" }, group.options.map((name) => {
        const option = book.options.find((one) => one.name === name);
        return option && [h("dt", { key: `${name} t`, id: name, tabindex: -1 }, option.text, " ",
          h("small", { class: "quiet" }, `§${option.section}`)),
        h("dd", { key: `${name} d` }, inWords(option, values[name]), name in changed && h("small", {}, ` (${t("rules.changed")})`))];
      }))))),
    tongues(shell));
}

/** @param {Option} option @param {Value} value */
function inWords(option, value) {
  const words = (/** @type {Value} */ one) => option.choices.find((choice) => choice.value === one)?.text ?? String(one);
  return Array.isArray(value) ? listed(value.map(words)) || "–" : words(value);
}

/** The browser looked for what the address names before it was drawn. */
function toAnchor() {
  const wanted = location.hash.slice(1);
  const element = wanted && wanted !== shown ? document.getElementById(wanted) : null;
  if (!element) return;
  shown = wanted;
  element.scrollIntoView({ block: "center" });
  element.focus({ preventScroll: true });
}

addEventListener("hashchange", () => shell.draw());
shell.draw();
link.start();
