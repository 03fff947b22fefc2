/** House rules: a preset as a card with its differences in words, then every switch with its reason. */
import { el, fill } from "./dom.js";
import { createParts } from "./phone_parts.js";
import { SWITCHES, valueWords } from "./phone_rules.js";
import { PRESETS } from "./phone_sheets.js";

const KINDS = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "biandijin", "liubohong"];
const LISTS = {
  chase_tiers: ["duitang", "sanhong", "sijin", "erju", "yixiu"],
  liubohei_faces: [1, 2, 3, 5, 6],
  duitang_patterns: ["straight", "three_pairs_run", "three_pairs", "two_triples"],
};
const NUMBERS = { chajinhua_duitang: [0, 1, 2], sets: [1, 2, 3, 4] };
const CLOSING = ["all_out", "lap", "throws:6", "throws:10", "clock:30", "clock:60", "clock:90"];

/**
 * What a preset has otherwise than the usual one.
 * @param {any} presets
 * @param {string} name
 * @returns {string[]} names of switches
 */
export function differences(presets, name) {
  return SWITCHES.filter((one) => JSON.stringify(presets[name][one]) !== JSON.stringify(presets.xiamen[one]));
}

/**
 * @param {import("./words.js").Translate} t
 * @param {any} plan
 * @param {any} start
 * @param {function(): void} keep
 * @returns {HTMLElement[]}
 */
export function rulesStep(t, plan, start, keep) {
  const { button } = createParts(t);
  const box = el("div");
  const now = (name) => (name in plan.switches ? plan.switches[name] : start.presets[plan.preset][name]);

  /** @param {string} name @param {any} value */
  function set(name, value) {
    if (JSON.stringify(value) === JSON.stringify(start.presets[plan.preset][name])) delete plan.switches[name];
    else plan.switches[name] = value;
    keep();
    draw();
  }

  /** @param {string} name */
  function card(name) {
    const one = button("", "card", () => {
      plan.preset = name;
      plan.switches = {};
      keep();
      draw();
    });
    one.setAttribute("aria-pressed", String(name === plan.preset));
    one.classList.toggle("is-chosen", name === plan.preset);
    const told = differences(start.presets, name).map((other) => t("setup.differs", { what: t("switch." + other), value: valueWords(t, other, start.presets[name][other]) }));
    fill(one, el("b", "", t("rules." + name)), el("span", "", t("preset." + name)), ...told.map((text) => el("span", "differs", text)));
    return one;
  }

  /** @param {any[]} options @param {any} value @param {function(any): string} words @param {function(any): void} chosen */
  function chips(options, value, words, chosen) {
    const row = el("div", "people");
    options.forEach((option) => {
      const one = button(words(option), JSON.stringify(option) === JSON.stringify(value) ? "is-chosen" : "", () => chosen(option));
      one.setAttribute("aria-pressed", String(JSON.stringify(option) === JSON.stringify(value)));
      row.appendChild(one);
    });
    return row;
  }

  /** Several of a list. @param {string} name @param {any[]} options */
  function several(name, options) {
    const value = now(name);
    const row = el("div", "people");
    options.forEach((option) => {
      const is = value.indexOf(option) >= 0;
      const one = button(valueWords(t, name, [option]), is ? "is-chosen" : "", () => set(name, options.filter((each) => (each === option ? !is : value.indexOf(each) >= 0))));
      one.setAttribute("aria-pressed", String(is));
      row.appendChild(one);
    });
    return row;
  }

  /** The ladder: a tap takes a kind off or puts it on top; the arrows move it. */
  function ladder() {
    const value = now("ladder");
    const list = el("ol", "order");
    value.forEach((kind, at) => {
      const item = el("li", "order-item");
      item.appendChild(el("span", "name", t("kind." + kind)));
      [[-1, "↑", "people.up_of"], [1, "↓", "people.down_of"]].forEach((way) => {
        const to = at + /** @type {number} */ (way[0]);
        const one = button(String(way[1]), "step", () => {
          const other = value.slice();
          other.splice(at, 1);
          other.splice(to, 0, kind);
          set("ladder", other);
        });
        one.setAttribute("aria-label", t(String(way[2]), { name: t("kind." + kind) }));
        one.disabled = to < 0 || to >= value.length;
        item.appendChild(one);
      });
      list.appendChild(item);
    });
    const row = el("div", "people");
    KINDS.forEach((kind) => {
      const is = value.indexOf(kind) >= 0;
      const one = button(t("kind." + kind), is ? "is-chosen" : "", () => set("ladder", is ? value.filter((each) => each !== kind) : value.concat(kind)));
      one.setAttribute("aria-pressed", String(is));
      one.disabled = kind === "liubohong";
      row.appendChild(one);
    });
    const whole = el("div");
    fill(whole, list, row);
    return whole;
  }

  /** @param {string} name */
  function control(name) {
    const value = now(name);
    const words = (one) => valueWords(t, name, one);
    if (name === "ladder") return ladder();
    if (LISTS[name]) return several(name, LISTS[name]);
    if (NUMBERS[name]) return chips(NUMBERS[name], value, words, (one) => set(name, one));
    if (name === "closing") return chips(CLOSING.indexOf(value) >= 0 ? CLOSING : CLOSING.concat(value), value, words, (one) => set(name, one));
    return chips(typeof value === "boolean" ? [true, false] : start.choices[name] || [], value, words, (one) => set(name, one));
  }

  let open = false;
  function draw() {
    const every = /** @type {HTMLDetailsElement} */ (el("details", "every"));
    every.open = open;
    every.addEventListener("toggle", () => {
      open = every.open;
    });
    every.appendChild(el("summary", "", t("setup.every") + (Object.keys(plan.switches).length ? t("setup.changed") : "")));
    SWITCHES.forEach((name) => {
      const one = el("section", "switch");
      one.classList.toggle("is-changed", name in plan.switches);
      fill(one, el("h3", "", t("switch." + name)), el("p", "hint", t("switch." + name + ".why")), control(name));
      every.appendChild(one);
    });
    fill(box, ...PRESETS.map(card), every);
  }
  draw();
  return [el("p", "", t("setup.rules.why")), box];
}
