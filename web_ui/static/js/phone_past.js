/** What was: everybody's cakes, and the throws that can still be put right. */
import { cake, el, fill, seal } from "./dom.js";
import { row } from "./dice.js";
import { TIERS } from "./guests.js";
import { cakesOf } from "./panels.js";
import { createParts } from "./phone_parts.js";
import { bothNames, handText } from "./words.js";

/** so many names want two columns, and one number a person */
const MANY = 12;

/** @param {any} player @returns {string} the key of what is to be said about a player */
function markOf(player) {
  if (player.champion) return "tv.champion";
  return player.status === "left" ? "tv.gone" : player.status === "sitting_out" ? "tv.sitting_out" : player.skip ? "tv.skip" : "";
}

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 * @param {null | function(any): void} tapped what a tap on a player does; null: nothing
 */
export function drawStandings(node, state, t, tapped) {
  const { button } = createParts(t);
  const many = state.players.length > MANY;
  node.classList.toggle("is-many", many);
  fill(
    node,
    ...state.players.map((player) => {
      const line = tapped ? button("", "standing", () => tapped(player)) : el("div", "standing");
      const turn = Boolean(state.turn) && state.turn.id === player.id && !state.over;
      line.classList.toggle("is-turn", turn);
      line.appendChild(seal(player.seal));
      line.appendChild(el("span", "name", player.name));
      const mark = markOf(player);
      if (mark && !(many && player.champion)) line.appendChild(el("span", "mark", t(many ? mark + "_short" : mark)));
      const told = [player.name, turn ? t("tv.turn") : "", mark ? t(mark) : ""];
      const won = TIERS.filter((tier) => player.cakes[tier]);
      won.forEach((tier) => {
        told.push(t("tier." + tier) + " " + player.cakes[tier]);
        if (!many) line.appendChild(token(tier, player.cakes[tier]));
      });
      if (many && (won.length || player.champion)) line.appendChild(token(player.champion ? "zhuangyuan" : won[0], cakesOf(player)));
      if (tapped) line.setAttribute("aria-label", told.filter(Boolean).join(", "));
      return line;
    })
  );
}

/** @param {string} tier @param {number} n */
function token(tier, n) {
  const node = el("span", "token");
  fill(node, cake(tier), el("span", "", n));
  return node;
}

/**
 * The last throw in one line that one taps to put it right.
 * @param {any} thrown
 * @param {import("./words.js").Translate} t
 * @param {function(): void} tapped
 * @returns {HTMLElement}
 */
export function justThrown(thrown, t, tapped) {
  const line = createParts(t).button("", "just", tapped);
  fill(line, el("span", "name", thrown.name), thrown.dice ? row(thrown.dice) : null, el("span", "hand", handText(t, thrown)), el("span", "fix", t("phone.put_right")));
  line.setAttribute("aria-label", t("phone.correct", { n: thrown.number }) + ": " + thrown.name + " " + bothNames(t, thrown));
  return line;
}

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 * @param {null | function(any): void} tapped what a tap on a throw does; null: nothing
 */
export function drawHistory(node, state, t, tapped) {
  const { button } = createParts(t);
  if (!state.history.length) {
    fill(node, el("li", "hint", t("phone.no_history")));
    return;
  }
  fill(
    node,
    ...state.history.map((thrown) => {
      const item = el("li");
      const line = tapped ? button("", "thrown", () => tapped(thrown)) : el("div", "thrown");
      const said = thrown.name + " " + bothNames(t, thrown);
      if (tapped) line.setAttribute("aria-label", t("phone.correct", { n: thrown.number }) + ": " + said);
      line.appendChild(el("span", "number", thrown.number));
      line.appendChild(el("span", "name", thrown.name));
      if (thrown.dice) line.appendChild(row(thrown.dice));
      const hand = el("span", "hand", bothNames(t, thrown) + (thrown.corrected ? " ✎" : ""));
      hand.classList.toggle("is-red", Boolean(thrown.champion) || thrown.kind === "sanhong");
      line.appendChild(hand);
      item.appendChild(line);
      // why it brought what it brought, and which gift it was
      item.appendChild(el("p", "history-why", t.why(thrown) + (thrown.gift ? t("phone.gift_was", { gift: thrown.gift }) : "")));
      return item;
    })
  );
}
