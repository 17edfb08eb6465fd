// @ts-check
// Why not? The options behind a refusal in words, a link to the rules of this table, and the dispute kept as a case.

import { rulebookInWords } from "./rules.js";
import { sheet } from "./shell.js";
import { listed, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./shell.js").Shell} Shell @typedef {import("./wire.js").Answer} Answer */
/** @typedef {import("./wire.js").Because} Because @typedef {import("./rules.js").Rulebook} Rulebook */
/** @typedef {{answer: Answer, text: string, seat: number | null, kept: {name: string, url: string, on: boolean} | null}} Asked */

/** Open the sheet. @param {Shell} shell @param {Answer} answer @param {string} text @param {number | null} seat */
export function explain(shell, answer, text, seat) {
  /** @type {Asked | null} */
  let asked = { answer, text, seat, kept: null };
  const close = () => {
    if (asked?.kept) URL.revokeObjectURL(asked.kept.url);
    asked = null;
    shell.draw();
  };
  shell.over = () => asked && sheet("why", t("why.ask"), close, inside(shell, asked), text);
  shell.draw();
}

/** @param {Shell} shell @param {Asked} asked */
function inside(shell, asked) {
  const because = asked.answer.because ?? [];
  const book = because.length ? rulebookInWords(() => shell.draw()) : null;
  return h("div", { class: "why" },
    because.map((one) => reason(book, one)),
    because.length === 0 && h("p", {}, t("why.always")),
    h("div", { class: "actions" },
      h("a", { class: "button", href: `/rules${because.length ? `#${because[0].option}` : ""}` }, t("why.rules")),
      asked.seat !== null && !asked.kept && h("button", { type: "button", class: "button", "data-do": "case",
        onclick: (/** @type {Event} */ event) => void keep(shell, asked, event) }, t("why.case"))),
    asked.seat !== null && (asked.kept ? kept(asked.kept) : h("p", { class: "quiet" }, t("why.case.sub"))));
}

/** @param {Rulebook | null} book @param {Because} one */
function reason(book, one) {
  const option = book?.options.find((each) => each.name === one.option);
  return h("section", { key: one.option, class: "behind", "data-option": one.option },
    h("h3", {}, option?.text ?? one.option),
    h("p", { class: "value" }, option ? inWords(option, one.value) : one.value),
    h("a", { class: "quiet", href: `/rules#${one.option}` }, t("why.section", { n: one.section })));
}

/** What a value as the table writes it means. @param {import("./rules.js").Option} option @param {string} value */
function inWords(option, value) {
  const words = (/** @type {string} */ one) => option.choices.find((choice) => shown(choice.value) === one)?.text;
  const whole = words(value);
  if (whole) return whole;
  const several = value.replace(/^\[|\]$/g, "").split(/,\s*/).map((one) => words(one) ?? one);
  return listed(several);
}

/** @param {import("./rules.js").Value} value */
function shown(value) {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** @param {Shell} shell @param {Asked} asked @param {Event} event */
async function keep(shell, asked, event) {
  const answer = await shell.ask(event, "case", { seat: asked.seat });
  if (!answer.ok) return;
  const url = URL.createObjectURL(new Blob([String(answer.case)], { type: "application/toml" }));
  asked.kept = { name: String(answer.name), url, on: answer.kept === true };
  shell.draw();
}

/** @param {{name: string, url: string, on: boolean}} case_ */
function kept({ name, url, on }) {
  return h("div", { class: "kept" }, on && h("p", {}, t("why.case.kept", { name })),
    h("a", { class: "button", href: url, download: name }, t("why.case.download", { name })));
}
