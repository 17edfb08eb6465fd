// @ts-check
// Scores by rank, and what the round that just ended brought.

import { winners } from "./ring.js";
import { maybe, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView */

const LOW_WINS = new Set(["own-points", "challenge", "single", "last-standing"]);

/** What counts in this match. @param {TableView} table @param {import("./wire.js").Seat} seat */
export function standing(table, seat) {
  if (table.match.format === "chips") return seat.chips ?? 0;
  return table.match.format === "last-standing" ? seat.lost ?? 0 : seat.score;
}

/** The seats by rank: the highest score first, or the lowest where that wins. @param {TableView} table */
export function ranking(table) {
  const order = table.match.ranking;
  if (order) return [...table.seats].sort((a, b) => place(order, a.seat) - place(order, b.seat));
  const sign = LOW_WINS.has(table.match.format) ? 1 : -1;
  return [...table.seats].sort((a, b) => sign * (standing(table, a) - standing(table, b)) || a.seat - b.seat);
}

/** @param {number[]} order @param {number} seat */
function place(order, seat) {
  return order.includes(seat) ? order.indexOf(seat) : order.length;
}

/** @param {TableView} table @param {number[]} mine @param {boolean} [withRound] a column for the last round */
export function scores(table, mine, withRound = false) {
  const last = table.rounds[table.rounds.length - 1];
  const won = winners(table);
  const marks = table.match.forfeit !== null && table.match.forfeit !== undefined;
  return [h("table", { class: "scores", key: "scores" },
    h("thead", {}, h("tr", {},
      h("th", { scope: "col", class: "who" }, t("scores.name")),
      withRound && last && h("th", { scope: "col" }, t("scores.this")),
      h("th", { scope: "col" }, maybe(`scores.all.${table.match.format}`) ?? t("scores.all")),
      marks && h("th", { scope: "col" }, t("scores.marks")))),
    h("tbody", {}, sides(table).map(([seat, ...mates]) =>
      h("tr", { key: seat.seat, class: [won.includes(seat.seat) && "winner", mine.includes(seat.seat) && "me",
        (seat.left || seat.eliminated) && "gone"].filter(Boolean).join(" ") },
        h("th", { scope: "row", class: "who" }, [seat, ...mates].map((one) => one.name).join(" & ")),
        withRound && last && h("td", { class: "round" }, signed(last.points[seat.seat] ?? 0)),
        h("td", { class: "all" }, standing(table, seat)),
        marks && h("td", { class: "round" }, [seat, ...mates].map((one) => one.marks ?? 0).join(" + ")))))),
    marks && table.match.forfeit && h("p", { class: "quiet", key: "forfeit" }, t("scores.forfeit", { text: table.match.forfeit }))];
}

/** Who scores together: teams, or everybody alone, by rank. @param {TableView} table */
function sides(table) {
  const teams = table.match.teams ?? [];
  return ranking(table).filter(({ seat }) => !teams.some((team) => team.includes(seat) && team[0] !== seat))
    .map((first) => [first, ...table.seats.filter(({ seat }) => seat !== first.seat && teams.some((team) => team[0] === first.seat && team.includes(seat)))]);
}

/** @param {number} points */
function signed(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "·";
}

/** Who sits opposite whom, where that changes. @param {TableView} table */
function opposites(table) {
  const order = table.match.rotation ? table.seating ?? [] : [];
  if (order.length !== 4 || table.round < 1) return false;
  const name = (/** @type {number} */ place) => table.seats[order[place]]?.name ?? "";
  return t("scores.opposite", { one: name(0), two: name(2), three: name(1), four: name(3) });
}

/** "Round 3", "to 500" @param {TableView} table @returns {string[]} */
export function matchLine(table) {
  const parts = [table.round > 0 && t("scores.round", { n: table.round }),
    opposites(table),
    table.match.target > 0 && t("scores.target", { n: table.match.target }),
    table.match.rounds > 0 && t("scores.rounds", { n: table.match.rounds })];
  return parts.filter((part) => typeof part === "string");
}
