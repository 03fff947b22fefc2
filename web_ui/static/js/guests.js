/** Everybody at the table, in the order of play, with their cakes as tokens. */
import { cake, el, fill, fit, seal } from "./dom.js";

export const TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"];
const MANY = 9;

/** Draws the strip of guests and knows where each one stands. */
export class Guests {
  /**
   * @param {HTMLElement} strip
   * @param {import("./words.js").Translate} t
   */
  constructor(strip, t) {
    this.strip = strip;
    this.t = t;
    this.drawn = "";
    this.drawnFor = 0;
    /** @type {Object<string, HTMLElement>} */
    this.cells = {};
  }

  /** @param {any} state */
  show(state) {
    const turn = state.turn && !state.over ? state.turn.id : "";
    const key = JSON.stringify([turn, state.players]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawnFor = state.players.length;
    this.cells = {};
    this.strip.classList.toggle("is-few", state.players.length <= 4);
    this.strip.classList.toggle("is-full", state.players.length === 7 || state.players.length === 8);
    this.strip.classList.toggle("is-many", state.players.length >= MANY);
    this.strip.classList.toggle("is-crowd", state.players.length > 12);
    if (!state.players.length) {
      fill(this.strip, el("p", "guests-hello", this.t("tv.hello")));
      return;
    }
    fill(this.strip, ...state.players.map((player) => this.guest(player, player.id === turn)));
    state.players.forEach((player) => this.fitName(this.cells[player.id]));
  }

  /** @param {any} player @param {boolean} hasTurn */
  guest(player, hasTurn) {
    const cell = el("section", "guest");
    cell.classList.toggle("is-turn", hasTurn);
    cell.classList.toggle("is-out", player.status !== "playing");
    const head = el("div", "guest-head");
    head.appendChild(seal(player.seal));
    const name = el("h2", "guest-name", player.name);
    head.appendChild(name);
    const tokens = el("div", "tokens");
    TIERS.forEach((tier) => {
      const n = player.cakes[tier] || 0;
      if (!n) return;
      const token = el("span", "token");
      token.appendChild(cake(tier, "token-cake"));
      token.appendChild(el("span", "", n));
      token.setAttribute("aria-label", this.t("tier." + tier) + " " + n);
      tokens.appendChild(token);
    });
    cell.appendChild(head);
    cell.appendChild(tokens);
    const mark = player.status === "left" ? "tv.gone" : player.status === "sitting_out" ? "tv.sitting_out" : player.skip ? "tv.skip" : "";
    if (mark) cell.appendChild(el("span", "mark", this.t(mark)));
    this.cells[player.id] = cell;
    return cell;
  }

  /** @param {HTMLElement} cell */
  fitName(cell) {
    const name = /** @type {HTMLElement} */ (cell.querySelector(".guest-name"));
    if (fit(name, this.drawnFor <= 6 ? 0.56 : 0.48, 0.32)) return;
    name.classList.add("two-lines");
    name.style.fontSize = ".28rem";
    if (name.scrollHeight > name.clientHeight + 1) name.style.fontSize = ".25rem";
  }

  /** @param {string} id @returns {HTMLElement | null} */
  cell(id) {
    return this.cells[id] || null;
  }
}
