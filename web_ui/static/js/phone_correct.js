/** A throw of the past put right: one tap on what a die really shows, on whose throw it was, on a jump, on another gift. */
import { die } from "./dice.js";
import { el } from "./dom.js";
import { jumpCost, lossOf } from "./jump.js";
import { giftsFor } from "./phone_question.js";
import { createParts } from "./phone_parts.js";
import { lostPicture } from "./stills.js";

const VALUES = [1, 2, 3, 4, 5, 6];

/**
 * @param {any} sheets
 * @param {import("./words.js").Translate} t
 * @param {function(): any} state
 * @param {function(any): Promise<boolean>} give
 * @returns {function(any): void} opens the sheet of a throw
 */
export function createCorrect(sheets, t, state, give) {
  const { button, line } = createParts(t);
  const done = (command) => give(command).then((good) => good && sheets.close());

  /** Each die as it was recorded, and below it what it may be instead; a row is one value. @param {any} thrown */
  function columns(thrown) {
    const node = el("div", "columns");
    thrown.dice.forEach((value, k) => {
      const column = el("div", "column");
      column.setAttribute("role", "group");
      column.setAttribute("aria-label", t("die.nth", { k: k + 1, n: value }));
      column.appendChild(die(value));
      VALUES.forEach((other) => {
        if (other === value) {
          column.appendChild(el("span", "as-is", other));
          return;
        }
        const dice = thrown.dice.slice();
        dice[k] = other;
        const one = button(String(other), other === 4 ? "is-red" : "", () => done({ command: "correct", throw: thrown.number, dice: dice }));
        one.setAttribute("aria-label", value + " → " + other);
        column.appendChild(one);
      });
      node.appendChild(column);
    });
    return node;
  }

  /** What is to be done, beside the picture that tells what really lay there. @param {any} thrown */
  function head(thrown) {
    const node = el("div", "seen");
    if (thrown.dice) node.appendChild(el("p", "hint", t("phone.tap_value")));
    if (thrown.still) {
      const picture = /** @type {HTMLImageElement} */ (el("img"));
      picture.dataset.still = picture.src = thrown.still;
      picture.alt = "";
      node.appendChild(picture);
    }
    const lost = lostPicture(t, thrown);
    if (lost) node.appendChild(lost);
    return node;
  }

  /** @param {any} thrown */
  function people(thrown) {
    const row = el("div", "people");
    state().players.forEach((player) => {
      const mine = player.id === thrown.player;
      const one = button(player.name, mine ? "is-chosen" : "", () => done({ command: "correct", throw: thrown.number, player: player.id }));
      one.disabled = mine;
      row.appendChild(one);
    });
    return row;
  }

  /** @param {any} thrown @param {string[]} gifts */
  function gift(thrown, gifts) {
    const row = el("div", "people");
    gifts.forEach((one) => row.appendChild(button(one, one === thrown.gift ? "is-chosen" : "", () => done({ command: "gift", throw: thrown.number, gift: one }))));
    return [el("p", "label", t("phone.gift_choose")), row];
  }

  /** @param {any} thrown */
  function several(thrown) {
    const save = (dice) => done({ command: "correct", throw: thrown.number, dice: dice });
    sheets.keypad(t("phone.correct", { n: thrown.number }) + " · " + thrown.name, thrown.dice || [], !thrown.jump, t("phone.correct_save"), save);
  }

  return (thrown) => {
    const was = button(t("phone.was_jump"), "", () =>
      sheets.askJump(
        { command: "correct", throw: thrown.number, jump: true },
        t("phone.was_jump") + " · " + thrown.name,
        jumpCost(t, state(), thrown.number),
        lossOf(t, thrown)
      )
    );
    was.disabled = thrown.jump;
    const gifts = giftsFor(state(), thrown);
    sheets.open(
      t("phone.correct", { n: thrown.number }) + " · " + thrown.name,
      head(thrown),
      thrown.dice ? columns(thrown) : null,
      line(button(t(thrown.dice ? "phone.several" : "phone.by_hand"), "", () => several(thrown)), was),
      el("p", "label", t("phone.whose")),
      people(thrown),
      ...(gifts.length ? gift(thrown, gifts) : []),
      line(button(t("phone.close"), "", sheets.close))
    );
  };
}
