/** Parts of the phone that are used again and again: buttons, a row of dice one taps, a pad of six. */
import { die } from "./dice.js";
import { el, fill } from "./dom.js";

/**
 * Draw a part anew without taking the keyboard's focus away: the control with the same name gets it back.
 * @param {HTMLElement} node
 * @param {function(): void} draw
 */
export function keepingFocus(node, draw) {
  const active = document.activeElement;
  const inside = active && node.contains(active) ? /** @type {HTMLElement} */ (active) : null;
  const name = inside ? nameOf(inside) : "";
  draw();
  if (!inside || document.activeElement === inside) return;
  const same = Array.from(node.querySelectorAll("button, select, input, [tabindex]")).filter((one) => nameOf(one) === name)[0];
  if (same) /** @type {HTMLElement} */ (same).focus();
}

/** @param {Element} node */
function nameOf(node) {
  return node.id || node.getAttribute("aria-label") || (node.firstChild ? node.firstChild.textContent : "");
}

/** @param {import("./words.js").Translate} t */
export function createParts(t) {
  /**
   * A button; while what it began is under way it says so, and a second tap does nothing.
   * @param {string} text
   * @param {string} className
   * @param {function(): (void | Promise<any>)} pressed
   * @param {string} [cost] what pressing it costs, in small letters below
   * @returns {HTMLButtonElement}
   */
  function button(text, className, pressed, cost) {
    const node = /** @type {HTMLButtonElement} */ (el("button", className, text));
    node.type = "button";
    if (cost) node.appendChild(el("small", "", cost));
    node.addEventListener("click", () => {
      if (node.hasAttribute("aria-busy")) return;
      const going = pressed();
      if (!going || !going.then) return;
      const inside = Array.from(node.childNodes);
      node.setAttribute("aria-busy", "true");
      fill(node, el("span", "", t("phone.busy")));
      going.then(() => {
        node.removeAttribute("aria-busy");
        fill(node, ...inside);
      });
    });
    return node;
  }

  /**
   * Six dice; a tap on one chooses it.
   * @param {number[]} dice fewer than six leave empty places
   * @param {number} chosen
   * @param {number[]} marked places to be marked: the doubtful ones, or those that were changed
   * @param {string} mark the class that marks them
   * @param {function(number): void} tapped
   */
  function diceRow(dice, chosen, marked, mark, tapped) {
    const line = el("div", "picks");
    for (let k = 0; k < 6; k += 1) {
      if (dice[k] === undefined) {
        line.appendChild(el("span", "blank"));
        continue;
      }
      const node = button("", "pick", () => tapped(k));
      node.setAttribute("aria-label", t("die.value", { n: dice[k] }));
      node.classList.toggle("is-chosen", k === chosen);
      node.classList.toggle(mark, k !== chosen && marked.indexOf(k) >= 0);
      node.appendChild(die(dice[k]));
      line.appendChild(node);
    }
    return line;
  }

  /**
   * A pad of values.
   * @param {number[]} order
   * @param {boolean} short one row instead of two
   * @param {function(number): (void | Promise<any>)} tapped
   */
  function pad(order, short, tapped) {
    const node = el("div", short ? "pad is-short" : "pad");
    order.forEach((value) => {
      const one = button("", "pick", () => tapped(value));
      one.setAttribute("aria-label", t("die.value", { n: value }));
      one.appendChild(die(value));
      node.appendChild(one);
    });
    return node;
  }

  /** @param {...Node} children side by side */
  function line(...children) {
    const node = el("div", "line");
    children.forEach((child) => node.appendChild(child));
    return node;
  }

  return { button: button, diceRow: diceRow, pad: pad, line: line };
}
