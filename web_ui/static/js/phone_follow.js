/** Following along: which of the players one is, one's own cakes, and when one's turn comes. */
import { cake, el } from "./dom.js";
import { TIERS } from "./guests.js";
import { cakesOf, standings } from "./panels.js";
import { createParts } from "./phone_parts.js";
import { upcoming } from "./side.js";

const KEY = "bobing.me";

/** What this phone remembers; nothing where it may not. */
function remembered() {
  try {
    return localStorage.getItem(KEY) || "";
  } catch (fault) {
    return "";
  }
}

/** @param {string} name */
function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch (fault) {
    // a private window forgets; nothing is lost but the highlight
  }
}

/**
 * @param {import("./words.js").Translate} t
 * @param {boolean} operator
 * @param {string} operate where this phone may go to operate
 * @param {function(): void} redraw
 */
export function createFollower(t, operator, operate, redraw) {
  const { button } = createParts(t);
  let name = remembered();
  let choosing = false;

  /** @param {any} state */
  const me = (state) => state.players.filter((player) => player.name === name)[0] || null;

  /** @param {string} chosen */
  function choose(chosen) {
    name = chosen;
    choosing = false;
    remember(chosen);
    redraw();
  }

  /** One's own card; before it is known whose phone this is, the question. @param {any} state @returns {HTMLElement[]} */
  function mine(state) {
    const who = me(state);
    if (!who || choosing) {
      if (operator && !choosing) return [];
      const line = el("div", "people");
      state.players.forEach((player) => line.appendChild(button(player.name, player.name === name ? "is-chosen" : "", () => choose(player.name))));
      return [el("p", "label", t("follow.who")), line];
    }
    const card = el("div", "mine");
    const head = el("div", "mine-head");
    head.appendChild(el("b", "mine-name", who.name));
    const place = standings(state).indexOf(who) + 1;
    head.appendChild(el("span", "mine-place", t("follow.place", { n: place, of: state.players.length })));
    const other = button(t("follow.other"), "quiet", () => {
      choosing = true;
      redraw();
    });
    head.appendChild(other);
    card.appendChild(head);
    const tokens = el("div", "mine-cakes");
    TIERS.filter((tier) => who.cakes[tier]).forEach((tier) => {
      const token = el("div", "mine-token");
      token.appendChild(cake(tier));
      token.appendChild(el("span", "", t("near.tier", { tier: t("tier." + tier), n: who.cakes[tier] })));
      tokens.appendChild(token);
    });
    if (!cakesOf(who)) tokens.appendChild(el("p", "hint", t("follow.none")));
    card.appendChild(tokens);
    const prizes = state.tiers.filter((tier) => who.cakes[tier.tier] && tier.prize.name).map((tier) => tier.prize.name + " × " + who.cakes[tier.tier]);
    if (prizes.length) card.appendChild(el("p", "mine-prizes", prizes.join(t("near.and"))));
    return [card];
  }

  /** What a follower reads under the thumb. @param {any} state @returns {HTMLElement[]} */
  function now(state) {
    const who = me(state);
    const parts = [];
    let say = { reading: t("phone.reading"), clear: t("phone.clear"), paused: t("phone.paused"), over: t("phone.over"), lobby: t("follow.lobby") }[state.phase] || "";
    if (state.question) say = t.say(state.question);
    else if (!say && state.turn) say = t("phone.waiting", { name: state.turn.name });
    if (who && state.turn && state.turn.id === who.id && state.phase === "throw") say = t("follow.yours");
    parts.push(el("p", "ask-line", say));
    if (who && state.turn && !state.over && state.turn.id !== who.id) {
      const at = upcoming(state).findIndex((player) => player.id === who.id);
      if (who.skip) parts.push(el("p", "hint", t("follow.skip")));
      else if (at >= 0) parts.push(el("p", "hint", at === 0 ? t("follow.next") : t("follow.in", { n: at + 1 })));
    }
    const way = /** @type {HTMLAnchorElement} */ (el("a", "way", t("follow.operate")));
    way.href = operate;
    parts.push(way);
    return parts;
  }

  return { mine: mine, now: now };
}
