/** Sheets that come up from below: begin, end, a throw by hand, a past throw put right. */
import { el, fill } from "./dom.js";
import { jumpCost, lossOf } from "./jump.js";
import { createParts } from "./phone_parts.js";

const PRESETS = ["xiamen", "short", "contest", "chase", "fifteen", "company"];

/**
 * @param {HTMLDialogElement} sheet
 * @param {import("./words.js").Translate} t
 * @param {function(): any} state
 * @param {function(any): Promise<boolean>} give
 */
export function createSheets(sheet, t, state, give) {
  const { button, diceRow, pad } = createParts(t);

  function close() {
    if (sheet.open) sheet.close();
    fill(sheet);
  }

  /** @param {string} title @param {...(Node | null)} parts */
  function open(title, ...parts) {
    fill(sheet, el("h2", "", title), ...parts);
    if (!sheet.open) sheet.showModal();
  }

  /** @param {any} command */
  function giveAndClose(command) {
    return give(command).then((done) => {
      if (done) close();
    });
  }

  /** @param {...Node} children */
  function line(...children) {
    const node = el("div", "line");
    children.forEach((child) => node.appendChild(child));
    return node;
  }

  const cancel = () => button(t("phone.cancel"), "", close);

  /** Begin a game: names, rules, who throws first. */
  function start() {
    const names = /** @type {HTMLTextAreaElement} */ (el("textarea"));
    names.rows = 6;
    names.id = "names";
    names.placeholder = t("phone.players_hint");
    names.value = state().players.map((player) => player.name).join("\n");
    const rules = choice("rules", PRESETS.map((name) => [name, t("rules." + name)]));
    const first = choice("first", [["", t("phone.first_list")], ["random", t("phone.first_random")]]);
    const fault = el("p", "fault");
    fault.setAttribute("role", "alert");
    const preset = state().rules && state().rules.preset;
    if (PRESETS.indexOf(preset) >= 0) rules.value = preset;
    const go = button(t("phone.start"), "main", () => {
      const players = names.value.split(/[\n,，、;；]/).map((name) => name.trim()).filter(Boolean);
      const twice = players.filter((name, k) => players.indexOf(name) !== k)[0];
      fault.textContent = !players.length ? t("error.names") : twice ? t("error.same", { name: twice }) : "";
      if (!fault.textContent) return giveAndClose({ command: "start", players: players, rules: rules.value, first: first.value || null });
    });
    open(t("phone.start"), label("names", t("phone.players")), names, label("rules", t("phone.rules")), rules, label("first", t("phone.first")), first, fault, line(cancel(), go));
  }

  /** End the game: asks once, in the words of what will be lost. */
  function end() {
    const left = state().tiers.reduce((sum, tier) => sum + tier.left, 0);
    open(
      t("phone.end_title"),
      el("p", "", t("phone.end_ask", { n: left })),
      line(button(t("phone.no"), "", close), button(t("phone.end_yes"), "grave", () => giveAndClose({ command: "end" })))
    );
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
    keypad(
      t("phone.correct", { n: thrown.number }) + " · " + thrown.name,
      thrown.dice || [],
      !thrown.jump,
      t("phone.correct_save"),
      (dice) => giveAndClose({ command: "correct", throw: thrown.number, dice: dice }),
      el("p", "label", t("phone.whose")),
      people,
      was
    );
  }

  return { start: start, end: end, jump: jump, byHand: byHand, correct: correct };
}

/** @param {number[]} dice */
function sorted(dice) {
  return dice.slice().sort().join(" ");
}

/** @param {string} id @param {string[][]} options @returns {HTMLSelectElement} */
function choice(id, options) {
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
function label(target, text) {
  const node = /** @type {HTMLLabelElement} */ (el("label", "", text));
  node.htmlFor = target;
  return node;
}
