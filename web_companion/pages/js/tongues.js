// @ts-check
// The switch of languages: every language by its own name. The page goes on where it is, in the other one.

import { LANGUAGES, keepLanguage } from "./language.js";
import { language, speak, t } from "./texts.js";
import { h } from "./view.js";

/** @param {import("./shell.js").Shell} shell */
export function tongues(shell) {
  return h("div", { class: "tongues", key: "tongues", role: "group", "aria-label": t("language.title") },
    LANGUAGES.map(([tag, name]) => h("button", { key: tag, type: "button", lang: tag, "data-language": tag,
      "aria-pressed": String(tag === language()), onclick: (/** @type {Event} */ event) => void choose(shell, event, tag) }, name)));
}

/** @param {import("./shell.js").Shell} shell @param {Event} event @param {import("./language.js").Language} tag */
async function choose(shell, event, tag) {
  const touched = /** @type {Element} */ (event.currentTarget);
  try {
    await speak(tag);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    shell.say(touched, t("join.offline")); // its texts could not be fetched
    return;
  }
  keepLanguage(tag);
  shell.draw();
}
