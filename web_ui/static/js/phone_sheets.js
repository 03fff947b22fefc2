/** Sheets that come up from below: begin, end, a throw by hand, a past throw put right. */
import { el, fill } from "./dom.js";
import { jumpCost, lossOf } from "./jump.js";
import { giftsFor } from "./phone_question.js";
import { createFirst } from "./first.js";
import { createParts, keepingFocus } from "./phone_parts.js";

export const PRESETS = ["xiamen", "short", "contest", "chase", "fifteen", "company"];

/**
 * @param {HTMLDialogElement} sheet
 * @param {import("./words.js").Translate} t
 * @param {function(): any} state
 * @param {function(any): Promise<boolean>} give
 */
export function createSheets(sheet, t, state, give) {
  const { button, diceRow, pad, line } = createParts(t);
  /** draws the open sheet anew when the table has changed; null where nothing in it can change */
  let fresh = null;

  function close() {
    fresh = null;
    if (sheet.open) sheet.close();
    fill(sheet);
  }

  /** @param {string} title @param {...(Node | null)} parts */
  function open(title, ...parts) {
    fresh = null;
    const head = el("h2", "", title);
    head.id = "sheet-title";
    keepingFocus(sheet, () => fill(sheet, head, ...parts));
    if (!sheet.open) sheet.showModal();
  }

  /** @param {function(): void} draw */
  function keepFresh(draw) {
    fresh = draw;
  }

  /** The open sheet follows what others change, but never under somebody's typing. */
  function refresh() {
    const typing = document.activeElement && document.activeElement.tagName === "INPUT" && /** @type {HTMLInputElement} */ (document.activeElement).value;
    if (sheet.open && fresh && !typing) fresh();
  }

  /** @param {any} command */
  function giveAndClose(command) {
    return give(command).then((done) => {
      if (done) close();
    });
  }

  const cancel = () => button(t("phone.cancel"), "", close);

  /** Begin a game: names, rules, who throws first. What the table played last stays, prizes too. */
  function start() {
    const before = state();
    const played = before.rules && !before.demo;
    const names = /** @type {HTMLTextAreaElement} */ (el("textarea"));
    names.rows = 6;
    names.id = "names";
    names.placeholder = t("phone.players_hint");
    names.value = before.players.map((player) => player.name).join("\n");
    const options = PRESETS.map((name) => [name, t("rules." + name)]);
    const rules = choice("rules", played ? [["same", t("phone.same_rules")]].concat(options) : options);
    const preset = before.rules && before.rules.preset;
    if (!played && PRESETS.indexOf(preset) >= 0) rules.value = preset;
    const fault = el("p", "fault");
    fault.setAttribute("role", "alert");
    const list = () => namesIn(names.value);
    const first = createFirst(t, list);
    names.addEventListener("input", first.draw);
    const go = button(t("phone.start"), "main", () => {
      const players = list();
      fault.textContent = wrongNames(t, players);
      if (fault.textContent) return undefined;
      const command = { command: "start", players: players, rules: rules.value === "same" ? Object.assign({ preset: preset }, before.rules.switches) : rules.value, first: first.value() };
      if (rules.value === "same") Object.assign(command, { prizes: prizesOf(before) });
      return giveAndClose(command);
    });
    open(t("phone.start"), label("names", t("phone.players")), names, label("rules", t("phone.rules")), rules, first.node, fault, line(cancel(), go));
  }

  /**
   * A jump: asks once, in the words of what will be lost.
   * @param {any} command
   * @param {string} title
   * @param {...string} lost
   */
  function askJump(command, title, ...lost) {
    open(
      title,
      ...lost.filter(Boolean).map((text) => el("p", "", text)),
      line(button(t("phone.jump_no"), "", close), button(t("phone.jump_yes"), "grave", () => giveAndClose(command)))
    );
  }

  /** The dice of the one whose turn it is jumped. */
  function jump() {
    const turn = state().turn;
    askJump({ command: "jump" }, t("phone.jump") + (turn ? " · " + turn.name : ""), jumpCost(t, state(), null));
  }

  /**
   * Six taps on a pad; a tap on a die that is already there changes that one.
   * @param {string} title
   * @param {number[]} before the dice as they were recorded
   * @param {boolean} other whether they must come out different
   * @param {string} go
   * @param {function(number[]): Promise<void>} done
   * @param {...Node} below
   */
  function keypad(title, before, other, go, done, ...below) {
    let dice = before.slice();
    let at = -1;
    const body = el("div");
    function draw() {
      const ready = button(go, "main", () => done(dice.slice()));
      ready.disabled = dice.length !== 6 || (other && sorted(dice) === sorted(before));
      const changed = before.map((value, k) => k).filter((k) => dice[k] !== undefined && dice[k] !== before[k]);
      const list = changed.map((k) => before[k] + " → " + dice[k]).join(t("jump.and"));
      fill(
        body,
        el("p", "hint", dice.length < 6 ? t("phone.by_hand_how") : t("phone.tap_die")),
        diceRow(dice, at, changed, "is-changed", (k) => {
          at = at === k ? -1 : k;
          draw();
        }),
        changed.length ? el("p", "changes", t("phone.changes", { list: list })) : null,
        pad([1, 2, 3, 4, 5, 6], false, (value) => {
          if (at >= 0) dice[at] = value;
          else if (dice.length < 6) dice.push(value);
          at = -1;
          draw();
        }),
        ready,
        line(
          button(t(before.length ? "phone.as_before" : "phone.clear_pad"), "", () => {
            dice = before.slice();
            at = -1;
            draw();
          }),
          cancel()
        )
      );
    }
    draw();
    open(title, body, ...below);
  }

  /** @param {string} command throw or confirm */
  function byHand(command) {
    keypad(t("phone.by_hand"), [], false, t("phone.record"), (dice) => giveAndClose({ command: command, dice: dice }));
  }

  /** @param {any} thrown a throw of the past */
  function correct(thrown) {
    const people = el("div", "people");
    state().players.forEach((player) => {
      const one = button(player.name, player.id === thrown.player ? "is-chosen" : "", () =>
        giveAndClose({ command: "correct", throw: thrown.number, player: player.id })
      );
      one.disabled = player.id === thrown.player;
      people.appendChild(one);
    });
    const was = button(t("phone.was_jump"), "", () =>
      askJump(
        { command: "correct", throw: thrown.number, jump: true },
        t("phone.was_jump") + " · " + thrown.name,
        jumpCost(t, state(), thrown.number),
        lossOf(t, thrown)
      )
    );
    was.disabled = thrown.jump;
    const gifts = giftsFor(state(), thrown);
    const wrapped = el("div", "people");
    gifts.forEach((gift) =>
      wrapped.appendChild(button(gift, gift === thrown.gift ? "is-chosen" : "", () => giveAndClose({ command: "gift", throw: thrown.number, gift: gift })))
    );
    keypad(
      t("phone.correct", { n: thrown.number }) + " · " + thrown.name,
      thrown.dice || [],
      !thrown.jump,
      t("phone.correct_save"),
      (dice) => giveAndClose({ command: "correct", throw: thrown.number, dice: dice }),
      el("p", "label", t("phone.whose")),
      people,
      was,
      ...(gifts.length ? [el("p", "label", t("phone.gift_choose")), wrapped] : [])
    );
  }

  return { start: start, jump: jump, byHand: byHand, correct: correct, open: open, close: close, keepFresh: keepFresh, refresh: refresh };
}

