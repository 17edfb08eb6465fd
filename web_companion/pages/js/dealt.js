// @ts-check
// A deal by the launcher in the words of the table: whose turn it is to hold their hands out, for the banner of every page.

import { t } from "./texts.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Deal} Deal */

/** Who is dealt to now. @param {Deal} deal */
export function nameIn(deal) {
  return deal.names[deal.seat] ?? "";
}

/** The banner while cards are dealt, or null. @param {TableView} table @returns {import("./banner.js").Banner | null} */
export function dealBanner({ dealing }) {
  if (!dealing) return null;
  const about = { name: nameIn(dealing), n: Math.max(0, dealing.want - dealing.hands[dealing.seat]) };
  const passed = dealing.passed > 0 ? t("deal.passed", { n: dealing.passed, from: dealing.names[dealing.seat - 1], name: about.name }) : "";
  switch (dealing.step) {
    case "ready": return { tone: "calm", seat: null, title: t("deal.banner", about), sub: passed || (about.n ? t("deal.ready", about) : "") };
    case "firing": return { tone: "act", seat: null, title: t("deal.banner", about), sub: t("deal.firing", about) };
    case "count": return { tone: "warn", seat: null, title: t("deal.banner", about), sub: t("deal.count", about) };
    case "trouble": return { tone: "warn", seat: null, title: t("deal.banner", about), sub: t("deal.trouble", about) };
    default: return null;
  }
}
