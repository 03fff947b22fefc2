/** What was: everybody's cakes, and the throws that can still be put right. */
import { cake, el, fill, seal } from "./dom.js";
import { row } from "./dice.js";
import { TIERS } from "./guests.js";
import { createParts } from "./phone_parts.js";
import { bothNames } from "./words.js";

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 */
export function drawStandings(node, state, t) {
  fill(
    node,
    ...state.players.map((player) => {
      const line = el("div", "standing");
      line.classList.toggle("is-turn", Boolean(state.turn) && state.turn.id === player.id && !state.over);
      line.appendChild(seal(player.seal));
      line.appendChild(el("span", "name", player.name));
      const mark = player.champion ? "tv.champion" : player.status === "left" ? "tv.gone" : player.status === "sitting_out" ? "tv.sitting_out" : player.skip ? "tv.skip" : "";
      if (mark) line.appendChild(el("span", "mark", t(mark)));
      TIERS.filter((tier) => player.cakes[tier]).forEach((tier) => {
        const token = el("span", "token");
        token.appendChild(cake(tier));
        token.appendChild(el("span", "", player.cakes[tier]));
        token.setAttribute("aria-label", t("tier." + tier) + " " + player.cakes[tier]);
        line.appendChild(token);
      });
      return line;
    })
  );
}

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 * @param {boolean} zh
 * @param {function(any): void} tapped
 */
export function drawHistory(node, state, t, zh, tapped) {
  const { button } = createParts(t);
  if (!state.history.length) {
    fill(node, el("li", "hint", t("phone.no_history")));
    return;
  }
  fill(
    node,
    ...state.history.map((thrown) => {
      const item = el("li");
      const line = button("", "", () => tapped(thrown));
      line.setAttribute("aria-label", t("phone.correct", { n: thrown.number }) + ": " + thrown.name + " " + bothNames(t, thrown, zh));
      line.appendChild(el("span", "number", thrown.number));
      line.appendChild(el("span", "name", thrown.name));
      if (thrown.dice) line.appendChild(row(thrown.dice));
      const hand = el("span", "hand", bothNames(t, thrown, zh) + (thrown.corrected ? " ✎" : ""));
      hand.classList.toggle("is-red", Boolean(thrown.champion) || thrown.kind === "sanhong");
      line.appendChild(hand);
      item.appendChild(line);
      return item;
    })
  );
}