/** Names as people write or paste them: one a line, or with commas between. @param {string} text @returns {string[]} */
export function namesIn(text) {
  return text.split(/[\n\r,，、;；\t]/).map((name) => name.trim().replace(/^"(.*)"$/, "$1")).filter(Boolean);
}

/** @param {import("./words.js").Translate} t @param {string[]} names @returns {string} what is wrong with them; nothing where all is well */
export function wrongNames(t, names) {
  const twice = names.filter((name, k) => names.indexOf(name) !== k)[0];
  return !names.length ? t("error.names") : twice ? t("error.same", { name: twice }) : "";
}

/** @param {any} state */
function prizesOf(state) {
  const prizes = {};
  state.tiers.forEach((tier) => {
    prizes[tier.tier] = tier.prize;
  });
  return prizes;
}

/** @param {number[]} dice */
function sorted(dice) {
  return dice.slice().sort().join(" ");
}

/** @param {string} id @param {string[][]} options @returns {HTMLSelectElement} */
export function choice(id, options) {
  const node = /** @type {HTMLSelectElement} */ (el("select"));
  node.id = id;
  options.forEach((pair) => {
    const option = /** @type {HTMLOptionElement} */ (el("option", "", pair[1]));
    option.value = pair[0];
    node.appendChild(option);
  });
  return node;
}

/** @param {string} target @param {string} text */
export function label(target, text) {
  const node = /** @type {HTMLLabelElement} */ (el("label", "", text));
  node.htmlFor = target;
  return node;
}
