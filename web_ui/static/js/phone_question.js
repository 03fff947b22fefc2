/** A question on the phone, put so that one tap answers it; and which gift a throw has won. */
import { die } from "./dice.js";
import { el } from "./dom.js";
import { jumpCost } from "./jump.js";
import { createParts } from "./phone_parts.js";
import { doubtful, outlined } from "./question.js";
import { lostPicture } from "./stills.js";

/**
 * @param {import("./words.js").Translate} t
 * @param {function(any): Promise<boolean>} give
 * @param {function(): void} byHand
 * @param {function(): void} redraw
 */
export function createQuestionForm(t, give, byHand, redraw) {
  const { button, diceRow, pad } = createParts(t);
  /** the answer that is being put together: which question, which dice, which of them is being changed */
  let answer = { id: null, dice: [], place: -1 };

  /** The question, put so that one tap answers it. */
  function draw(state) {
    const question = state.question;
    if (answer.id !== question.id) {
      const dice = (question.dice || []).filter((one) => one.in_bowl !== false && one.value).map((one) => one.value);
      answer = { id: question.id, dice: dice.length === 6 || question.verdict === "incomplete" ? dice : [], place: -1 };
    }
    const unsure = doubtful(question);
    const missing = question.verdict === "incomplete" ? Math.max(0, 6 - answer.dice.length) : 0;
    const parts = [el("p", "ask-line", t.say(question))];
    if (state.demo) parts.push(el("p", "hint", t("demo.answers")));
    if (question.still) {
      const frame = el("div", "picture");
      frame.appendChild(outlined(question, t("phone.guess_note"), 1.5, true));
      parts.push(frame);
    } else if (question.lost) {
      parts.push(/** @type {HTMLElement} */ (lostPicture(t, question)));
    }
    if (answer.dice.length === 6 || missing) parts.push(diceRow(answer.dice, answer.place, chosenAmong(question, unsure), "is-doubtful", choose));
    if (answer.place >= 0) parts.push(values(question));
    else if (missing) parts.push(el("p", "label", missing === 1 ? t("phone.missing_one") : t("phone.missing", { n: missing })), missingPad());
    else if (question.verdict === "ask" && unsure.length === 1 && answer.dice.length === 6) parts.push(likely(question, unsure[0]));
    if (answer.dice.length === 6 && question.verdict !== "cocked" && !parts.some((part) => part.className === "likely")) {
      const dice = answer.dice.slice().sort().join(" ");
      parts.push(button(t("phone.confirm_as", { dice: dice }), "main", () => give({ command: "confirm", dice: answer.dice.slice() })));
    }
    const moved = question.about !== null && question.about !== undefined;
    const jump = button(t("phone.jump"), "", () => give({ command: "jump" }), jumpCost(t, state, moved ? question.about : null));
    const again = button(t(moved ? "phone.keep" : "phone.rethrow"), "", () => give({ command: "rethrow" }));
    const first = question.verdict === "cocked" ? again : jump;
    if (question.verdict === "jump" || question.verdict === "cocked") first.className = "main";
    else first.className = "wide";
    parts.push(first);
    const others = el("div", "line");
    others.appendChild(first === jump ? again : jump);
    others.appendChild(button(t("phone.by_hand"), "", () => byHand()));
    parts.push(others);
    return parts;
  }

  /** @param {any} question @param {any[]} unsure @returns {number[]} positions of doubtful dice in the answer */
  function chosenAmong(question, unsure) {
    const seen = question.dice.filter((one) => one.in_bowl !== false && one.value);
    return unsure.map((one) => seen.indexOf(one)).filter((at) => at >= 0);
  }

  /** @param {number} at */
  function choose(at) {
    answer.place = answer.place === at ? -1 : at;
    redraw();
  }

  /** Both likely values of the one doubtful die, large. */
  function likely(question, one) {
    const at = chosenAmong(question, [one])[0];
    const line = el("div", "likely");
    one.likely.slice(0, 2).forEach((pair) => {
      const dice = answer.dice.slice();
      dice[at] = pair[0];
      const node = button("", "pick is-large", () => give({ command: "confirm", dice: dice }));
      node.setAttribute("aria-label", t("die.value", { n: pair[0] }));
      node.appendChild(die(pair[0]));
      line.appendChild(node);
    });
    return line;
  }

  /** One tap for each die that was not seen; the last one makes six and confirms them. */
  function missingPad() {
    return pad([1, 2, 3, 4, 5, 6], true, (value) => {
      const dice = answer.dice.concat(value);
      if (dice.length === 6) return give({ command: "confirm", dice: dice });
      answer.dice = dice;
      redraw();
    });
  }

  /** The values for the die that was tapped, likely ones first. */
  function values(question) {
    const seen = question.dice.filter((one) => one.in_bowl !== false && one.value)[answer.place];
    const first = seen && seen.likely ? seen.likely.map((pair) => pair[0]) : [];
    const order = first.concat([1, 2, 3, 4, 5, 6].filter((value) => first.indexOf(value) < 0));
    return pad(order, true, (value) => {
      answer.dice[answer.place] = value;
      answer.place = -1;
      redraw();
    });
  }

  return { draw: draw };
}

/**
 * The last throw won something that has named gifts: one tap says which. Gifts that others have are left out.
 * @param {any} state
 * @param {import("./words.js").Translate} t
 * @param {function(any): Promise<boolean>} give
 * @returns {HTMLElement[]}
 */
export function giftChoice(state, t, give) {
  const thrown = state.last;
  if (!thrown || thrown.gift) return [];
  const gifts = giftsFor(state, thrown);
  if (!gifts.length) return [];
  const { button } = createParts(t);
  const line = el("div", "people");
  gifts.forEach((gift) => line.appendChild(button(gift, "", () => give({ command: "gift", throw: thrown.number, gift: gift }))));
  return [el("p", "label", t("phone.gift_which", { name: thrown.name })), line];
}

/**
 * The gifts that a throw may still take.
 * @param {any} state
 * @param {any} thrown
 * @returns {string[]}
 */
export function giftsFor(state, thrown) {
  const taken = state.gifts.filter((pair) => pair[0] !== thrown.number).map((pair) => pair[1]);
  const all = [];
  state.tiers.forEach((tier) => {
    if (thrown.won && thrown.won[tier.tier]) all.push(...tier.prize.gifts);
  });
  // a gift that is there twice can be taken twice
  taken.forEach((gift) => {
    if (all.indexOf(gift) >= 0) all.splice(all.indexOf(gift), 1);
  });
  return all.filter((gift, k) => all.indexOf(gift) === k);
}
