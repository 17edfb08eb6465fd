// @ts-check
// The television says the turns aloud, where its browser can and somebody has switched it on. Off at first; kept on this
// screen.

import { language, t } from "./texts.js";
import { h } from "./view.js";

const KEY = "speak";
let on = read();
let last = "";

/** The switch; none where the browser has no voice. @param {import("./shell.js").Shell} shell */
export function speakSwitch(shell) {
  if (!("speechSynthesis" in window)) return null;
  return h("button", { key: "speak", type: "button", class: "speak", "data-do": "speak", "aria-pressed": String(on), onclick: () => {
    on = !on;
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // nothing is kept in a private window
    }
    last = "";
    if (!on) speechSynthesis.cancel();
    shell.draw();
  } }, h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: "M4 9v6h4l5 4V5L8 9zM16 8a5 5 0 0 1 0 8M18.500 5a9 9 0 0 1 0 14" })), t("table.speak"));
}

/** Say `text`, once, when it is to be said aloud; what was being said gives way to it. @param {string} text */
export function say(text) {
  if (!on || text === last || !("speechSynthesis" in window)) return;
  last = text;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = { "zh-Hans": "zh-CN", "zh-Hant": "zh-TW" }[String(language())] ?? language();
  speechSynthesis.speak(words);
}

function read() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}
