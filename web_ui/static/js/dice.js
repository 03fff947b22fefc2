/** Dice as they are drawn: ivory cubes, in the order that makes the hand plain. */
import { drawing, el } from "./dom.js";

/**
 * Fours first, unless four or more of another face are the hand; then what there is most of; a straight stays in order.
 * @param {number[]} dice
 * @returns {number[]}
 */
export function inOrder(dice) {
  const count = [0, 0, 0, 0, 0, 0, 0];
  dice.forEach((value) => {
    count[value] += 1;
  });
  if (dice.length === 6 && count.slice(1).every((n) => n === 1)) return dice.slice().sort((a, b) => a - b);
  const rank = (value) => (value !== 4 && count[value] >= 4 ? 20 : value === 4 ? 10 : 0) + count[value];
  return dice.slice().sort((a, b) => rank(b) - rank(a) || a - b);
}

/** @param {number} value @returns {SVGElement} */
export function die(value) {
  return drawing("die-" + value, "die", "0 0 100 112");
}

/**
 * @param {number[]} dice
 * @param {string} [className]
 * @returns {HTMLElement}
 */
export function row(dice, className) {
  const node = el("div", "dice" + (className ? " " + className : ""));
  node.setAttribute("role", "img");
  const values = inOrder(dice);
  node.setAttribute("aria-label", values.join(" "));
  values.forEach((value) => node.appendChild(die(value)));
  return node;
}
