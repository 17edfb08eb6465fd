// @ts-check
// Choosing the game: rules, real cards or not, the match, and every option there is. The list is the server's.

import { rulebookInWords, valuesOf } from "./rules.js";
import { stepper } from "./shell.js";
import { language, maybe, t } from "./texts.js";
import { h } from "./view.js";

/** @typedef {import("./wire.js").TableView} TableView @typedef {import("./shell.js").Shell} Shell */
/** @typedef {import("./rules.js").Rulebook} Rulebook @typedef {import("./rules.js").Option} Option */
/** @typedef {import("./rules.js").Value} Value */

const FAMILIES = /** @type {const} */ (["attack", "classic", "house"]);
const TARGETS = [0, 100, 200, 300, 500, 1000];
const SCORED = ["winner-takes", "own-points", "challenge"];
const ROTATED = ["winner-takes", "own-points"]; // formats that can be played by turns of partners
const FORFEITED = ["winner-takes", "own-points"];
const ROTATION_SEATS = 4;
const ROTATION_GAMES = 12; // a cycle of them
const MOST_CYCLES = 9;
const COMMON = ["hand_size", "tracking", "challenge", "uno_penalty", "sets", "jump_in"];
const MOST_ROUNDS = 50;
const FITS = 34; // characters in a field of a phone

/** What is being filled in; nothing of it is the game's until it is sent. */
const form = {
  /** @type {string | null} */ preset: null,
  /** @type {boolean | null} */ physical: null,
  /** @type {string | null} */ format: null,
  /** @type {number | null} */ target: null,
  /** @type {number | null} */ rounds: null,
  teams: 0, // how many; 0: everybody plays alone
  rotation: false,
  cycles: 1,
  partners: false,
  forfeits: false,
  forfeitText: "",
  /** @type {Record<string, Value>} */ options: {},
};

/** @param {Shell} shell @param {TableView} table */
export function setup(shell, table) {
  const rules = rulebookInWords(() => shell.draw());
  if (!rules) return h("p", { class: "quiet" }, t("join.checking"));
  const seated = table.seats.filter((seat) => !seat.left);
  const chosen = choice(table, seated);
  const own = chosen.preset === table.rules.preset ? /** @type {Record<string, Value>} */ (table.rules.options ?? {}) : {};
  const base = { ...valuesOf(rules, chosen.preset), ...own };
  const bots = seated.some((seat) => seat.kind === "bot");
  return [
    presets(shell, rules, chosen.preset),
    segments(t("setup.cards"), "physical", [[false, t("setup.cards.phones")], [true, t("setup.cards.real")]], chosen.physical, (value) => {
      form.physical = value;
      shell.draw();
    }, t(chosen.physical ? "setup.cards.real.sub" : "setup.cards.phones.sub")),
    match(shell, rules, seated, chosen),
    common(shell, rules, base, chosen.physical),
    more(shell, rules, base),
    chosen.physical && bots && h("p", { class: "warn", key: "bots" }, t("refused.no-bots")),
    h("button", { type: "button", class: "call wide", "data-do": "start", disabled: seated.length < 2,
      onclick: async (/** @type {Event} */ event) => {
        const options = changedFrom(base);
        const answer = await shell.ask(event, "start", { preset: chosen.preset, physical: chosen.physical, match: settingsOf(chosen),
          ...(Object.keys(options).length ? { options } : {}) });
        if (answer.ok) form.options = {};
        else if (answer.reason === "bad-command" && answer.text && language() === "en") shell.say(document.querySelector("[data-do=start]"), answer.text);
      } }, t(seated.length < 2 ? "host.start.few" : chosen.physical ? "host.start.real" : "host.start")),
  ];
}

/** @typedef {import("./wire.js").Seat} Seat @typedef {ReturnType<typeof choice>} Choice */

