/** Prizes: how many of each tier, what they are called and worth, named gifts, and what it all adds up to. */
import { cake, el } from "./dom.js";
import { TIERS } from "./guests.js";

/**
 * What the evening costs: each tier's stock times its value.
 * @param {number[]} stock
 * @param {number} sets
 * @param {any} prizes
 * @returns {number}
 */
export function budget(stock, sets, prizes) {
  return TIERS.reduce((sum, tier, k) => sum + stock[k] * sets * ((prizes[tier] && prizes[tier].value) || 0), 0);
}

/**
 * @param {import("./words.js").Translate} t
 * @param {any} plan
 * @param {any} start
 * @param {function(): void} keep
 * @returns {HTMLElement[]}
 */
export function prizesStep(t, plan, start, keep) {
  const preset = start.presets[plan.preset];
  const stock = (plan.switches.stock || preset.stock).slice();
  const sets = plan.switches.sets || preset.sets;
  const sum = el("p", "budget");
  sum.setAttribute("role", "status");

  function total() {
    const cakes = stock.reduce((a, b) => a + b, 0) * sets;
    const worth = Math.round(budget(stock, sets, plan.prizes) * 100) / 100;
    sum.textContent = worth ? t("setup.budget", { n: cakes, sum: worth }) : t("tv.cakes", { n: cakes });
    keep();
  }

  /** @param {string} tier @param {any} change */
  function set(tier, change) {
    const prize = Object.assign({ name: "", value: 0, gifts: [] }, plan.prizes[tier], change);
    if (prize.name || prize.value || prize.gifts.length) plan.prizes[tier] = prize;
    else delete plan.prizes[tier];
    total();
  }

  /** @param {string} id @param {string} text @param {HTMLElement} control */
  function field(id, text, control) {
    const label = /** @type {HTMLLabelElement} */ (el("label", "field", text));
    label.htmlFor = id;
    control.id = id;
    label.appendChild(control);
    return label;
  }

  /** @param {string} tier @param {number} k */
  function part(tier, k) {
    const prize = plan.prizes[tier] || { name: "", value: 0, gifts: [] };
    const box = el("fieldset", "prize-box");
    const legend = el("legend", "");
    legend.appendChild(cake(tier));
    legend.appendChild(el("span", "", t("tier." + tier)));
    box.appendChild(legend);
    const many = /** @type {HTMLInputElement} */ (el("input"));
    many.type = "number";
    many.min = tier === "zhuangyuan" ? "1" : "0";
    many.max = "999";
    many.value = String(stock[k]);
    many.addEventListener("input", () => {
      const n = Math.round(Number(many.value));
      if (!(n >= Number(many.min) && n <= 999)) return;
      stock[k] = n;
      if (JSON.stringify(stock) === JSON.stringify(preset.stock)) delete plan.switches.stock;
      else plan.switches.stock = stock.slice();
      total();
    });
    const name = /** @type {HTMLInputElement} */ (el("input"));
    name.type = "text";
    name.maxLength = 60;
    name.value = prize.name;
    name.addEventListener("input", () => set(tier, { name: name.value.trim() }));
    const worth = /** @type {HTMLInputElement} */ (el("input"));
    worth.type = "number";
    worth.min = "0";
    worth.step = "any";
    worth.value = prize.value ? String(prize.value) : "";
    worth.addEventListener("input", () => set(tier, { value: Math.max(0, Number(worth.value) || 0) }));
    const gifts = /** @type {HTMLTextAreaElement} */ (el("textarea"));
    gifts.rows = 2;
    gifts.value = prize.gifts.join("\n");
    gifts.addEventListener("input", () => set(tier, { gifts: gifts.value.split(/\n/).map((one) => one.trim().slice(0, 60)).filter(Boolean) }));
    const line = el("div", "fields");
    line.appendChild(field("n-" + tier, t("setup.how_many"), many));
    line.appendChild(field("v-" + tier, t("setup.worth"), worth));
    box.appendChild(line);
    box.appendChild(field("p-" + tier, t("setup.prize"), name));
    box.appendChild(field("g-" + tier, t("setup.gifts"), gifts));
    return box;
  }

  const parts = [el("p", "", t("setup.prizes.why")), sum].concat(TIERS.map(part));
  total();
  return parts;
}
