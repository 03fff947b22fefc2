/** The pyramid of cakes: where each stands, which have left, and whose seal lies in the hole. */
import { cake, el, fill, fit, seal } from "./dom.js";
import { row } from "./dice.js";
import { ROW } from "./guests.js";
import { splitHand } from "./words.js";

// rem; the pyramid of one set has rows of 1, 2, 4, 8, 16 and twice 16
const SIZE = { zhuangyuan: 1.56, duitang: 1.16, sanhong: 1.06, sijin: 0.94, erju: 0.66, yixiu: 0.6 };
const TOP = 0.74;
const FOOT = 8.36;
// what the board gives to a taller strip of guests, and to a line that has to be told
const CROWD = 0.72;
const BAND = 0.75;
const BOARD = 11.76;
const LEFT = 1.5;
const RIGHT = 11.7;
// before a game begins: one set, all of it on the table
export const ONE_SET = [
  ["zhuangyuan", 1],
  ["duitang", 2],
  ["sanhong", 4],
  ["sijin", 8],
  ["erju", 16],
  ["yixiu", 32],
].map((pair) => ({ tier: pair[0], total: pair[1], left: pair[1], seals: new Array(pair[1]).fill(null) }));
const DICE_ROW = 0.54;
const WRAP = 16;
const STACK = 40;
const STACKED = 10;

/**
 * @typedef {{tier: string, index: number, x: number, y: number, size: number}} Place
 * centre and size in rem, within the board
 */

/**
 * @param {any[]} tiers
 * @param {number} foot where the lowest row ends, in rem
 * @returns {{places: Place[], rows: {tier: string, y: number, stack: boolean}[]}}
 */
export function layout(tiers, foot) {
  const lines = [];
  tiers.forEach((tier) => {
    const stack = tier.total > STACK;
    const shown = stack ? STACKED : tier.total;
    const rows = Math.max(1, Math.ceil(shown / WRAP));
    const each = Math.ceil(shown / rows);
    const pitch = (RIGHT - LEFT) / (rows > 1 ? each + 0.5 : each);
    for (let r = 0; r < rows; r += 1) {
      const n = Math.min(each, shown - r * each);
      lines.push({ tier: tier.tier, from: r * each, n: n, stack: stack, brick: rows > 1 ? (r % 2 ? 0.25 : -0.25) : 0, size: Math.min(SIZE[tier.tier], pitch * 0.97), pitch: pitch });
    }
  });
  const tall = lines.reduce((sum, line) => sum + line.size, DICE_ROW);
  const room = foot - TOP;
  const scale = Math.min(1, (room - 0.05 * lines.length) / tall);
  const gap = Math.min(0.12, (room - tall * scale) / lines.length);
  const middle = (LEFT + RIGHT) / 2;
  /** @type {Place[]} */
  const places = [];
  const rows = [];
  let y = TOP;
  lines.forEach((line) => {
    const size = line.size * scale;
    const pitch = Math.min(line.pitch, Math.max(size * 1.16, size + 0.06));
    for (let i = 0; i < line.n; i += 1) {
      places.push({ tier: line.tier, index: line.from + i, x: middle + (i - (line.n - 1) / 2 + line.brick) * pitch, y: y + size / 2, size: size });
    }
    rows.push({ tier: line.tier, y: y + size / 2, stack: line.stack });
    y += size + gap + (line.tier === "zhuangyuan" ? DICE_ROW * scale : 0);
  });
  return { places: places, rows: rows };
}

/** Draws the board and remembers where everything stands. */
export class Pyramid {
  /**
   * @param {HTMLElement} tiers
   * @param {HTMLElement} crown
   * @param {import("./words.js").Translate} t
   */
  constructor(tiers, crown, t) {
    this.tiers = tiers;
    this.crown = crown;
    this.t = t;
    this.shape = "";
    /** @type {Object<string, HTMLElement>} */
    this.nodes = {};
    /** @type {Object<string, HTMLElement>} */
    this.labels = {};
  }

  /** @param {any} state @param {boolean} told whether a line is told between the board and the guests */
  show(state, told) {
    const foot = FOOT - (state.players.length > ROW ? CROWD : 0) - (told ? BAND : 0);
    const tiers = state.tiers.length ? state.tiers : ONE_SET;
    const shape = foot + tiers.map((tier) => tier.tier + tier.total).join();
    if (shape !== this.shape) this.build(tiers, foot);
    this.shape = shape;
    const seals = { scramble: this.t("tv.scramble_seal") };
    state.players.forEach((player) => {
      seals[player.id] = player.seal;
    });
    tiers.forEach((tier) => {
      this.label(tier);
      for (let i = 0; i < tier.total; i += 1) {
        const node = this.nodes[tier.tier + i];
        if (node) this.place(node, tier.tier, tier.seals[i], seals);
      }
    });
    this.champion(state);
  }