/** What is chosen, or what the table plays when nothing is. @param {TableView} table @param {Seat[]} seated */
function choice(table, seated) {
  const format = form.format ?? table.match.format;
  const rotation = form.rotation && ROTATED.includes(format) && seated.length === ROTATION_SEATS;
  const teams = SCORED.includes(format) && !rotation && teamNumbers(seated.length).includes(form.teams) ? form.teams : 0;
  const forfeits = form.forfeits && FORFEITED.includes(format);
  return {
    preset: form.preset ?? table.rules.preset,
    physical: form.physical ?? table.physical,
    format,
    target: SCORED.includes(format) && !rotation ? form.target ?? table.match.target : 0,
    rounds: rotation ? 0 : format === "single" ? 1 : form.rounds ?? table.match.rounds,
    teams: teamsOf(seated.length, teams),
    rotation: rotation ? "four" : "",
    cycles: rotation ? form.cycles : 1,
    partners: rotation && form.partners,
    forfeits,
  };
}

/** The match as it is sent: what nobody asked for is left out. @param {Choice} chosen */
function settingsOf(chosen) {
  const { format, target, rounds, teams, rotation, cycles, partners, forfeits } = chosen;
  return { format, target, rounds, ...(teams.length && { teams }), ...(rotation && { rotation, cycles, partners }),
    ...(forfeits && { forfeits, forfeit_text: form.forfeitText.trim() }) };
}

/** How many equal teams of two or more so many players can make, with no mates side by side. @param {number} players */
function teamNumbers(players) {
  return Array.from({ length: players }, (_, many) => many).filter((many) => many >= 2 && many * 2 <= players && players % many === 0);
}

/** Team-mates sit as far from each other as there are teams. @param {number} players @param {number} many */
function teamsOf(players, many) {
  return Array.from({ length: many }, (_, team) =>
    Array.from({ length: players / many }, (_, place) => team + place * many));
}

/** @param {Record<string, Value>} base */
function changedFrom(base) {
  return Object.fromEntries(Object.entries(form.options)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])));
}

/** @param {Shell} shell @param {Rulebook} rules @param {string} chosen */
function presets(shell, rules, chosen) {
  const family = rules.presets.find((one) => one.name === chosen)?.family ?? "attack";
  const pick = (/** @type {string} */ preset) => {
    form.preset = preset;
    form.options = {};
    shell.draw();
  };
  return h("fieldset", { key: "presets" }, h("legend", {}, t("host.preset")),
    h("div", { class: "switcher flat", role: "group", "aria-label": t("host.preset") }, FAMILIES.map((one) =>
      h("button", { key: one, type: "button", class: "tab", "data-family": one, "aria-pressed": String(one === family),
        onclick: () => pick(rules.presets.find((each) => each.family === one)?.name ?? chosen) }, t(`setup.family.${one}`)))),
    rules.presets.filter((one) => one.family === family).map((preset) =>
      h("label", { key: preset.name, class: "option" },
        h("input", { type: "radio", name: "preset", value: preset.name, checked: preset.name === chosen,
          onchange: () => pick(preset.name) }),
        h("span", {}, h("strong", {}, maybe(`preset.${preset.name}`) ?? preset.name), h("small", {}, preset.text)))));
}

/**
 * A few values side by side.
 * @template T @param {string} legend @param {string} name @param {[T, string][]} values @param {T} chosen
 * @param {(value: T) => void} changed @param {string} [sub]
 */
function segments(legend, name, values, chosen, changed, sub = "") {
  return h("fieldset", { key: name }, h("legend", {}, legend),
    h("div", { class: "segments" }, values.map(([value, text]) =>
      h("label", { key: String(value), class: "segment" },
        h("input", { type: "radio", name, value: String(value), checked: value === chosen, onchange: () => changed(value) }),
        h("span", {}, text)))),
    sub && h("small", { class: "quiet" }, sub));
}

