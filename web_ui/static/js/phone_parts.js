/** Parts of the phone that are used again and again: buttons, a row of dice one taps, a pad of six. */
import { die } from "./dice.js";
import { el } from "./dom.js";

/**
 * @param {string} text
 * @param {string} className
 * @param {function(): void} pressed
 * @returns {HTMLButtonElement}
 */
export function button(text, className, pressed) {
  const node = /** @type {HTMLButtonElement} */ (el("button", className, text));
  node.type = "button";
  node.addEventListener("click", pressed);
  return node;
}

/**
 * Six dice; a tap on one chooses it.
 * @param {import("./words.js").Translate} t
 * @param {number[]} dice fewer than six leave empty places
 * @param {number} chosen
 * @param {number[]} unsure
 * @param {function(number): void} tapped
 */
export function diceRow(t, dice, chosen, unsure, tapped) {
  const line = el("div", "picks");
  for (let k = 0; k < 6; k += 1) {
    if (dice[k] === undefined) {
      line.appendChild(el("span", "blank"));
      continue;
    }
    const node = button("", "pick", () => tapped(k));
    node.setAttribute("aria-label", t("die.value", { n: dice[k] }));
    node.classList.toggle("is-chosen", k === chosen);
    node.classList.toggle("is-doubtful", k !== chosen && unsure.indexOf(k) >= 0);
    node.appendChild(die(dice[k]));
    line.appendChild(node);
  }
  return line;
}

/**
 * A pad of values.
 * @param {import("./words.js").Translate} t
 * @param {number[]} order
 * @param {boolean} short one row instead of two
 * @param {function(number): void} tapped
 */
export function pad(t, order, short, tapped) {
  const node = el("div", short ? "pad is-short" : "pad");
  order.forEach((value) => {
    const one = button("", "pick", () => tapped(value));
    one.setAttribute("aria-label", t("die.value", { n: value }));
    one.appendChild(die(value));
    node.appendChild(one);
  });
  return node;
}
