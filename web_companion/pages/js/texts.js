// @ts-check
// Words: finds a text in the catalogue of the page's language and fills in what it is about. No text is written
// anywhere else, and only the catalogue that is spoken is loaded.

/** @typedef {keyof typeof import("../texts/en.js").default} Key @typedef {Record<string, string | number>} Params */
/** @typedef {string | {one: string, other: string}} Entry */
/** @typedef {import("./language.js").Language} Language */

/** Of every catalogue the server gives a page the texts that its scripts can ask for, under the page's name. */
const page = document.querySelector("link[rel=modulepreload]")?.getAttribute("href")?.match(/(\w+)\.js$/)?.[1];

/** @type {Record<string, Entry>} */
let catalogue = {};
/** @type {Language} */
let spoken = "en";
let plurals = new Intl.PluralRules(spoken);

/** Speak this language from now on; what is drawn already has to be drawn again. Rejects with a TypeError when its texts
 * cannot be fetched, and then nothing has changed. @param {Language} language */
export async function speak(language) {
  const { default: texts } = await import(`../texts/${page}/${language}.js`);
  catalogue = texts;
  spoken = language;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  document.title = t("app.title");
}

/** The language that is spoken. */
export function language() {
  return spoken;
}

/** The text of `key`. `n` among the parameters chooses between one and many. @param {Key} key @param {Params} [params] */
export function t(key, params = {}) {
  return fill(catalogue[key], params);
}

/** The text of a key put together from data, or null when the catalogue has none. @param {string} key
 * @param {Params} [params] */
export function maybe(key, params = {}) {
  const entry = Object.prototype.hasOwnProperty.call(catalogue, key) ? catalogue[key] : undefined;
  return entry === undefined ? null : fill(entry, params);
}

/** @param {Entry} entry @param {Params} params */
function fill(entry, params) {
  const text = typeof entry === "string" ? entry : plurals.select(Number(params.n)) === "one" ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** Names and the like, one after the other. @param {string[]} words */
export function listed(words) {
  return words.join(t("list.comma"));
}

/** A card in words: "red 5", "wild hit-fire". @param {string} card */
export function cardName(card) {
  const { colour, rank } = parts(card);
  if (card === "?") return t("card.unknown");
  const name = maybe(`rank.${rank}`) ?? rank;
  return colour === "wild" ? name : t("card.coloured", { colour: maybe(`colour.${colour}`) ?? colour, rank: name });
}

/** @param {string} card */
export function parts(card) {
  const space = card.indexOf(" ");
  if (card === "?") return { colour: "unknown", rank: "?" };
  if (space < 0) return { colour: "wild", rank: card };
  return { colour: card.slice(0, space), rank: card.slice(space + 1) };
}

/** Why something was refused, in words of the table. @param {import("./wire.js").Answer} answer */
export function refusal(answer) {
  const reason = answer.reason ?? "unknown";
  const about = /** @type {any} */ ({ ...answer, ...(answer.card ? { card: cardName(answer.card), n: answer.copies } : {}) });
  const closer = answer.card ? maybe(`refused.${reason}.card`, about) : answer.most !== undefined ? maybe(`refused.${reason}.most`, about)
    : answer.seconds ? maybe(`refused.${reason}.seconds`, { ...about, n: Math.ceil(Number(answer.seconds)) }) : null;
  return closer ?? maybe(`refused.${reason}`, about) ?? answer.text ?? t("refused.unknown", { reason });
}
