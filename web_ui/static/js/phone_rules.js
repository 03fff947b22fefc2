/** Tonight's rules with their reasons, and the chances under them. */
import { el, fill } from "./dom.js";
import { die, row } from "./dice.js";
import { chance, fairWords } from "./odds.js";
import { legend } from "./panels.js";

/** The switches in the order in which people ask about them; the rest of a preset's switches are for those who set them. */
export const SWITCHES = [
  "ladder", "own_rolls", "lugu_keeps_duitang", "sijin_bundle", "wuzi_four_yixiu", "duitang_patterns", "chajinhua_duitang",
  "chajinhua_takes_won", "chajinhua_protected", "liubohong", "liubohei", "liubohei_faces", "biandijin", "six_ends",
  "wuzi_compare", "liubohei_compare", "sold_out", "chase_tiers", "jump", "closing", "no_champion", "start", "direction",
  "count_direction", "titles", "sets",
];

/**
 * A switch's value in words.
 * @param {import("./words.js").Translate} t
 * @param {string} name
 * @param {any} value
 * @returns {string}
 */
export function valueWords(t, name, value) {
  const and = t("near.and");
  if (name === "ladder") return value.map((kind) => t("kind." + kind)).join(" < ");
  if (name === "chase_tiers") return value.length ? value.map((tier) => t("tier." + tier)).join(and) : t("switch.nobody");
  if (name === "liubohei_faces") return value.join(and);
  if (name === "duitang_patterns") return value.map((one) => t("value.duitang_patterns." + one)).join(and);
  if (name === "closing") {
    const parts = String(value).split(":");
    return t("line.closing." + parts[0], { n: parts[1] || 0 });
  }
  if (name === "sets" || name === "chajinhua_duitang") return String(value);
  if (name === "direction" || name === "count_direction") return t("value.direction." + value);
  if (typeof value === "boolean") return t(value ? "switch.yes" : "switch.no");
  return t("value." + name + "." + value);
}

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 */
export function drawRules(node, state, t) {
  const parts = [el("h2", "", t("rules.hands")), legend(t)];
  if (state.rules) {
    parts.push(el("h2", "", t("tv.rules", { name: t("rules." + (state.rules.preset || "custom")) })));
    const list = el("dl", "switches");
    SWITCHES.filter((name) => state.rules.switches[name] !== undefined).forEach((name) => {
      const one = el("div", "switch");
      one.appendChild(el("dt", "", t("switch." + name)));
      const said = el("dd", "", null);
      said.appendChild(el("b", "", valueWords(t, name, state.rules.switches[name])));
      said.appendChild(el("p", "hint", t("switch." + name + ".why")));
      one.appendChild(said);
      list.appendChild(one);
    });
    parts.push(list);
  }
  fill(node, ...parts);
}

/**
 * @param {HTMLElement} node
 * @param {any} state
 * @param {import("./words.js").Translate} t
 */
export function drawOdds(node, state, t) {
  if (!state.odds) {
    fill(node, el("p", "hint", t("odds.later")));
    return;
  }
  const parts = [];
  const holder = state.champion;
  if (holder) {
    parts.push(el("h2", "", t("odds.holder", { name: holder.name })));
    if (holder.dice) parts.push(row(holder.dice, "small-dice"));
    parts.push(el("p", "", t("odds.beats", { hand: t.zh ? t.local(holder.text) : holder.en, chance: chance(t, state.odds.beats) })));
  } else {
    parts.push(el("p", "", t("odds.champion", { chance: chance(t, state.odds.champion) })));
  }
  if (state.odds.expected_throws) parts.push(el("p", "", t("odds.expected", { n: Math.round(state.odds.expected_throws) })));
  parts.push(el("h2", "", t("odds.head")));
  const list = el("ul", "chances");
  Object.keys(state.odds.kinds)
    .sort((a, b) => state.odds.kinds[b] - state.odds.kinds[a])
    .forEach((kind) => {
      const p = state.odds.kinds[kind];
      const line = el("li", "chance");
      line.appendChild(el("span", "", t(kind === "sihong" ? "odds.sihong" : "kind." + kind)));
      line.appendChild(el("span", "gloss", t("kgloss." + kind)));
      line.appendChild(el("b", "", chance(t, p)));
      list.appendChild(line);
    });
  parts.push(list, el("h2", "", t("fair.head")), faces(state.faces));
  parts.push(el("p", "", fairWords(t, state.faces)));
  fill(node, ...parts);
}

/** @param {number[]} counts */
function faces(counts) {
  const line = el("div", "faces");
  counts.forEach((n, k) => {
    const one = el("div", "face");
    one.appendChild(die(k + 1));
    one.appendChild(el("b", "", n));
    line.appendChild(one);
  });
  return line;
}
