/** Who throws first: the first of the list, a lot, one who is named, or two dice that the elder throws. */
import { el, fill } from "./dom.js";
import { createParts } from "./phone_parts.js";
import { createTwoDice } from "./two_dice.js";

const WAYS = ["list", "two_dice", "random", "player"];

/**
 * @param {import("./words.js").Translate} t
 * @param {function(): string[]} names
 * @param {{way?: string, elder?: string, begin?: function(): void}} [more] way: what is chosen at first; elder: who is marked at first; begin: called when the two dice and who threw
 *   them are both known, so that no further tap is needed
 * @returns {{node: HTMLElement, value: function(): any, lacks: function(): string, draw: function(): void, stop: function(): void}} value is what
 *   the command `start` takes as `first`; stop lets the camera go
 */
export function createFirst(t, names, more) {
  const { button } = createParts(t);
  const begin = more && more.begin;
  const node = el("fieldset", "first");
  let way = (more && more.way) || "list";
  let who = Math.max(0, names().indexOf((more && more.elder) || ""));
  let dice = [];
  // dice that the camera read wait for a tap on who threw them; a tapped pair takes who is marked
  const two = createTwoDice(t, (pair, read) => {
    dice = pair;
    draw();
    if (begin && !read) begin();
  });

  /** @param {string} chosen */
  function take(chosen) {
    way = chosen;
    dice = [];
    two.stop();
    if (way === "two_dice") two.watch();
    draw();
  }

  function draw() {
    const parts = [el("legend", "label", t("phone.first"))];
    const ways = el("div", "people");
    WAYS.forEach((one) => {
      const chip = button(t("first." + one), one === way ? "is-chosen" : "", () => take(one));
      chip.setAttribute("aria-pressed", String(one === way));
      ways.appendChild(chip);
    });
    parts.push(ways);
    if (way === "two_dice" || way === "player") parts.push(el("p", "label", t(way === "player" ? "first.who" : begin && dice.length ? "first.elder_go" : "first.elder")), people());
    if (way === "two_dice") parts.push(two.node);
    two.show(dice);
    fill(node, ...parts);
  }

  function people() {
    const row = el("div", "people");
    names().forEach((name, k) => {
      row.appendChild(
        button(name, k === who ? "is-chosen" : "", () => {
          who = k;
          draw();
          if (begin && way === "two_dice" && dice.length === 2) begin();
        })
      );
    });
    return row;
  }

  function value() {
    const name = names()[who] || names()[0];
    if (way === "random") return "random";
    if (way === "player") return { player: name };
    if (way === "two_dice" && dice.length === 2) return { elder: name, dice: dice };
    return null;
  }

  /** What is still to be said; nothing where all is known. @returns {string} */
  const lacks = () => (way === "two_dice" && dice.length !== 2 ? t("first.tap_pair") : "");

  if (way === "two_dice") two.watch();
  draw();
  return { node: node, value: value, lacks: lacks, draw: draw, stop: two.stop };
}
