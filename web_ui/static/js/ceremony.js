/** The closing ceremony: the champion under the moon, the golden list, and who takes which prize home. */
import { cake, el, fill, fit, seal } from "./dom.js";
import { row } from "./dice.js";
import { TIERS } from "./guests.js";
import { cakesOf, standings } from "./panels.js";
import { proof } from "./side.js";
import { lostPicture } from "./stills.js";

const PAGE_MS = 12000;
const FEW_ROWS = 6;
const ONE_COLUMN = 9;
const TWO_COLUMNS = 20;
const PRIZES_REM = 7.02;

/**
 * @param {HTMLElement} node
 * @param {import("./words.js").Translate} t
 */
export function createCeremony(node, t) {
  let shown = "";
  let page = 0;
  /** @type {HTMLElement[]} */
  let pages = [];
  setInterval(() => turn(1), PAGE_MS);

  /** @param {number} by */
  function turn(by) {
    if (pages.length < 2 || node.hidden) return;
    page = (page + by + pages.length) % pages.length;
    pages.forEach((one, k) => {
      one.hidden = k !== page;
    });
  }

  /** @param {any} state */
  function left(state) {
    const part = el("div", "laureate");
    const champion = state.champion;
    part.appendChild(el("p", "laureate-label", t(champion ? "tv.final_champion" : scrambled(state) ? "tv.scramble" : "tv.final_none")));
    part.appendChild(cake("zhuangyuan", "laureate-cake"));
    if (champion) {
      part.appendChild(el("p", "laureate-name", champion.name));
      part.appendChild(el("p", "laureate-hand", t.zh ? t.local(champion.text) : champion.text + " · " + champion.en));
      if (champion.dice) part.appendChild(row(champion.dice));
    }
    part.appendChild(el("p", "laureate-why", state.ended_by ? t("ended." + state.ended_by) : ""));
    return part;
  }

  /** @param {any} state */
  function scrambled(state) {
    return TIERS.some((tier) => state.scramble && state.scramble[tier] > 0);
  }

  /** @param {any} state */
  function list(state) {
    const part = el("section", "scroll-page");
    part.appendChild(el("h2", "scroll-title", t("tv.final")));
    if (scrambled(state)) {
      const waiting = TIERS.filter((tier) => state.scramble[tier]).map((tier) => t("near.tier", { tier: t("tier." + tier), n: state.scramble[tier] }));
      const note = el("p", "scroll-note");
      [t("tv.scramble_left", { list: "" })].concat(waiting).forEach((words, k) => note.appendChild(el("span", "part", words + (k && k < waiting.length ? t("near.and") : ""))));
      part.appendChild(note);
    }
    const all = standings(state);
    if (all.length <= FEW_ROWS && !scrambled(state)) part.appendChild(el("p", "scroll-how", t("tv.final_how")));
    // each tier has its column; the champion's cake stands where the place would, unless there are several sets
    const tiers = TIERS.filter((tier) => all.some((player) => player.cakes[tier] > (tier === "zhuangyuan" ? 1 : 0)));
    const table = el("ol", "rolls");
    table.classList.toggle("is-few", all.length <= FEW_ROWS);
    table.classList.toggle("is-two", all.length > ONE_COLUMN);
    table.classList.toggle("is-dense", all.length > TWO_COLUMNS);
    all.forEach((player, k) => {
      const line = el("li", "roll");
      line.classList.toggle("is-champion", player.champion);
      line.appendChild(place(player, k));
      line.appendChild(seal(player.seal));
      line.appendChild(el("span", "roll-name", player.name));
      const tokens = el("span", "roll-cakes");
      if (all.length <= ONE_COLUMN) {
        tiers.forEach((tier) => {
          const token = el("span", "token");
          if (player.cakes[tier]) fill(token, cake(tier, "token-cake"), el("span", "", player.cakes[tier]));
          tokens.appendChild(token);
        });
      }
      line.appendChild(tokens);
      line.appendChild(el("b", "roll-sum", t("tv.cakes", { n: cakesOf(player) })));
      table.appendChild(line);
    });
    part.appendChild(table);
    return part;
  }

  /** @param {any} player @param {number} k */
  function place(player, k) {
    const first = player.champion || player.cakes.zhuangyuan > 0;
    const node = el("span", "roll-place", first ? null : k + 1);
    if (!first) return node;
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", t("tier.zhuangyuan"));
    node.appendChild(cake("zhuangyuan"));
    return node;
  }

  /** @param {any} state @returns {HTMLElement | null} nothing where no prize has a name */
  function prizes(state) {
    const named = state.tiers.filter((tier) => tier.prize && (tier.prize.name || tier.prize.gifts.length));
    if (!named.length) return null;
    const part = el("section", "scroll-page");
    part.appendChild(el("h2", "scroll-title", t("tv.prizes")));
    const table = el("ol", "prizes");
    named.forEach((tier) => {
      const line = el("li", "prize");
      line.appendChild(cake(tier.tier, "prize-cake"));
      const words = el("div", "prize-words");
      words.appendChild(el("p", "prize-name", t("tier." + tier.tier) + " · " + (tier.prize.name || tier.prize.gifts.join(t("near.and")))));
      const winners = state.players.filter((player) => player.cakes[tier.tier]);
      const who = winners.map((player) => player.name + (player.cakes[tier.tier] > 1 ? "\u00a0×\u00a0" + player.cakes[tier.tier] : ""));
      const line2 = el("p", "prize-who", who.length ? null : t("tv.prize_nobody"));
      who.forEach((one, k) => line2.appendChild(el("span", "", one + (k < who.length - 1 ? t("near.and") : ""))));
      words.appendChild(line2);
      line.appendChild(words);
      table.appendChild(line);
    });
    part.appendChild(table);
    return part;
  }

  /** @param {any} state */
  function show(state) {
    const key = state.over ? JSON.stringify([state.players, state.scramble, state.champion, state.ended_by, state.tiers.map((tier) => tier.prize), state.history.map((one) => one.lost)]) : "";
    node.hidden = !state.over;
    document.body.classList.toggle("is-ceremony", state.over);
    if (key === shown) return;
    shown = key;
    if (!state.over) {
      fill(node);
      pages = [];
      return;
    }
    const second = prizes(state);
    pages = [list(state)].concat(second ? [second] : []);
    const scroll = el("div", "scroll");
    pages.forEach((one) => scroll.appendChild(one));
    scroll.appendChild(el("p", "scroll-foot", t("tv.thanks")));
    const thrown = state.champion ? state.history.filter((one) => one.player === state.champion.id && (one.still || one.lost) && String(one.dice) === String(state.champion.dice))[0] : null;
    const picture = thrown ? proof(thrown.still) : null;
    const laureate = left(state);
    const lost = lostPicture(t, thrown);
    if (picture) laureate.appendChild(picture);
    else if (lost) laureate.insertBefore(lost, laureate.lastChild);
    laureate.classList.toggle("no-proof", !picture);
    fill(node, el("div", "ceremony-moon"), laureate, scroll);
    const name = /** @type {HTMLElement | null} */ (node.querySelector(".laureate-name"));
    if (name) fit(name, 0.96, 0.4);
    Array.from(node.querySelectorAll(".roll-name")).forEach((one) => fitName(/** @type {HTMLElement} */ (one), state.players.length));
    const table = /** @type {HTMLElement | null} */ (node.querySelector(".prizes"));
    if (table) shrink(table);
    // all pages are measured before all but one are hidden
    page = 0;
    pages.forEach((one, k) => {
      one.hidden = k !== 0;
    });
  }

  /** A long name takes two lines, where its line is high enough. @param {HTMLElement} name @param {number} players */
  function fitName(name, players) {
    const dense = players > TWO_COLUMNS;
    if (fit(name, dense ? 0.3 : players <= FEW_ROWS ? 0.52 : 0.44, dense ? 0.24 : 0.34) || dense) return;
    name.classList.add("two-lines");
    for (let size = 0.32; size > 0.23; size -= 0.04) {
      name.style.fontSize = size.toFixed(2) + "rem";
      if (name.offsetHeight < /** @type {HTMLElement} */ (name.parentNode).clientHeight) return;
    }
  }

  /** All winners of all prizes on one page, also where a line is told below it. @param {HTMLElement} table */
  function shrink(table) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const all = /** @type {HTMLElement[]} */ (Array.from(table.querySelectorAll(".prize-who")));
    const over = () => table.offsetHeight > PRIZES_REM * rem;
    const to = (size) => all.forEach((one) => (one.style.fontSize = size.toFixed(2) + "rem"));
    [false, true].forEach((dense) => {
      if (dense && !over()) return;
      table.classList.toggle("is-dense", dense);
      for (let size = 0.36; size > 0.23; size -= 0.02) {
        to(size);
        if (!over()) return;
      }
    });
  }

  return { show: show, turn: () => turn(1) };
}
