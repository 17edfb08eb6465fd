// @ts-check
// The line to the table: one WebSocket that is always being kept alive or made anew, and commands that are answered
// exactly once. It keeps the newest state; what it means is the pages' business.

/** @typedef {import("./wire.js").State} State @typedef {import("./wire.js").Welcome} Welcome */
/** @typedef {import("./wire.js").Answer} Answer @typedef {import("./wire.js").You} You */

const PING_EVERY = 2500;
const DEAD_AFTER = 6000;
const TRY_FOR = 4000; // an attempt that hangs is given up, a new one may find a way
const STALE_COMMAND = 10000; // after that, what was meant may no longer be wanted

/** @typedef {{text: string, at: number, resolve: (answer: Answer) => void}} Pending */

export class Link extends EventTarget {
  /** @param {"play" | "table" | "host" | "join" | "service" | "rules"} page */
  constructor(page) {
    super();
    this.page = page;
    /** @type {State | null} */
    this.state = null;
    /** @type {Welcome | null} */
    this.welcome = null;
    /** `connecting` at first, `live`, or `late` when the line is down. @type {"connecting" | "live" | "late"} */
    this.condition = "connecting";
    /** A refusal of the whole page, when there is one. @type {string | null} */
    this.refused = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    this.heard = 0;
    this.lostAt = 0;
    this.wait = 750;
    this.count = 0;
    this.name = randomName();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @returns {You} */
  get you() {
    return this.welcome?.you ?? { session: "", host: false, seats: [], name: "", waiting: false };
  }

  start() {
    setInterval(() => this.beat(), PING_EVERY);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake());
    addEventListener("pageshow", () => this.wake());
    addEventListener("online", () => this.wake());
    addEventListener("focus", () => this.wake());
    this.lostAt = now();
    this.connect();
  }

  /**
   * Ask the table for something; the promise is kept once, by its answer. A resend after a reconnect carries the same
   * id and does nothing twice.
   * @param {string} what @param {Record<string, unknown>} [fields] @returns {Promise<Answer>}
   */
  ask(what, fields = {}) {
    const id = `${this.name}-${++this.count}`;
    const text = JSON.stringify({ t: "do", id, do: what, ...fields });
    return new Promise((resolve) => {
      this.pending.set(id, { text, at: now(), resolve });
      if (this.condition === "live") this.socket?.send(text);
      this.changed();
    });
  }

  connect() {
    clearTimeout(this.timer);
    this.drop();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    const attempt = now();
    socket.onopen = () => {
      this.heard = now();
      const { epoch, version } = this.state ?? { epoch: -1, version: -1 };
      socket.send(JSON.stringify({ t: "hello", epoch, version, page: this.page }));
    };
    socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    socket.onclose = (event) => this.lost(event.code, event.reason);
    this.timer = setTimeout(() => {
      if (this.socket === socket && this.heard < attempt) this.lost(1006, "");
    }, TRY_FOR);
  }

  /** Let go of the present socket without listening to it any more. */
  drop() {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {number} code @param {string} reason */
  lost(code, reason) {
    this.drop();
    clearTimeout(this.timer);
    if (code === 4401) {
      location.replace(`/?to=${encodeURIComponent(location.pathname)}`);
      return;
    }
    if (this.condition === "live") {
      this.lostAt = now();
      this.wait = 750;
    }
    this.refused = code === 4403 || code === 4429 ? reason : null;
    this.condition = this.state ? "late" : "connecting";
    const long = now() - this.lostAt > 30000;
    this.wait = long ? Math.min(8000, this.wait * 1.5) : 750;
    const delay = this.refused ? 8000 : long ? this.wait * (0.75 + Math.random() / 4) : 500 + Math.random() * 500;
    this.timer = setTimeout(() => this.connect(), delay);
    this.changed();
  }

  /** The page is looked at again, or the network is back: no time to lose. */
  wake() {
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open && now() - this.heard < PING_EVERY + 1500) return;
    if (this.socket?.readyState === WebSocket.CONNECTING && this.condition !== "live") return;
    this.lost(1006, "");
    this.connect();
  }

  beat() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (now() - this.heard > DEAD_AFTER) {
      this.lost(1006, "");
      this.connect();
    } else this.socket.send('{"t":"ping"}');
  }

  /** @param {any} message */
  hear(message) {
    this.heard = now();
    if (message.t === "welcome") this.greeted(message);
    else if (message.t === "state") this.advance(message);
    else if (message.t === "answer") this.answered(message);
  }

  /** @param {Welcome} welcome */
  greeted(welcome) {
    const built = document.querySelector("meta[name=build]")?.getAttribute("content");
    if (built !== welcome.build && sessionStorage.getItem("build") !== welcome.build) {
      sessionStorage.setItem("build", welcome.build); // once for each build, whatever caches do
      location.reload();
      return;
    }
    this.welcome = welcome;
    this.refused = null;
    if (this.condition !== "live") {
      this.condition = "live";
      this.resend();
    }
    this.changed();
  }

  resend() {
    for (const [id, pending] of [...this.pending]) {
      if (now() - pending.at > STALE_COMMAND) {
        this.pending.delete(id);
        pending.resolve({ ok: false, reason: "lost" });
      } else this.socket?.send(pending.text);
    }
  }

  /** @param {State} state */
  advance(state) {
    const before = this.state;
    const news = !before || before.epoch !== state.epoch || state.version > before.version;
    if (before && before.epoch === state.epoch && state.version < before.version) return;
    this.state = state;
    if (news) this.dispatchEvent(new CustomEvent("news", { detail: { state, before } }));
    this.changed();
  }

  /** @param {Answer} answer */
  answered(answer) {
    const pending = this.pending.get(answer.id ?? "");
    if (!pending) return;
    this.pending.delete(answer.id ?? "");
    pending.resolve(answer);
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

function now() {
  return performance.now();
}

/** A name for this page's commands. Plain HTTP has no `crypto.randomUUID`. */
function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
