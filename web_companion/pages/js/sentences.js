// @ts-check
// Events as sentences, for the television and the log. What has no sentence is not worth one.

import { faultText, nameOf } from "./banner.js";
import { cardName, listed, maybe, parts, t } from "./texts.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").GameEvent} GameEvent */

/** Events that say nothing that the next one does not. */
const SILENT = new Set(["owes", "hopper-over", "shot", "game-begun", "counting"]);

/** @param {GameEvent} event @param {TableView} table @returns {string | null} */
export function sentence(event, table) {
  if (SILENT.has(event.e)) return null;
  const name = event.name ?? nameOf(table, event.seat ?? event.winner ?? event.dealer ?? null);
  const target = nameOf(table, event.target ?? null);
  const by = nameOf(table, event.by ?? null);
  const colour = maybe(`colour.${event.colour}`) ?? "";
  const cards = Array.isArray(event.cards) ? event.cards : event.card ? [event.card] : [];
  const count = typeof event.count === "number" ? event.count : typeof event.cards === "number" ? event.cards : cards.length;
  const card = listed(cards.map(cardName));
  const about = { name, target, by, colour, card, n: count, text: event.text ?? event.cause ?? "", remedy: event.remedy ?? "" };
  switch (event.e) {
    case "played": return played({ ...about, n: swept(event) }, cards);
    case "turned": return t(event.putBack ? "said.turned.back" : "said.turned", about);
    case "took": return count === 0 && event.how === "hit" ? t("said.took.hit.dry", about)
      : maybe(`said.took.${event.how}`, about);
    case "called": return t(event.right === false ? "said.called.wrong" : "said.called", about);
    case "caught": return t(event.right === false ? "said.caught.wrong" : "said.caught", about);
    case "challenged": return t(event.guilty ? "said.challenged.guilty" : "said.challenged.innocent", about);
    case "launcher-fault": return t("said.launcher-fault", { text: table.launcher.fault ? faultText(table.launcher.fault) : "" });
    case "notice": return maybe(`said.notice.${event.code}`, { ...about, n: Number(event.row ?? 0) });
    case "host-set": return hostSet(event, table, about);
    case "undone": return event.by === undefined ? withReason(t("said.undone"), event) : t("said.undone.by", about);
    case "chair-taken": return event.name ? t("said.chair-taken", about) : t("said.chair-taken.nameless");
    case "corrected": return withReason(maybe(`said.${event.e}`, about) ?? "", event);
    case "press-refused": return t("said.press-refused", { text: maybe(`refused.${event.reason}`) ?? "" });
    case "counted": return t("said.counted", { name, n: Number(event.points ?? 0) });
    case "shot-given": return event.seat === null ? t("said.shot-given.nobody") : t("said.shot-given", about);
    case "slapped": return event.last ? t("said.slapped.last", about) : null;
    case "round-over": return name ? t("said.round-over", { name, n: points(event) }) : t("said.round-over.nobody");
    case "match-over": return t("said.match-over", {
      name: listed((event.winners ?? []).map((/** @type {number} */ seat) => nameOf(table, seat))) });
    default: return maybe(`said.${event.e}`, about);
  }
}

/** @param {string} text @param {GameEvent} event */
function withReason(text, event) {
  return event.reason ? t("said.reason", { text, reason: event.reason }) : text;
}

/** What the host put right. @param {GameEvent} event @param {TableView} table @param {Record<string, string | number>} about */
function hostSet(event, table, about) {
  const value = event.value ?? 0;
  const way = maybe(`direction.${value}`) ?? "";
  const colour = maybe(`strip.${value}`) ?? "";
  return withReason(maybe(`said.host-set.${event.what}`, { ...about, name: nameOf(table, event.seat), n: value, way, colour }) ?? "", event);
}

/** @param {GameEvent} event */
function swept(event) {
  return Array.isArray(event.swept) ? event.swept.length : Number(event.swept ?? 0);
}

/** @param {GameEvent} event */
function points(event) {
  return Array.isArray(event.points) ? event.points[event.winner] ?? 0 : Number(event.points ?? 0);
}

/** @param {Record<string, string | number>} about @param {string[]} cards */
function played(about, cards) {
  if (about.n) return t("said.played.swept", about);
  const wild = cards.length > 0 && parts(cards[0]).colour === "wild" && about.colour;
  if (wild && about.target) return t("said.played.colour.target", about);
  if (wild) return t("said.played.colour", about);
  return t(about.target ? "said.played.target" : "said.played", about);
}
