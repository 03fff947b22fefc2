/** What the board tells between throws: earlier throws, chances, whether the dice are fair, a fact, how to follow along. */
import { el, fill, fit } from "./dom.js";
import { die, row } from "./dice.js";
import { chance, fairWords, fairness } from "./odds.js";
import { address, cakesOf, standings } from "./panels.js";
import { handText } from "./words.js";

const RECENT = 4;
const FACTS = 12;
const TURN_MS = 14000;
const RISE = ["yixiu", "erju", "sanhong", "sijin", "duitang"];

/**
 * @param {HTMLElement} node
 * @param {import("./words.js").Translate} t
 * @param {{address: string, qr: string}} follow
 * @param {function(): void} fitIn told when another panel stands there, by itself or by a key
 */
export function createBetween(node, t, follow, fitIn) {
  let state = null;
  let at = 0;
  let fact = 0;

  const makers = { recent: recent, odds: odds, fairness: fair, fact: aFact, qr: qr, standings: leaders };

  /** The panels that have something to say now. */
  function order() {
    const list = ["recent", "odds", "fact"];
    if (state.throws >= 4) list.splice(2, 0, "standings");
    if (fairness(state.faces || []).verdict !== "few") list.push("fairness");
    if (follow.qr) list.push("qr");
    return list;
  }

  function name() {
    const fixed = state.tv ? state.tv.scene : "auto";
    if (fixed && fixed !== "auto") return fixed;
    const list = order();
    return list[at % list.length];
  }

  function draw() {
    const shown = name();
    node.dataset.panel = shown;
    fill(node, ...(makers[shown] || recent)());
    if (shown === "recent" || shown === "standings") Array.from(node.querySelectorAll(".name")).forEach(fitName);
  }

  /** @param {Element} line */
  function fitName(line) {
    const dice = line.parentNode && line.parentNode.querySelector(".dice");
    if (!fit(/** @type {HTMLElement} */ (line), 0.32, 0.24) && dice) dice.remove();
  }

  function head(key) {
    return el("h3", "between-head", t(key));
  }

  function recent() {
    return state.history.slice(1, 1 + RECENT).map((thrown) => {
      const line = el("div", "recent-row");
      line.appendChild(el("span", "name", thrown.name));
      if (thrown.dice) line.appendChild(row(thrown.dice));
      line.appendChild(el("span", "hand", handText(t, thrown)));
      return line;
    });
  }

  function odds() {
    if (!state.odds) return recent();
    const kinds = state.odds.kinds;
    const line = el("div", "odds-row");
    RISE.forEach((kind) => {
      if (!kinds[kind]) return;
      const one = el("div", "odds-one");
      one.appendChild(el("span", "", t("tier." + kind)));
      one.appendChild(el("b", "", chance(t, kinds[kind])));
      line.appendChild(one);
    });
    const top = el("div", "odds-one");
    top.appendChild(el("span", "", t("tier.zhuangyuan")));
    top.appendChild(el("b", "", chance(t, state.odds.champion)));
    line.appendChild(top);
    const holder = state.champion;
    const words = holder
      ? t("odds.beats", { hand: t.zh ? t.local(holder.text) : holder.en, chance: chance(t, state.odds.beats) })
      : t("tv.no_champion");
    return [head("odds.head"), line, el("p", "between-line", words)];
  }

  function fair() {
    const faces = state.faces || [0, 0, 0, 0, 0, 0];
    const line = el("div", "faces");
    faces.forEach((n, k) => {
      const one = el("div", "face");
      one.appendChild(die(k + 1));
      one.appendChild(el("b", "", n));
      line.appendChild(one);
    });
    return [head("fair.head"), line, el("p", "between-line is-fair", fairWords(t, faces))];
  }

  function aFact() {
    return [head("fact.head"), el("p", "between-line is-fact", t("fact." + (1 + (fact % FACTS))))];
  }

  function qr() {
    if (!follow.qr) return aFact();
    const line = el("div", "between-qr");
    const picture = /** @type {HTMLImageElement} */ (el("img", "qr"));
    picture.src = follow.qr;
    picture.alt = t("tv.follow");
    const words = el("div", "");
    words.appendChild(el("p", "between-head", t("tv.follow")));
    words.appendChild(address(el("p", "between-line"), follow.address));
    line.appendChild(picture);
    line.appendChild(words);
    return [line];
  }

  function leaders() {
    return [head("tv.leaders")].concat(
      standings(state)
        .slice(0, 3)
        .map((player) => {
          const line = el("div", "recent-row");
          line.appendChild(el("span", "name", player.name));
          const cakes = t("tv.cakes", { n: cakesOf(player) });
          // why somebody with fewer cakes stands above
          line.appendChild(el("span", "hand is-wide", player.champion ? t("tv.leads", { cakes: cakes }) : cakes));
          return line;
        })
    );
  }

  setInterval(() => {
    if (!state || !state.history.length || document.hidden) return;
    next();
  }, TURN_MS);

  function next() {
    at += 1;
    if (at % order().length === 0) fact += 1;
    node.classList.remove("is-fresh");
    draw();
    fitIn();
    // the class comes back in another frame, so that the fade begins anew
    requestAnimationFrame(() => requestAnimationFrame(() => node.classList.add("is-fresh")));
  }

  /** @param {any} now */
  function show(now) {
    const thrown = !state || now.throws !== state.throws;
    state = now;
    if (thrown) at = 0;
    node.hidden = now.over || now.history.length === 0 || (name() === "recent" && now.history.length < 2);
    if (!node.hidden) draw();
    else fill(node);
  }

  return { show: show, next: next };
}

/**
 * Few cakes are left: which, and how many throws they may still take.
 * @param {any} state
 * @param {import("./words.js").Translate} t
 * @returns {HTMLElement[]} nothing while the end is far; a tier and its number are never parted at the end of a line
 */
export function nearly(state, t) {
  if (state.over || state.extra || !state.tiers.length || !state.throws) return [];
  const lower = state.tiers.filter((tier) => tier.tier !== "zhuangyuan");
  const left = lower.reduce((sum, tier) => sum + tier.left, 0);
  const all = lower.reduce((sum, tier) => sum + tier.total, 0);
  const throws = state.odds && state.odds.expected_throws;
  const rest = throws ? t("near.throws", { n: Math.max(1, Math.round(throws)) }) : "";
  if (left === 0) return state.champion ? [] : [el("span", "", t("near.champion") + rest)];
  if (left > Math.min(6, all / 6)) return [];
  const around = t("near.left", { list: "\n" }).split("\n");
  const some = lower.filter((tier) => tier.left);
  const names = some.map((tier, k) => {
    const and = k < some.length - 1 ? t("near.and") : "";
    return el("span", "keep", t("near.tier", { tier: t("tier." + tier.tier), n: tier.left }) + and);
  });
  return [el("span", "", around[0])].concat(names, el("span", "", (around[1] || "") + rest));
}