/** @param {Shell} shell @param {Rulebook} rules @param {Seat[]} seated @param {Choice} chosen */
function match(shell, rules, seated, chosen) {
  const name = maybe(`format.${chosen.format}`) ?? chosen.format;
  return h("details", { class: "more", key: "match" },
    h("summary", {}, h("span", {}, t(chosen.target > 0 ? "setup.format.to" : "setup.format.is", { name, n: chosen.target }))),
    h("select", { "aria-label": t("setup.format"), name: "format", onchange: (/** @type {Event} */ event) => {
      form.format = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
      shell.draw();
    } }, rules.formats.map((format) => h("option", { key: format, value: format, selected: format === chosen.format },
      maybe(`format.${format}`) ?? format))),
    h("small", { class: "quiet" }, maybe(`format.${chosen.format}.sub`) ?? ""),
    ROTATED.includes(chosen.format) && seated.length === ROTATION_SEATS && rotation(shell, chosen),
    SCORED.includes(chosen.format) && !chosen.rotation && segments(t("host.target"), "target",
      TARGETS.map((target) => [target, target ? String(target) : t("setup.target.none")]), chosen.target, (target) => {
        form.target = target;
        shell.draw();
      }),
    chosen.format !== "single" && !chosen.rotation && h("div", { class: "line" }, h("span", {}, t("setup.rounds"), " ",
      h("small", { class: "quiet" }, chosen.rounds ? "" : t("setup.rounds.none"))),
    stepper(t("setup.rounds"), chosen.rounds, MOST_ROUNDS, (value) => { form.rounds = value; shell.draw(); })),
    SCORED.includes(chosen.format) && !chosen.rotation && teams(shell, seated, chosen),
    FORFEITED.includes(chosen.format) && forfeits(shell, chosen));
}

/** Partners change from game to game. @param {Shell} shell @param {Choice} chosen */
function rotation(shell, chosen) {
  const on = chosen.rotation !== "";
  return [
    segments(t("setup.rotation"), "rotation", [[false, t("setup.rotation.no")], [true, t("setup.rotation.yes")]], on, (value) => {
      form.rotation = value;
      shell.draw();
    }, on ? t("setup.rotation.sub", { n: ROTATION_GAMES * chosen.cycles }) : ""),
    on && h("div", { class: "line", key: "cycles" }, h("span", {}, t("setup.cycles")),
      stepper(t("setup.cycles"), chosen.cycles, MOST_CYCLES, (value) => { form.cycles = Math.max(1, value); shell.draw(); })),
    on && segments(t("setup.partners"), "partners", [[false, t("setup.alone")], [true, t("setup.partners.yes")]], chosen.partners, (value) => {
      form.partners = value;
      shell.draw();
    }),
  ];
}

/** @param {Shell} shell @param {Seat[]} seated @param {Choice} chosen */
function teams(shell, seated, chosen) {
  const numbers = teamNumbers(seated.length);
  if (!numbers.length) return null;
  const names = chosen.teams.map((team) => team.map((place) => seated[place].name).join(" & ")).join(" · ");
  return segments(t("setup.teams"), "teams", [[0, t("setup.alone")], ...numbers.map((many) => /** @type {[number, string]} */ (
    [many, t("setup.teams.of", { n: many, size: seated.length / many })]))], chosen.teams.length, (many) => {
    form.teams = many;
    shell.draw();
  }, names);
}

/** @param {Shell} shell @param {Choice} chosen */
function forfeits(shell, chosen) {
  return [
    segments(t("setup.forfeits"), "forfeits", [[false, t("setup.no")], [true, t("setup.yes")]], chosen.forfeits, (value) => {
      form.forfeits = value;
      shell.draw();
    }, chosen.forfeits ? t("setup.forfeits.sub") : ""),
    chosen.forfeits && h("input", { key: "forfeit-text", "aria-label": t("setup.forfeit.text"), placeholder: t("setup.forfeit.text"),
      maxlength: 80, value: form.forfeitText, oninput: (/** @type {Event} */ event) => {
        form.forfeitText = /** @type {HTMLInputElement} */ (event.currentTarget).value;
      } }),
  ];
}

/** The options that tables differ in most. @param {Shell} shell @param {Rulebook} rules @param {Record<string, Value>} base
 * @param {boolean} physical */
function common(shell, rules, base, physical) {
  const values = { ...base, ...form.options };
  const fours = rules.decks[String(values.deck)]?.wilds.includes("wild-draw-four") ?? true;
  const shown = COMMON.filter((name) => (name !== "tracking" || physical) && (name !== "challenge" || fours));
  return h("fieldset", { key: "common" }, h("legend", {}, t("setup.options")), list(shell, rules, base, shown));
}

