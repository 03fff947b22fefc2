/** Everybody at the table, in the order of play, with their cakes as tokens. */
import { cake, el, fill, fit, seal } from "./dom.js";

export const TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"];
const MANY = 9;
export const ROW = 12;
const CROWD_ROW = 10;

/** Draws the strip of guests and knows where each one stands. */
export class Guests {
  /**
   * @param {HTMLElement} strip
   * @param {import("./words.js").Translate} t
   * @param {{address: string, qr: string}} follow
   */
  constructor(strip, t, follow) {
    this.strip = strip;
    this.t = t;
    this.follow = follow;
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
    this.strip.classList.toggle("is-many", state.players.length >= MANY && state.players.length <= ROW);
    this.strip.classList.toggle("is-crowd", state.players.length > ROW);
    this.strip.classList.toggle("is-throng", state.players.length > 2 * CROWD_ROW);
    if (!state.players.length) {
      fill(this.strip, el("p", "guests-hello", this.t("tv.hello")));
      return;
    }
    fill(this.strip, ...state.players.map((player) => this.guest(player, player.id === turn)), state.players.length <= MANY ? this.code() : null);
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
    const crowd = this.drawnFor > ROW;
    const tokens = el("div", "tokens");
    // in a crowd one number a person: how many cakes; the pyramid's seals tell which
    if (crowd) tokens.appendChild(this.sum(player));
    TIERS.filter(() => !crowd).forEach((tier) => {
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
    if (mark) cell.appendChild(el("span", "mark", this.t(this.drawnFor >= MANY ? mark + "_short" : mark)));
    this.cells[player.id] = cell;
    return cell;
  }

  /** @param {any} player */
  sum(player) {
    const n = TIERS.reduce((sum, tier) => sum + (player.cakes[tier] || 0), 0);
    const best = TIERS.filter((tier) => player.cakes[tier])[0] || "yixiu";
    const token = el("span", "token");
    token.appendChild(cake(player.champion ? "zhuangyuan" : best, "token-cake"));
    token.appendChild(el("span", "", n));
    token.classList.toggle("is-none", n === 0 && !player.champion);
    return token;
  }

  /** The code that leads a phone here; nothing where no phone can come. */
  code() {
    if (!this.follow.qr) return null;
    const part = el("div", "guests-code");
    const picture = /** @type {HTMLImageElement} */ (el("img", "qr"));
    picture.src = this.follow.qr;
    picture.alt = this.t("tv.follow");
    part.appendChild(picture);
    return part;
  }

  /** @param {HTMLElement} cell */
  fitName(cell) {
    const name = /** @type {HTMLElement} */ (cell.querySelector(".guest-name"));
    const crowd = this.drawnFor > ROW;
    const throng = this.drawnFor > 2 * CROWD_ROW;
    if (fit(name, throng ? 0.3 : crowd ? 0.4 : this.drawnFor <= 6 ? 0.56 : 0.48, crowd ? 0.24 : 0.32)) return;
    name.classList.add("two-lines");
    const over = (size) => {
      name.style.fontSize = size + "rem";
      return name.scrollHeight > name.clientHeight + 1;
    };
    if (!crowd && !(over(0.28) && over(0.25))) return;
    // a name goes before its seal
    cell.classList.toggle("is-bare", over(0.24));
  }

  /** The light falls on who threw, whoever's turn the board has come to. @param {string} id */
  spot(id) {
    Object.keys(this.cells).forEach((one) => this.cells[one].classList.toggle("is-turn", one === id));
    this.drawn = "";
  }

  /** @param {string} id @returns {HTMLElement | null} */
  cell(id) {
    return this.cells[id] || null;
  }
}
