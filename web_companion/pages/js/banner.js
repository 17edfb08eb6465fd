// @ts-check
// The one line that answers "is it me, what may I do?": from a view of the table to words. No document here.

import { dealBanner } from "./dealt.js";
import { listed, maybe, t } from "./texts.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./wire.js").Mine} Mine */
/** @typedef {import("./wire.js").Owed} Owed */
/**
 * @typedef {{tone: "mine" | "act" | "calm" | "warn" | "win", title: string, sub: string, seat: number | null}} Banner
 * `act`: I must press or choose; `mine`: my turn; `seat`: whom it is about
 */

/** @param {TableView} table @param {number | null} seat */
export function nameOf(table, seat) {
  return table.seats.find((one) => one.seat === seat)?.name ?? "";
}

/** What is wrong and what to do about it, as two sentences. @param {import("./wire.js").Fault} fault */
export function faultText({ code, cause, remedy }) {
  const known = maybe(`fault.${code}`);
  if (known) return known;
  const whole = (/** @type {string} */ text) => text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  return `${whole(cause.trim())} ${whole(remedy.trim())}`.trim();
}

/** @param {TableView} table @param {Mine | null} mine @returns {Banner} */
export function banner(table, mine) {
  return trouble(table, mine) ?? dealBanner(table) ?? between(table) ?? shot(table, mine) ?? turn(table, mine);
}

/** @param {TableView} table @param {Mine | null} mine @returns {Banner | null} */
function trouble(table, mine) {
  const { state, fault } = table.launcher;
  if (state === "jammed" || state === "fault") {
    return { tone: "warn", title: t(`banner.${state}`), sub: fault ? faultText(fault) : "", seat: null };
  }
  if (table.paused) return { tone: "calm", title: t("banner.paused"), sub: t("banner.paused.sub"), seat: null };
  if (table.due?.what === "shot-count") {
    return { tone: "warn", title: t("banner.shot-count", { name: nameOf(table, table.due.seat) }),
      sub: t("banner.shot-count.sub"), seat: table.due.seat };
  }
  if (table.due?.what === "reload" && mine?.moves.length) {
    return { tone: "mine", title: t("banner.mine.play"), sub: t("banner.reload.play"), seat: mine.seat };
  }
  if (table.due?.what === "reload") {
    return { tone: "warn", title: t("banner.reload"), sub: t("banner.reload.sub"), seat: null };
  }
  return null;
}

/** Before, between and after rounds. @param {TableView} table @returns {Banner | null} */
function between(table) {
  if (table.phase === "gathering") {
    const few = table.seats.filter((seat) => !seat.left).length < 2;
    return { tone: "calm", title: t("banner.gathering"), seat: null,
      sub: t(few ? "banner.gathering.few" : "banner.gathering.sub") };
  }
  if (table.phase === "match-over") {
    const winners = listed(table.match.winners.map((seat) => nameOf(table, seat)));
    return { tone: "win", title: t("banner.match-over", { name: winners }), sub: t("banner.match-over.sub"),
      seat: table.match.winners[0] ?? null };
  }
  if (table.phase === "start") {
    return { tone: "calm", title: t("banner.start", { name: nameOf(table, table.dealer) }), sub: t("banner.start.sub"), seat: table.dealer };
  }
  if (table.phase === "counting") {
    const missing = listed((table.toCount ?? []).map((seat) => nameOf(table, seat)));
    return { tone: "calm", title: t("banner.count"), sub: t("banner.count.sub", { names: missing }), seat: null };
  }
  if (table.phase !== "round-over") return null;
  if (!table.rounds.length) return { tone: "calm", title: t("banner.before"), sub: t("banner.gathering.sub"), seat: null };
  const last = table.rounds[table.rounds.length - 1];
  if (!last || last.winner === null) {
    return { tone: "calm", title: t("banner.round-over.nobody"), sub: "", seat: null };
  }
  const points = last.points[last.winner] ?? 0;
  return { tone: "win", title: t("banner.round-over", { name: nameOf(table, last.winner) }), seat: last.winner,
    sub: points ? t("banner.round-over.sub", { n: points }) : "" };
}

/** While the launcher is at it, nobody knows what will come. @param {TableView} table @param {Mine | null} mine
 * @returns {Banner | null} */
function shot(table, mine) {
  const { state, shot } = table.launcher;
  const seat = shot?.seat ?? table.due?.seat ?? null;
  if (state === "pressed") {
    const own = mine !== null && seat === mine.seat;
    return { tone: own ? "act" : "calm", title: own ? t("banner.shot.mine") : t("banner.shot"), sub: "", seat };
  }
  return state === "firing" ? { tone: "act", title: t("banner.firing"), sub: nameOf(table, seat), seat } : null;
}

/** @param {TableView} table @param {Mine | null} mine @returns {Banner} */
function turn(table, mine) {
  const due = table.due ?? { seat: table.turn, what: "play" };
  const units = due.units ?? table.seats.find((seat) => seat.seat === due.seat)?.owed ?? 1;
  const what = due.what === "hit" && typeof units === "string" ? units : due.what;
  const about = { name: nameOf(table, due.seat), n: typeof units === "number" ? units : 1,
    colour: maybe(`colour.${table.colour}`) ?? "" };
  if (mine && mine.seat === due.seat) {
    const title = maybe(`banner.mine.${what}`, about) ?? t("banner.mine.play");
    return { tone: what === "play" ? "mine" : "act", title, sub: advice(mine, what), seat: due.seat };
  }
  if (due.what === "slap") {
    const mustSlap = mine?.may.slap === true;
    return { tone: mustSlap ? "act" : "calm", title: t("banner.mine.slap"), sub: t("banner.mine.slap.sub"), seat: null };
  }
  const title = maybe(`banner.other.${what}`, about) ?? t("banner.other.play", about);
  return { tone: "calm", title, sub: mine?.moves.length ? t("banner.jump") : "", seat: due.seat };
}

/** @param {Mine} mine @param {string} what */
function advice(mine, what) {
  if (what !== "play") {
    if (mine.moves.length && what !== "challenge") return t("banner.mine.answer");
    return maybe(`banner.mine.${what.startsWith("until") ? "hit" : what}.sub`) ?? "";
  }
  if (mine.may.pass) return t("banner.mine.play.drawn");
  if (mine.hand.length > 0 && mine.hand.every((card) => card === "?")) return t(mine.may.draw ? "banner.mine.real.draw" : "banner.mine.real");
  if (!mine.moves.length) return t(mine.may.draw ? "banner.mine.play.none.draw" : "banner.mine.play.none");
  if (mine.may.draw) return t("banner.mine.play.draw");
  return t(mine.may.hit ? "banner.mine.play.sub" : "banner.mine.play.only");
}

/** What a seat owes, in two words. @param {TableView} table @param {Owed} owed */
export function owedText(table, owed) {
  if (typeof owed === "number") return owed > 0 ? t(table.launcherTable === false ? "seat.draws" : "seat.hits", { n: owed }) : "";
  return t(owed === "until-fire" ? "seat.until-fire" : "seat.until-colour");
}
