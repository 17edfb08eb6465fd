// @ts-check
// The shapes of the wire, for the type checker: what the table sends and what a page may ask. No code.

/**
 * @typedef {"red" | "yellow" | "green" | "blue"} Colour
 * @typedef {number | "until-fire" | "until-colour"} Owed
 * @typedef {"gathering" | "start" | "playing" | "counting" | "round-over" | "match-over"} Phase
 * @typedef {"ready" | "pressed" | "firing" | "resting" | "cooling" | "jammed" | "fault" | "closed"} LauncherState
 *
 * @typedef {{seat: number, name: string, kind: "person" | "bot", connected: boolean, hand: number, owed: Owed,
 *   out: boolean, called: boolean, catchable: boolean, score: number, eliminated: boolean, left: boolean,
 *   chips?: number, lost?: number, marks?: number, helped?: boolean, returning?: boolean}} Seat
 *
 * @typedef {{code: string, cause: string, remedy: string}} Fault
 * @typedef {{backend: string, state: LauncherState, fault: Fault | null, button: "page" | "finger" | "none",
 *   hopper: number | null, shot: {seat: number, cards: number} | null, typed?: boolean, readyIn?: number | null, correctable?: boolean,
 *   last: {seat: number, cards: number, certainty: string} | null,
 *   unowned?: {cards: number, certainty: string} | null}} Launcher
 *
 * @typedef {{names: string[], want: number, hands: number[], seat: number, step: "ready" | "firing" | "count" | "trouble" | "done",
 *   order: number, tries: number, passed: number, back: number, shots: number}} Deal
 * @typedef {{deck: number, counted: number, missing: number, certainty: string, step: "firing" | "trouble" | "done", shots: number}} DeckCount
 * @typedef {{shot: number | null, seat: number | null, asked: number | null, cards: number, certainty: string, end: string, cause: string}} PastShot
 * @typedef {{name: string, does: string, ends: string, amount: {of: string, low: number, high: number, usual: number} | null}} TwinFault
 * @typedef {{backend: string, orders: boolean, state: LauncherState, fault: Fault | null, hopper: number | null, unseen: number | null, loose: boolean,
 *   deck: number, most: number, hand: number, names: string[], levels: Record<string, boolean> | null,
 *   motor: {used: number, budget: number, readyIn: number} | null, shot: {why: string, asked: number, cards: number} | null,
 *   shots: PastShot[], twin: TwinFault[] | null, dealing: Deal | null, count: DeckCount | null, followsIn: number | null}} Service
 *
 * @typedef {{seat: number | null, what: string, units?: Owed, why?: string, answerable?: boolean,
 *   seats?: number[]}} Due
 * @typedef {{round: number, winner: number | null, points: number[], scores: number[]}} Round
 * @typedef {{format: string, target: number, rounds: number, winners: number[],
 *   ranking?: number[] | null, teams?: number[][] | null, forfeit?: string | null,
 *   rotation?: string | null}} Match
 *
 * @typedef {{phase: Phase, seats: Seat[], turn: number | null, direction: "clockwise" | "counterclockwise",
 *   top: string | null, colour: Colour | null, pile: number, discards: number, dealer: number | null,
 *   due: Due | null, firstSeat?: number, seating?: number[], silence: number | null, slap: number[] | null, launcher: Launcher,
 *   round: number, match: Match, rounds: Round[], rules: {preset: string, changed?: Record<string, unknown>,
 *   options?: Record<string, unknown>}, physical: boolean, launcherTable?: boolean, tracking?: "all" | "effects" | null, waiting?: string[],
 *   toCount?: number[] | null, counted?: (number | null)[] | null, open: boolean, paused: boolean, dealing?: Deal | null,
 *   chairFree?: boolean, takeBack?: {seat: number, seconds: number} | null}} TableView
 *
 * @typedef {{card: string, colours: Colour[] | null, targets: number[] | null, keep: string[] | null,
 *   keepLeast: number, mates: string[] | null, mostMates?: number, alone?: boolean}} Move
 * @typedef {{hit: boolean, draw: boolean, pass: boolean, uno: boolean, catch: number[], colour: boolean,
 *   challenge: boolean, accept: boolean, slap: boolean, report: number[]}} May
 * @typedef {{seat: number, hand: string[], moves: Move[], may: May, drawn: string[]}} Mine
 *
 * @typedef {{e: string, [field: string]: any}} GameEvent
 * @typedef {{t: "state", epoch: number, version: number, events: GameEvent[], table: TableView, mine: Mine[],
 *   others?: Mine[], codes?: Record<string, string>}} State
 * @typedef {{session: string, host: boolean, seats: number[], name: string, left?: number[],
 *   waiting: boolean}} You
 * @typedef {{t: "welcome", you: You, build: string, joinCode: string, url: string}} Welcome
 * @typedef {{option: string, value: string, section: string}} Because
 * @typedef {{id?: string, ok: boolean, reason?: string, because?: Because[], text?: string, [field: string]: any}} Answer
 */

export {};
