/** What stands on the right before the first throw and after the last: the hands at a glance, and the golden list. */
import { cake, el, seal } from "./dom.js";
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
const LISTED = 4;

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

/** @param {import("./words.js").Translate} t */
export function invitation(t) {
  const node = el("p", "invitation");
  node.textContent = t("tv.hello_hint", { address: location.host + "/phone" });
  return node;
}

/** @param {any} player */
function cakesOf(player) {
  return TIERS.reduce((sum, tier) => sum + (player.cakes[tier] || 0), 0);
}

/**
 * Who has won most, the champion first.
 * @param {any} state
 * @returns {any[]}
 */
export function standings(state) {
  return state.players.slice().sort((a, b) => {
    if (a.champion !== b.champion) return a.champion ? -1 : 1;
    return cakesOf(b) - cakesOf(a);
  });
}

/**
 * The end of the evening.
 * @param {any} state
 * @param {import("./words.js").Translate} t
 */
export function finale(state, t) {
  const node = el("div", "finale");
  if (state.ended_by) node.appendChild(el("p", "finale-why", t("ended." + state.ended_by)));
  const champion = state.champion;
  const head = el("div", "finale-champion");
  head.appendChild(el("p", "finale-label", t(champion ? "tv.final_champion" : "tv.final_none")));
  if (champion) {
    head.appendChild(el("p", "finale-name", champion.name));
    if (champion.dice) head.appendChild(row(champion.dice));
  }
  node.appendChild(head);
  const list = el("ol", "finale-list");
  standings(state)
    .slice(0, LISTED)
    .forEach((player) => {
      const line = el("li", "finale-row");
      line.appendChild(seal(player.seal));
      line.appendChild(el("span", "name", player.name));
      line.appendChild(el("span", "count", t("tv.cakes", { n: cakesOf(player) })));
      list.appendChild(line);
    });
  node.appendChild(list);
  return node;
}
