// @ts-check
// What every page shares: the root it draws into, the badge of the line, bubbles beside what was touched, sheets from
// below, and the words for screen readers.

import { Link } from "./link.js";
import { race } from "./races.js";
import { maybe, refusal, t } from "./texts.js";
import { h, patch } from "./view.js";

/** @typedef {import("./view.js").Child} Child @typedef {import("./wire.js").Answer} Answer */

const BUBBLE_FOR = 4500; // ms; read twice by a slow reader
const WHY_FOR = 8000; // ms; time to read it and to ask why
const ONE_MORE = new Set(["add-bot"]); // of these every tap counts; of others a finger that bounces gives one

/**
 * A page: draws `view()` again whenever something changed, at most once for each turn of the event loop.
 */
export class Shell {
  /** @param {"play" | "table" | "host" | "join" | "service" | "rules"} page @param {() => Child} view */
  constructor(page, view) {
    this.link = new Link(page);
    this.view = view;
    /** What lies over all of the page. @type {() => Child} */
    this.over = () => null;
    /** @type {{text: string, x: number, y: number, below: boolean, why: (() => void) | null} | null} */
    this.bubble = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.bubbleTimer = undefined;
    this.due = false;
    /** What was asked and is not answered yet. @type {Set<string>} */
    this.asked = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.tick = undefined;
    this.root = /** @type {HTMLElement} */ (document.getElementById("page"));
    this.bubbles = document.createElement("div");
    this.bubbles.className = "bubbles";
    this.bubbles.setAttribute("role", "alert");
    this.link.addEventListener("change", () => this.draw());
  }

  draw() {
    if (this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      clearTimeout(this.tick);
      if (this.link.state?.table.launcher.state === "cooling") this.tick = setTimeout(() => this.draw(), 1000); // it counts down
      document.documentElement.dataset.line = this.link.condition;
      document.documentElement.dataset.version = String(this.link.state?.version ?? 0); // what is shown, for whoever waits for it
      patch(this.root, [this.view(), this.badge(), this.over()]);
      patch(this.bubbles, [this.bubbleView()]);
      const over = document.querySelector("dialog[open]") ?? document.body; // an open sheet covers everything else
      if (this.bubbles.parentNode !== over) over.append(this.bubbles);
    });
  }

  /**
   * Give a command for something that was touched; a refusal appears beside it and goes by itself. The same command is
   * given once until it is answered; another is given at once, also by an element that has become something else.
   * @param {Event | Element | null} touched @param {string} what @param {Record<string, unknown>} [fields]
   * @returns {Promise<Answer>}
   */
  async ask(touched, what, fields = {}) {
    const element = touched instanceof Event ? /** @type {Element | null} */ (touched.currentTarget) : touched;
    const waiting = element instanceof HTMLElement ? element : null;
    const asked = JSON.stringify([what, fields]);
    if (waiting && this.asked.has(asked) && !ONE_MORE.has(what)) return { ok: false, reason: "waiting" };
    this.asked.add(asked);
    this.bubble = null; // what was said before was about something else
    waiting?.setAttribute("aria-busy", "true");
    if (this.link.condition !== "live") this.say(element, t("link.later"));
    const answer = await this.link.ask(what, fields);
    this.asked.delete(asked);
    waiting?.removeAttribute("aria-busy");
    const { state, you } = this.link;
    if (!answer.ok) {
      const text = race(answer, what, state?.table, you.seats) ?? refusal(answer);
      this.refuse(element, answer, text, typeof fields.seat === "number" ? fields.seat : null);
    }
    return answer;
  }

  /** A refusal beside what was touched, with a way to ask why where the table can say more. @param {Element | null} element
   * @param {Answer} answer @param {string} text @param {number | null} seat */
  refuse(element, answer, text, seat) {
    const explains = this.link.page === "play" || this.link.page === "host";
    this.say(element, text, explains && answer.because ? () => void this.explain(answer, text, seat) : null);
  }

  /** The sheet that says why. @param {Answer} answer @param {string} text @param {number | null} seat */
  async explain(answer, text, seat) {
    try {
      const { explain } = await import("./why.js");
      explain(this, answer, text, seat);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.say(null, t("join.offline"));
    }
  }

  /** Something dim was touched: the table says what stands against it, and nothing is done.
   * @param {Element} touched @param {number} seat @param {Record<string, unknown>} about
   * @returns {Promise<boolean>} whether something stands against it */
  async dim(touched, seat, about) {
    const answer = await this.ask(touched, "why", { seat, about });
    const why = /** @type {Answer | null} */ (answer.why ?? null);
    if (!answer.ok || !why) return !answer.ok;
    this.refuse(touched, { ...why, ok: false }, refusal(why), seat);
    return true;
  }

  hush() {
    this.bubble = null;
    this.draw();
  }

  /** @param {Element | null} element @param {string} text @param {(() => void) | null} [why] */
  say(element, text, why = null) {
    const box = element?.isConnected ? element.getBoundingClientRect() : null;
    const below = box !== null && box.top < 120;
    this.bubble = {
      text, below, why,
      x: box ? Math.max(0, Math.min(innerWidth, box.left + box.width / 2)) : innerWidth / 2,
      y: box ? (below ? box.bottom : Math.max(96, box.top)) : innerHeight / 2,
    };
    clearTimeout(this.bubbleTimer);
    this.bubbleTimer = setTimeout(() => this.hush(), why ? WHY_FOR : BUBBLE_FOR);
    this.draw();
  }

  bubbleView() {
    const bubble = this.bubble;
    return bubble && h("p", { class: `bubble${bubble.below ? " below" : ""}`, key: bubble.text,
      vars: { "--x": `${bubble.x}px`, "--y": `${bubble.y}px`, "--lean": bubble.x / innerWidth } }, bubble.text,
    bubble.why && h("button", { type: "button", class: "why-button", "data-do": "why", onclick: () => {
      const { why } = bubble;
      this.hush();
      why?.();
    } }, t("why.ask")));
  }

  badge() {
    const { condition, refused } = this.link;
    const text = refused ? maybe(`link.${refused}`) ?? t("link.late") : condition === "late" ? t("link.late") : "";
    return h("div", { class: "line-badge", role: "status", key: "badge" },
      text && h("span", {}, h("i", { class: "spark" }), text));
  }
}

