/** Sheets that come up from below: begin, a jump, a throw by hand. */
import { el, fill } from "./dom.js";
import { jumpCost } from "./jump.js";
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
  /** lets go of what the open sheet holds: the camera that waits for two dice */
  let letGo = () => undefined;
  sheet.addEventListener("close", () => letGo());

  function close() {
    fresh = null;
    letGo();
    if (sheet.open) sheet.close();
    fill(sheet);
  }

  /** @param {string} title @param {...(Node | null)} parts */
  function open(title, ...parts) {
    fresh = null;
    letGo();
    letGo = () => undefined;
    const head = el("h2", "", title);
    head.id = "sheet-title";
    head.tabIndex = -1;
    keepingFocus(sheet, () => fill(sheet, head, ...parts));
    if (sheet.open) return;
    sheet.showModal();
    // what the sheet is about is read first, and no key that is still down presses anything
    head.focus();
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

  /**
   * Begin a game: names, rules, who throws first. What the table played last stays, prizes too.
   * @param {string} [way] how it is found who throws first
   * @param {string} [elder] who throws the two dice
   */
  function start(way, elder) {
    const before = state();
    const played = before.rules && !before.demo;
    const names = /** @type {HTMLTextAreaElement} */ (el("textarea"));
    names.rows = way === "two_dice" ? 3 : 6;
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

    /** Nothing is begun, and nothing ended, before the names are right. */
    function begin() {
      const players = list();
      fault.textContent = wrongNames(t, players) || first.lacks();
      if (fault.textContent) return undefined;
      const command = { command: "start", players: players, rules: rules.value === "same" ? Object.assign({ preset: preset }, before.rules.switches) : rules.value, first: first.value() };
      if (rules.value === "same") Object.assign(command, { prizes: prizesOf(before) });
      const ready = isRunning(state()) ? give({ command: "end" }) : Promise.resolve(true);
      return ready.then((done) => done && giveAndClose(command));
    }
    const first = createFirst(t, list, { way: way, elder: elder || elderBefore(before), begin: begin });
    names.addEventListener("input", first.draw);
    const running = isRunning(before);
    const go = button(t(running ? "start.end_and_begin" : "phone.start"), running ? "main grave" : "main", begin);
    const told = running ? el("p", "warning", t("start.running", { n: cakesLeft(before) })) : null;
    const who = [label("names", t("phone.players")), names, label("rules", t("phone.rules")), rules];
    // who came for the two dice finds them first
    const parts = way === "two_dice" ? [first.node, ...who] : [...who, first.node];
    open(t("phone.start"), told, ...parts, fault, line(cancel(), go));
    letGo = first.stop;
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

  return { start: start, jump: jump, askJump: askJump, byHand: byHand, keypad: keypad, open: open, close: close, keepFresh: keepFresh, refresh: refresh };
}

/** Who threw the two dice for the game that was: mostly it is the same one again. @param {any} state @returns {string} a name, or nothing */
function elderBefore(state) {
  const counted = /two dice .* counted from player (\d+)/.exec(state.first || "");
  const player = counted ? state.players[Number(counted[1]) - 1] : null;
  return player ? player.name : "";
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

/** A real game is going on: another one can only begin when it has ended. @param {any} state */
export function isRunning(state) {
  return !state.demo && !state.over && state.phase !== "lobby";
}

/** @param {any} state @returns {number} cakes that nobody has won yet */
export function cakesLeft(state) {
  return state.tiers.reduce((sum, tier) => sum + tier.left, 0);
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
