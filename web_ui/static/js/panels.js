/** What stands on the right before the first throw: how to follow along, the house rules in a line, the hands at a glance. */
import { cake, el, inParts } from "./dom.js";
import { row } from "./dice.js";
import { TIERS } from "./guests.js";

const EXAMPLE = {
  zhuangyuan: [4, 4, 4, 4],
  duitang: [1, 2, 3, 4, 5, 6],
  sanhong: [4, 4, 4],
  sijin: [3, 3, 3, 3],
  erju: [4, 4],
  yixiu: [4],
};

/**
 * One example for each tier.
 * @param {import("./words.js").Translate} t
 */
export function legend(t) {
  const node = el("div", "legend");
  TIERS.forEach((tier) => {
    const line = el("div", "legend-row");
    line.appendChild(cake(tier));
    line.appendChild(el("span", "legend-name", t("tier." + tier)));
    line.appendChild(row(EXAMPLE[tier]));
    line.appendChild(el("span", "legend-more", t("legend." + tier)));
    node.appendChild(line);
  });
  return node;
}

/**
 * Words with an address in them; where a line must break, it breaks before the page's name.
 * @param {HTMLElement} node
 * @param {string} text
 */
export function address(node, text) {
  text.split(/(?=\/(?:phone|pair))/).forEach((part, k) => {
    if (k) node.appendChild(el("wbr"));
    node.appendChild(document.createTextNode(part));
  });
  return node;
}

/**
 * Before a game: the code to follow along, and where to begin.
 * @param {import("./words.js").Translate} t
 * @param {{address: string, qr: string}} follow
 */
export function invitation(t, follow) {
  const node = el("div", "invitation");
  if (follow.qr) {
    const picture = /** @type {HTMLImageElement} */ (el("img", "qr"));
    picture.src = follow.qr;
    picture.alt = t("tv.follow");
    node.appendChild(picture);
  }
  const words = el("div", "invitation-words");
  if (follow.qr) words.appendChild(el("p", "invitation-head", t("tv.follow")));
  words.appendChild(address(el("p", "invitation-line"), t(follow.qr ? "tv.hello_address" : "tv.hello_hint", { address: follow.address })));
  node.appendChild(words);
  return node;
}

/**
 * Tonight's rules in one line: the preset, and the switches that people ask about.
 * @param {import("./words.js").Translate} t
 * @param {any} rules
 * @returns {HTMLElement}
 */
export function rulesLine(t, rules) {
  const is = rules.switches;
  const closing = String(is.closing || "all_out").split(":");
  const parts = [
    t("line.jump." + is.jump),
    is.sold_out ? t("line.sold_out." + is.sold_out) : "",
    is.own_rolls ? t("line.own_rolls." + is.own_rolls) : "",
    t("line.closing." + closing[0], { n: closing[1] || 0 }),
  ];
  return inParts(el("p", "rules-line"), t("rules.line", { name: t("rules." + rules.preset) }) + parts.filter(Boolean).join(t("line.and")));
}

/** @param {any} player @returns {number} */
export function cakesOf(player) {
  return TIERS.reduce((sum, tier) => sum + (player.cakes[tier] || 0), 0);
}

/**
 * Who stands where: the champion first, then tier by tier from the top, as the golden list has it.
 * @param {any} state
 * @returns {any[]}
 */
export function standings(state) {
  return state.players.slice().sort((a, b) => {
    if (a.champion !== b.champion) return a.champion ? -1 : 1;
    const tier = TIERS.filter((one) => (a.cakes[one] || 0) !== (b.cakes[one] || 0))[0];
    return tier ? (b.cakes[tier] || 0) - (a.cakes[tier] || 0) : 0;
  });
}
