// @ts-check
// The launcher as a drawing: a dark box with a slot and the one bright thing in the room, its button with the lamp.

import { t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView */

/** What the lamp says: `off`, `due` (breathes), `pressed` (beats), `firing`, `resting`, `trouble`. @param {TableView} table */
export function lamp(table) {
  const { state } = table.launcher;
  if (state === "jammed" || state === "fault") return "trouble";
  if (state === "pressed" || state === "firing") return state;
  if (table.phase !== "playing" || table.paused) return "off";
  if (table.due?.what === "hit") return state === "resting" || state === "cooling" ? "resting" : "due";
  return state === "closed" ? "off" : "ready";
}

/** When a page was first shown that it cools. @type {WeakMap<TableView, number>} */
const since = new WeakMap();

/** Whole seconds until the launcher has cooled down; 0 when it does not cool. @param {TableView} table */
export function coolsFor(table) {
  const { state, readyIn } = table.launcher;
  if (state !== "cooling" || !readyIn) return 0;
  const now = performance.now();
  if (!since.has(table)) since.set(table, now);
  return Math.max(1, Math.ceil(readyIn - (now - (since.get(table) ?? now)) / 1000));
}

/** The whole launcher, small or large as its box is. @param {TableView} table */
export function launcher(table) {
  if (fromPile(table)) return pile();
  const state = lamp(table);
  return h("svg", {
    class: `launcher lamp-${state}`, viewBox: "0 0 160 150", role: "img", key: "launcher",
    "aria-label": t("launcher.label", { state: t(`launcher.${table.launcher.state}`) }),
  },
    halo(),
    h("path", { class: "box-shade", d: "M20 137h120l7 8H13z" }),
    h("path", { class: "box", d: "M30 46h100a14 14 0 0 1 14 13l5 66a12 12 0 0 1-12 13H23a12 12 0 0 1-12-13l5-66a14 14 0 0 1 14-13z" }),
    h("path", { class: "slot", d: "M38 118h84a5 5 0 0 1 0 10H38a5 5 0 0 1 0-10z" }),
    h("ellipse", { class: "collar", cx: 80, cy: 82, rx: 49, ry: 22 }),
    h("path", { class: "dome", d: "M37 78a43 43 0 0 1 86 0c0 9-19 15-43 15s-43-6-43-15z" }),
    h("path", { class: "shine", d: "M53 62c4-12 15-17 25-17" }));
}

/** Cards that are drawn from a pile: no launcher shoots them. @param {TableView} table */
function fromPile(table) {
  return table.launcherTable === false && table.phase !== "gathering";
}

/** A pile, face down. */
function pile() {
  return h("svg", { class: "launcher pile", viewBox: "0 0 160 150", role: "img", key: "pile", "aria-label": t("pile.label") },
    [16, 8, 0].map((by) => h("rect", { class: "back", x: 42 + by / 2, y: 12 + by, width: 84, height: 118, rx: 9 })),
    h("path", { class: "back-dome", d: "M64 82a20 20 0 0 1 40 0z" }), h("path", { class: "back-base", d: "M58 91h52" }));
}

/** The light around the lamp. */
export function halo() {
  return [
    h("defs", {}, h("radialGradient", { id: "halo" },
      h("stop", { class: "halo-stop", offset: "0.25" }), h("stop", { class: "halo-stop end", offset: "1" }))),
    h("ellipse", { class: "halo", cx: 80, cy: 64, rx: 108, ry: 84, fill: "url(#halo)" }),
  ];
}

/** What is said below it. @param {TableView} table */
export function caption(table) {
  if (fromPile(table)) return t("pile.left", { n: table.pile });
  const { state, hopper, last, shot } = table.launcher;
  if (state === "cooling") return t("launcher.cooling.for", { n: coolsFor(table) });
  if (state === "firing" && shot && shot.cards > 0) return t("seat.cards", { n: shot.cards });
  if (state !== "ready" && state !== "resting") return t(`launcher.${state}`);
  if (last && table.phase === "playing") {
    const name = table.seats.find((seat) => seat.seat === last.seat)?.name ?? "";
    return last.cards ? t("launcher.last", { name, n: last.cards }) : t("launcher.last.dry", { name });
  }
  return hopper === null ? t(`launcher.${state}`) : t("launcher.hopper", { n: hopper });
}