/** @param {Shell} shell @param {Rulebook} rules @param {Record<string, Value>} base */
function more(shell, rules, base) {
  const count = Object.keys(changedFrom(base)).length;
  return h("details", { key: "more", class: "more all" },
    h("summary", {}, t("setup.more"), count > 0 && h("span", { class: "quiet" }, ` ${t("setup.changed", { n: count })}`)),
    rules.groups.map((group) => h("section", { key: group.name }, h("h3", {}, group.title), list(shell, rules, base, group.options))),
    count > 0 && h("button", { type: "button", class: "button", onclick: () => { form.options = {}; shell.draw(); } }, t("setup.reset")));
}

/** @param {Shell} shell @param {Rulebook} rules @param {Record<string, Value>} base @param {string[]} names */
function list(shell, rules, base, names) {
  return h("div", { class: "options" }, names.map((name) => {
    const option = rules.options.find((one) => one.name === name);
    if (!option) return null;
    const value = form.options[name] ?? base[name];
    const set = (/** @type {Value} */ to) => { form.options[name] = to; shell.draw(); };
    return h("div", { key: name, class: `line${JSON.stringify(value) === JSON.stringify(base[name]) ? "" : " changed"}`, "data-option": name },
      h("span", {}, option.text), control(option, value, set));
  }));
}

/** @param {Option} option @param {Value} value @param {(value: Value) => void} set */
function control(option, value, set) {
  if (option.kind === "whole" || option.kind === "units") {
    const least = option.least ?? 0;
    return stepper(option.text, Number(value), option.most ?? 999, (to) => set(Math.max(least, to)));
  }
  if (option.kind === "players") {
    return h("input", { class: "short", "aria-label": option.text, value: String(value), maxlength: 7,
      onchange: (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.currentTarget).value.trim()) });
  }
  if (option.kind === "list") return ticks(option, /** @type {string[]} */ (value), option.choices, set);
  if (option.kind === "last-card") return lastCard(option, value, set);
  const index = option.choices.findIndex((one) => one.value === value);
  return [pick(option.text, option.choices.map((one) => one.text), index, (place) => set(option.choices[place].value)),
    inFull(option.choices[index]?.text ?? "")];
}

/** @param {string} label @param {string[]} texts @param {number} chosen @param {(place: number) => void} picked */
function pick(label, texts, chosen, picked) {
  return h("select", { "aria-label": label, onchange: (/** @type {Event} */ event) =>
    picked(/** @type {HTMLSelectElement} */ (event.currentTarget).selectedIndex) },
  texts.map((text, place) => h("option", { key: place, selected: place === chosen }, text)));
}

/** What is chosen in full, where the field is too narrow for it. @param {string} text */
function inFull(text) {
  return width(text) > FITS ? h("small", { class: "quiet" }, text) : null;
}

/** How many letters wide: Chinese characters are two. @param {string} text */
function width(text) {
  return [...text].reduce((sum, one) => sum + (one >= "\u2e80" ? 2 : 1), 0);
}

/** @param {Option} option @param {string[]} value @param {import("./rules.js").OptionChoice[]} choices
 * @param {(value: Value) => void} set */
function ticks(option, value, choices, set) {
  return h("div", { class: "ticks", role: "group", "aria-label": option.text }, choices.map((one) => {
    const word = String(one.value);
    const on = value.includes(word);
    return h("button", { key: word, type: "button", class: "tick", "aria-pressed": String(on),
      onclick: () => set(on ? value.filter((each) => each !== word) : [...value, word]) }, one.text);
  }));
}

/** Any card, numbers, or all but some. @param {Option} option @param {Value} value @param {(value: Value) => void} set */
function lastCard(option, value, set) {
  const [any, numbers, ...ranks] = option.choices;
  const listed = Array.isArray(value);
  return [
    pick(option.text, [any.text, numbers.text, t("setup.last.but")], listed ? 2 : value === "any" ? 0 : 1,
      (place) => set(place === 2 ? [] : place ? "numbers" : "any")),
    listed && ticks(option, value, ranks, set),
  ];
}
