/** Who throws first: the first of the list, a lot, one who is named, or two dice that the elder throws. */
import { el, fill } from "./dom.js";
import { createParts } from "./phone_parts.js";

const WAYS = ["list", "two_dice", "random", "player"];

/**
 * @param {import("./words.js").Translate} t
 * @param {function(): string[]} names
 * @returns {{node: HTMLElement, value: function(): any, draw: function(): void}} value is what the command `start` takes as `first`
 */
export function createFirst(t, names) {
  const { button, pad } = createParts(t);
  const node = el("fieldset", "first");
  let way = "list";
  let who = 0;
  let dice = [];

  function draw() {
    const parts = [el("legend", "label", t("phone.first"))];
    const ways = el("div", "people");
    WAYS.forEach((one) => {
      const chip = button(t("first." + one), one === way ? "is-chosen" : "", () => {
        way = one;
        dice = [];
        draw();
      });
      chip.setAttribute("aria-pressed", String(one === way));
      ways.appendChild(chip);
    });
    parts.push(ways);
    if (way === "two_dice" || way === "player") parts.push(el("p", "label", t(way === "player" ? "first.who" : "first.elder")), people());
    if (way === "two_dice") {
      parts.push(el("p", "label", t("first.dice", { dice: dice.length ? dice.join(" + ") : "" })), pad([1, 2, 3, 4, 5, 6], true, tapped));
      if (dice.length === 2) parts.push(el("p", "hint", t("first.counts", { n: dice[0] + dice[1] })));
    }
    fill(node, ...parts);
  }

  function people() {
    const row = el("div", "people");
    names().forEach((name, k) => {
      row.appendChild(
        button(name, k === who ? "is-chosen" : "", () => {
          who = k;
          draw();
        })
      );
    });
    return row;
  }

  /** @param {number} value */
  function tapped(value) {
    dice = dice.length === 2 ? [value] : dice.concat(value);
    draw();
  }

  function value() {
    const name = names()[who] || names()[0];
    if (way === "random") return "random";
    if (way === "player") return { player: name };
    if (way === "two_dice" && dice.length === 2) return { elder: name, dice: dice };
    return null;
  }

  draw();
  return { node: node, value: value, draw: draw };
}