/**
 * A sheet from below: a real dialog, so that the keyboard stays inside and Escape closes it.
 * @param {string} key @param {string} title @param {() => void} close @param {Child} inside @param {string} [sub]
 */
export function sheet(key, title, close, inside, sub = "") {
  return h("dialog", {
    key, class: "sheet", "aria-labelledby": `sheet-${key}`,
    mounted: (/** @type {HTMLDialogElement} */ dialog) => dialog.showModal(),
    oncancel: (/** @type {Event} */ event) => { event.preventDefault(); close(); },
    onclick: (/** @type {Event} */ event) => { if (event.target === event.currentTarget) close(); },
  },
    h("div", { class: "sheet-body" },
      h("header", {},
        h("h2", { id: `sheet-${key}` }, title),
        h("button", { type: "button", class: "plain close", onclick: close, "aria-label": t("sheet.close") }, "✕")),
      sub && h("p", { class: "quiet" }, sub),
      inside));
}

/**
 * A number with two large buttons; `typed`: it can be written, too.
 * @param {string} label @param {number} value @param {number} most @param {(value: number) => void} changed
 * @param {number} [step] @param {{least?: number, typed?: boolean}} [more]
 */
export function stepper(label, value, most, changed, step = 1, { least = 0, typed = false } = {}) {
  const to = (/** @type {number} */ next) => () => changed(Math.max(least, Math.min(most, next)));
  const written = (/** @type {Event} */ event) => {
    const text = /** @type {HTMLInputElement} */ (event.currentTarget).value.trim();
    if (/^-?\d+$/.test(text)) to(Number(text))();
  };
  return h("div", { class: "stepper", role: "group", "aria-label": label },
    h("button", { type: "button", class: "button", "aria-label": `${label}: ${t("host.less")}`, onclick: to(value - step) }, "−"),
    typed ? h("input", { type: "text", inputmode: least < 0 ? "text" : "numeric", maxlength: 6, "aria-label": label,
      value: String(value), oninput: written }) : h("output", {}, value),
    h("button", { type: "button", class: "button", "aria-label": `${label}: ${t("host.more")}`, onclick: to(value + step) }, "+"));
}

/** How to come to this table: QR, code and address. @param {import("./wire.js").Welcome} welcome */
export function invitation(welcome) {
  return [
    h("img", { class: "qr", src: `/qr.svg?${encodeURIComponent(welcome.url)}`, alt: t("table.qr"), width: 200, height: 200 }),
    h("div", {}, h("p", { class: "quiet" }, t("table.join")), h("p", { class: "code" }, welcome.joinCode)),
    h("p", { class: "url" }, welcome.url.replace(/^http:\/\//, "")),
  ];
}

/** Follow the size of an element. @param {(width: number, height: number) => void} changed */
export function measured(changed) {
  return (/** @type {Element} */ element) => {
    const observer = new ResizeObserver(() => changed(element.clientWidth, element.clientHeight));
    observer.observe(element);
    changed(element.clientWidth, element.clientHeight);
  };
}

/** POST to the table's own server. @param {string} path @param {object} body @returns {Promise<Answer>} */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), cache: "no-store",
    });
    return await response.json();
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return { ok: false, reason: "offline" };
    throw error;
  }
}
