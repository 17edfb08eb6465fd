// @ts-check
// Which seat this phone acts for: the one that is due, else the one somebody chose. A host with real cards may act for
// anybody; several seats of one phone are switched between openly.

import { nameOf } from "./banner.js";
import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").State} State @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./wire.js").TableView} TableView */

/** The seat that was chosen, and which seat was due then: when another one of ours is due, that one is shown.
 * @type {{seat: number | null, due: number | null}} */
const chosen = { seat: null, due: null };
let everybody = false;
/** The seat whose tab was scrolled into view last. @type {number | undefined} */
let revealed;

/** Everybody this phone can act for: its own seats first. @param {State} state @returns {Mine[]} */
export function actable(state) {
  return [...state.mine, ...(state.others ?? [])];
}

/** The seat this phone shows now. @param {State} state @returns {Mine | null} */
export function present(state) {
  const { mine } = state;
  const all = actable(state);
  const due = state.table.due?.seat ?? null;
  const follow = mine.length ? mine : all;
  if (due !== chosen.due) {
    chosen.due = due;
    if (follow.some((one) => one.seat === due)) chosen.seat = due;
    else if (!mine.some((one) => one.seat === chosen.seat)) chosen.seat = null;
  }
  return all.find((one) => one.seat === chosen.seat) ?? follow.find((one) => one.seat === due) ?? all[0] ?? null;
}

/** @param {State} state @param {Mine | null} shown @param {() => void} changed */
export function switcher(state, shown, changed) {
  const { table, mine } = state;
  const all = actable(state);
  if (all.length < 2) return null;
  const own = mine.length ? mine : all;
  const others = all.filter((one) => !own.includes(one));
  const open = everybody || others.some((one) => one.seat === shown?.seat);
  const tab = (/** @type {Mine} */ one) => h("button", { key: one.seat, type: "button",
    class: `tab${others.includes(one) ? " other" : ""}${table.due?.seat === one.seat ? " due" : ""}`, "data-seat": one.seat,
    "aria-pressed": String(one.seat === shown?.seat),
    onclick: () => { chosen.seat = one.seat; chosen.due = table.due?.seat ?? null; changed(); } }, nameOf(table, one.seat));
  if (revealed !== shown?.seat) setTimeout(() => reveal(document.querySelector(".switcher"))); // once it is drawn
  revealed = shown?.seat;
  return h("nav", { class: "switcher", key: "switcher", "aria-label": t("play.switch"), mounted: reveal },
    own.length + (open ? others.length : 0) > 1 && h("span", { class: "quiet" }, t("play.switch")),
    (own.length > 1 || open) && own.map(tab), open && others.map(tab),
    others.length > 0 && h("button", { key: "more", type: "button", class: "tab more", "data-do": "play-for",
      "aria-expanded": String(open), onclick: () => { everybody = !open; if (open) chosen.seat = null; changed(); } },
    t(open ? "play.switch.less" : "play.switch.more")));
}

/** Scroll the strip of tabs, and nothing else, to the seat that is shown. @param {Element | null} strip */
function reveal(strip) {
  const tab = /** @type {HTMLElement | null} */ (strip?.querySelector('[aria-pressed="true"]') ?? null);
  if (strip && tab) strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - tab.offsetWidth) / 2;
}
