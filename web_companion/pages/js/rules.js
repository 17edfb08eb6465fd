// @ts-check
// The rules as the table's server has them: options, presets, decks. Asked for once, by the pages that need them: without
// words, or in the language of the page.

import { language, parts } from "./texts.js";

/** @typedef {import("./wire.js").TableView} TableView */
/**
 * @typedef {string | number | boolean | string[]} Value
 * @typedef {{value: Value, text: string}} OptionChoice
 * @typedef {{name: string, kind: string, default: Value, section: string, text: string, choices: OptionChoice[], least?: number,
 *   most?: number}} Option
 * @typedef {{name: string, family: string, text: string, values: Record<string, Value>}} Preset
 * @typedef {{coloured: string[], wilds: string[], points: Record<string, number>}} Deck
 * @typedef {{options: {name: string, default: Value}[], presets: {name: string, values: Record<string, Value>}[],
 *   decks: Record<string, Deck>, formats: string[]}} Book
 * @typedef {{options: Option[], groups: {name: string, title: string, options: string[]}[], presets: Preset[],
 *   decks: Record<string, Deck>, formats: string[]}} Rulebook
 */

const AGAIN_AFTER = 2000; // ms, when the line was down
const NUMBERS = Array.from({ length: 10 }, (_, number) => String(number));
/** Options that give a number something to do. @type {Record<string, string[]>} */
const BUSY = { 0: ["zero", "red_zero"], 2: ["two"], 7: ["seven"], 9: ["nine"] };

const BARE = "none"; // a book without words

/** @type {Book | null} */
let book = null;
/** The newest one in words. @type {Rulebook | null} */
let worded = null;
/** The language it was asked for in. @type {string | null} */
let asked = null;

/** The rulebook for reckoning, or null until it has come; then `changed` is called. @param {() => void} changed
 * @returns {Book | null} */
export function rulebook(changed) {
  if (asked === null) void fetchBook(BARE, changed);
  return book;
}

/** The rulebook in the page's language, or null until it has come; then `changed` is called. While another language is
 * on its way it is the one of before. @param {() => void} changed */
export function rulebookInWords(changed) {
  if (asked !== language()) void fetchBook(language(), changed);
  return worded;
}

/** @param {string} wanted @param {() => void} changed */
async function fetchBook(wanted, changed) {
  asked = wanted;
  try {
    const found = await (await fetch(`/api/v1/rules?language=${wanted}`)).json();
    if (wanted !== asked) return; // another one was asked for meanwhile
    book = found;
    if (wanted !== BARE) worded = found;
    changed();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    if (wanted === asked) setTimeout(() => void fetchBook(wanted, changed), AGAIN_AFTER);
  }
}

/** Every option of a preset with its value. @param {Book} rules @param {string} preset
 * @returns {Record<string, Value>} */
export function valuesOf(rules, preset) {
  const defaults = Object.fromEntries(rules.options.map((option) => [option.name, option.default]));
  return { ...defaults, ...rules.presets.find((one) => one.name === preset)?.values };
}

/** Every option of the game that is on. @param {Book} rules @param {TableView} table */
export function valuesAt(rules, table) {
  const { preset, changed, options } = table.rules;
  return { ...valuesOf(rules, preset), .../** @type {Record<string, Value>} */ (changed ?? options ?? {}) };
}

/** The deck played with; of one from a file every card there is. @param {Book} rules @param {TableView} table
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
