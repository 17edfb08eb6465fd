// @ts-check
// Which language this phone reads: the one chosen on it, or the first that its browser asks for and that there is.

/** @typedef {typeof LANGUAGES[number][0]} Language */

/** Tags as `lang` has them, and every language's name in itself. A language is a file of this name in `texts/`. */
export const LANGUAGES = /** @type {const} */ ([["en", "English"], ["zh-Hans", "简体中文"], ["zh-Hant", "繁體中文"]]);

const KEPT_AS = "language";
const CHINESE = new Set(["zh", "yue", "cmn", "wuu", "hak", "nan"]);

/** The language for these tags, the most wanted first. Whoever reads one Chinese script is never shown the other; which
 * one is read where (zh-TW, zh-HK, zh-MO: Traditional), the browser knows. @param {readonly string[]} tags @returns {Language} */
export function languageFor(tags) {
  for (const tag of tags) {
    const { language, script } = parsed(tag);
    if (language === "en") return "en";
    if (CHINESE.has(language)) return script === "Hant" ? "zh-Hant" : "zh-Hans";
  }
  return "en";
}

/** @param {string} tag */
function parsed(tag) {
  try {
    return new Intl.Locale(tag).maximize();
  } catch (error) {
    if (error instanceof RangeError) return { language: "", script: "" }; // no tag at all
    throw error;
  }
}

/** The language of this phone. @returns {Language} */
export function ownLanguage() {
  const kept = LANGUAGES.find(([tag]) => tag === recall());
  return kept ? kept[0] : languageFor(navigator.languages ?? [navigator.language]);
}

/** @returns {string | null} */
function recall() {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null; // storage is refused: then every page asks the browser
  }
}

/** Keep a choice on this phone; where that is refused it holds until the page is left. @param {Language} language */
export function keepLanguage(language) {
  try {
    localStorage.setItem(KEPT_AS, language);
  } catch {
    // it is spoken all the same
  }
}
