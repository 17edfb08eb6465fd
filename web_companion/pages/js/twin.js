// @ts-check
// What can happen to the simulated machine: a button each, with a number where there is one.

import { maybe, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TwinFault} TwinFault */

/** @param {TwinFault[]} all @param {(event: Event, what: string, fields?: Record<string, unknown>) => Promise<unknown>} does */
export function faults(all, does) {
  return h("section", { class: "paper", key: "twin" },
    h("h2", {}, t("twin.title")),
    h("p", { class: "quiet" }, t("twin.sub")),
    h("ul", { class: "faults" }, all.map((fault) => h("li", { key: fault.name },
      h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const input = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input");
        void does(event, "twin", { fault: fault.name, ...(input ? { value: Number(input.value) } : {}) });
      } },
      h("p", {}, h("b", {}, fault.name), h("small", { class: "quiet" }, maybe(`twin.fault.${fault.name}`) ?? fault.does)),
      fault.amount && h("input", { class: "short", type: "number", inputmode: "numeric", min: fault.amount.low, max: fault.amount.high,
        value: String(fault.amount.usual), "aria-label": `${fault.name}: ${maybe(`twin.of.${fault.amount.of}`) ?? fault.amount.of}` }),
      h("button", { type: "submit", class: "button small", "data-fault": fault.name, "aria-label": fault.name }, t("twin.do")))))));
}
