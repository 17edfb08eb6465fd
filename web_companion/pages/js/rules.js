// @ts-check
// The rules as the table's server has them: options, presets, decks. Asked for once, by the pages that need them.

import { parts } from "./texts.js";

/** @typedef {import("./wire.js").TableView} TableView */
/**
 * @typedef {string | number | boolean | string[]} Value
 * @typedef {{value: Value, text: string}} OptionChoice
 * @typedef {{name: string, kind: string, default: Value, text: string, choices: OptionChoice[], least?: number,
 *   most?: number}} Option
 * @typedef {{name: string, family: string, text: string, values: Record<string, Value>}} Preset
 * @typedef {{coloured: string[], wilds: string[], points: Record<string, number>}} Deck
 * @typedef {{options: Option[], groups: {name: string, title: string, options: string[]}[], presets: Preset[],
 *   decks: Record<string, Deck>, formats: string[]}} Rulebook
 */

const AGAIN_AFTER = 2000; // ms, when the line was down
const NUMBERS = Array.from({ length: 10 }, (_, number) => String(number));
/** Options that give a number something to do. @type {Record<string, string[]>} */
const BUSY = { 0: ["zero", "red_zero"], 2: ["two"], 7: ["seven"], 9: ["nine"] };

/** @type {Rulebook | null} */
let book = null;
let asked = false;

/** The rulebook, or null until it has come; then `changed` is called. @param {() => void} changed */
export function rulebook(changed) {
  if (!book && !asked) void fetchBook(changed);
  return book;
}

/** @param {() => void} changed */
async function fetchBook(changed) {
  asked = true;
  try {
    book = await (await fetch("/api/v1/rules")).json();
    changed();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    setTimeout(() => void fetchBook(changed), AGAIN_AFTER);
  }
}

/** Every option of a preset with its value. @param {Rulebook} rules @param {string} preset
 * @returns {Record<string, Value>} */
export function valuesOf(rules, preset) {
  const defaults = Object.fromEntries(rules.options.map((option) => [option.name, option.default]));
  return { ...defaults, ...rules.presets.find((one) => one.name === preset)?.values };
}

/** Every option of the game that is on. @param {Rulebook} rules @param {TableView} table */
export function valuesAt(rules, table) {
  const { preset, changed, options } = table.rules;
  return { ...valuesOf(rules, preset), .../** @type {Record<string, Value>} */ (changed ?? options ?? {}) };
}

/** The deck played with; of one from a file every card there is. @param {Rulebook} rules @param {TableView} table
 * @returns {Deck} */
export function deckOf(rules, table) {
  const known = rules.decks[String(valuesAt(rules, table).deck)];
  if (known) return known;
  const all = Object.values(rules.decks);
  const every = (/** @type {"coloured" | "wilds"} */ which) => [...new Set(all.flatMap((deck) => deck[which]))];
  return { coloured: every("coloured"), wilds: every("wilds"), points: Object.assign({}, ...all.map((deck) => deck.points)) };
}

/** Whether a rank does something at this table, so that it is named even where only such cards are.
 * @param {Record<string, Value>} values @param {string} rank */
export function hasEffect(values, rank) {
  return !NUMBERS.includes(rank) || (BUSY[rank] ?? []).some((name) => values[name] !== "plain");
}

/** What a card costs in a hand. @param {Deck} deck @param {string} card */
export function pointsOf(deck, card) {
  return deck.points[parts(card).rank] ?? 0;
}