  /** @param {any[]} tiers @param {number} foot */
  build(tiers, foot) {
    const plan = layout(tiers, foot);
    this.nodes = {};
    this.labels = {};
    fill(this.tiers);
    const middle = {};
    plan.rows.forEach((line) => {
      middle[line.tier] = (middle[line.tier] || []).concat(line.y);
    });
    tiers.forEach((tier) => {
      const ys = middle[tier.tier] || [0];
      const label = el("p", "tier-label");
      label.style.top = (ys.reduce((a, b) => a + b, 0) / ys.length - 0.4).toFixed(3) + "rem";
      label.style.height = ".8rem";
      this.labels[tier.tier] = label;
      this.tiers.appendChild(label);
    });
    plan.places.forEach((place) => {
      const node = el("div", "place place-" + place.tier);
      node.style.left = (place.x - place.size / 2).toFixed(3) + "rem";
      node.style.top = (place.y - place.size / 2).toFixed(3) + "rem";
      node.style.width = node.style.height = place.size.toFixed(3) + "rem";
      node.dataset.size = String(place.size);
      node.dataset.seal = "?";
      this.nodes[place.tier + place.index] = node;
      this.tiers.appendChild(node);
    });
    const top = plan.places[0];
    this.top = top;
  }

  /** @param {any} tier */
  label(tier) {
    const label = this.labels[tier.tier];
    const gloss = this.t("gloss." + tier.tier);
    label.classList.toggle("is-gone", tier.left === 0);
    fill(label, el("span", "", this.t("tier." + tier.tier)), el("span", "left", tier.left), gloss ? el("span", "gloss", gloss) : null);
  }

  /**
   * @param {HTMLElement} node
   * @param {string} tier
   * @param {string | null} owner
   * @param {Object<string, string>} seals
   */
  place(node, tier, owner, seals) {
    const key = owner ? owner + ":" + seals[owner] : "";
    if (node.dataset.seal === key) return;
    node.dataset.seal = key;
    if (!owner) {
      fill(node, cake(tier));
      return;
    }
    const hole = el("div", "hole");
    const mark = seal(seals[owner] || "");
    mark.style.fontSize = Math.max(0.24, Number(node.dataset.size) * 0.38).toFixed(3) + "rem";
    hole.appendChild(mark);
    fill(node, hole);
  }

  /** @param {any} state */
  champion(state) {
    const champion = state.champion;
    Array.from(this.tiers.querySelectorAll(".crown-dice, .carry")).forEach((old) => old.remove());
    if (!champion) {
      this.crown.classList.remove("is-wide");
      fill(this.crown, el("p", "crown-none", this.t("tv.no_champion")));
      return;
    }
    const holder = state.players.filter((player) => player.id === champion.id)[0];
    const name = el("p", "crown-name", champion.name);
    fill(this.crown, seal(holder ? holder.seal : ""), name);
    // what is wider than the moon is there carries a piece of it along
    this.crown.classList.remove("is-wide");
    if (!fit(name, 0.48, 0.34)) {
      this.crown.classList.add("is-wide");
      fit(name, 0.4, 0.24);
    }
    const top = this.top;
    if (champion.dice) {
      const dice = row(champion.dice, "crown-dice");
      dice.style.left = (top.x - 1.44).toFixed(3) + "rem";
      dice.style.top = (top.y + top.size / 2 + 0.02).toFixed(3) + "rem";
      this.tiers.appendChild(dice);
    }
    // like a couplet: the hand on one side of the cake where it is more than four reds, what it carries on the other
    const hand = splitHand(this.t.local(champion.text || ""));
    const named = hand.word && !/^[状狀]元$/.test(hand.word) ? hand.word : "";
    const carried = champion.carry === null ? "" : this.t("tv.carried", { n: champion.carry });
    const y = (top.y - 0.39).toFixed(3) + "rem";
    [[carried ? named : "", "is-left"], [carried || named, "is-right"]].forEach((pair) => {
      if (!pair[0]) return;
      const word = el("p", "carry " + pair[1], pair[0]);
      word.classList.toggle("is-long", pair[0].length > 2 && pair[1] === "is-right" && !carried);
      word.style.top = y;
      const edge = top.size / 2 + 0.12;
      if (pair[1] === "is-left") word.style.right = (BOARD - top.x + edge).toFixed(3) + "rem";
      else word.style.left = (top.x + edge).toFixed(3) + "rem";
      this.tiers.appendChild(word);
    });
  }

  /** @param {string} tier @param {number} index @returns {HTMLElement | null} */
  node(tier, index) {
    return this.nodes[tier + index] || null;
  }
}
