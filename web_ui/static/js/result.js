/** A result grows over the board, stays by its weight, and returns. */
import { cake, el, fill, fit, fitHeight, inParts, seal } from "./dom.js";
import { row } from "./dice.js";
import { proof } from "./side.js";
import { lostPicture } from "./stills.js";
import { handGloss, handText, splitHand } from "./words.js";

const STAY_MS = {
  none: 1500,
  yixiu: 1500,
  erju: 2000,
  sijin: 3000,
  sanhong: 3400,
  duitang: 4200,
  jump: 3400,
  sihong: 7000,
  wuzi: 7000,
  wuhong: 7500,
  chajinhua: 8000,
  liubohei: 8000,
  biandijin: 8000,
  liubohong: 8000,
};
const QUIET = ["behind", "lower"];
const QUIET_MS = 4000;
const LUGU_MS = 7000;
const CHASE_MS = 3200;
const FRAME_MS = 160;
// a plate is round: words that fill more of its height than this run over the rim
const FULL = 0.87;
const RIM = 0.93;
const LEAVE_MS = 360;
// hands that the fours make, and all that can be champion
const RED = ["yixiu", "erju", "sanhong", "sihong", "wuzi", "wuhong", "chajinhua", "liubohong"];
const CHAMPIONS = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohong", "biandijin"];

/** Whether this viewer has asked for less motion. */
function still() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {any} thrown @returns {number} milliseconds */
export function weight(thrown) {
  if (thrown.jump) return STAY_MS.jump;
  if (thrown.champion === "lugu") return LUGU_MS;
  if (QUIET.indexOf(thrown.champion) >= 0) return QUIET_MS;
  return Math.max(STAY_MS[thrown.kind] || STAY_MS.none, thrown.chased && thrown.chased.length ? CHASE_MS : 0);
}

/** @param {any} thrown @returns {string} how the scene is lit */
export function light(thrown) {
  if (thrown.jump) return "jump";
  if (thrown.kind === "liubohei") return "dark";
  if (thrown.champion === "lugu") return "fallen";
  if (thrown.kind === "liubohong") return "crimson";
  if (CHAMPIONS.indexOf(thrown.kind) >= 0 && QUIET.indexOf(thrown.champion) < 0) return "moonlit";
  return "plain";
}

/**
 * @param {HTMLElement} node
 * @param {import("./words.js").Translate} t
 */
export function createResult(node, t) {
  /** @type {number[]} */
  let timers = [];
  /** @type {null | function(): void} */
  let after = null;
  /** @type {any[]} */
  let shown = [];

  /** @param {any} thrown @param {any} state @param {any} before who was champion before */
  function draw(thrown, state, before) {
    const fallen = thrown.champion === "lugu";
    const hand = fallen ? { before: "", word: t("kind.lugu"), behind: handText(t, thrown) } : splitHand(handText(t, thrown));
    const plate = el("div", "plate");
    plate.appendChild(el("div", "ring"));
    const words = el("div", "plate-words");
    const name = el("p", "result-name", thrown.name);
    // what one is called by this throw, where the hand itself does not say so
    const title = t.local(thrown.title || "");
    if (title && t.zh && !fallen && [hand.before, hand.word].indexOf(title) < 0) name.appendChild(el("span", "result-title", title));
    const line = el("p", "result-hand");
    if (hand.before) line.appendChild(el("span", "before", hand.before));
    line.appendChild(el("span", "hand-word", hand.word));
    if (hand.behind) line.appendChild(el("span", "behind", hand.behind));
    line.classList.toggle("is-red", RED.indexOf(thrown.kind) >= 0 && !fallen);
    line.classList.toggle("is-long", hand.word.length > 3);
    words.appendChild(name);
    words.appendChild(line);
    const gloss = handGloss(t, thrown);
    if (gloss) words.appendChild(el("p", "result-gloss", gloss));
    if (thrown.dice) words.appendChild(row(thrown.dice));
    const holder = state.champion ? state.champion.name : "";
    const passes = before && state.champion && before.id !== state.champion.id && ["new", "lugu"].indexOf(thrown.champion) >= 0;
    if (passes) words.appendChild(passing(state, before));
    else if (thrown.champion && thrown.champion !== "kept") words.appendChild(el("p", "result-champion", t("champion." + thrown.champion, { name: holder })));
    told(thrown, state).forEach((text) => words.appendChild(el("p", "result-champion", text)));
    // the reasons stand under the picture that proves them; without a picture, on the plate
    const why = inParts(el("p", "result-why"), t.why(thrown));
    if (!thrown.still && !wordy(thrown)) words.appendChild(why);
    plate.appendChild(words);
    const picture = proof(thrown.still);
    if (picture && thrown.replay && !still()) replay(picture, thrown.replay);
    fill(node, el("div", "veil"), plate, picture, thrown.still || wordy(thrown) ? why : null, lostPicture(t, thrown));
    if (thrown.jump) node.appendChild(leapingDie(thrown));
    return name;
  }

  /** Whether the row of dice lies so low on the round plate that it runs over the rim. */
  function overRim() {
    const dice = node.querySelector(".plate .dice");
    if (!dice) return false;
    const row = dice.getBoundingClientRect();
    const plate = /** @type {Element} */ (node.querySelector(".plate")).getBoundingClientRect();
    const low = row.bottom - plate.top - plate.height / 2;
    return Math.sqrt(row.width * row.width + 4 * low * low) > plate.width * RIM;
  }

  /** Without a picture, a long reason stands where the picture would; a round plate has no room for it. @param {any} thrown */
  function wordy(thrown) {
    return !thrown.still && t.why(thrown).length > (t.zh ? 26 : 60);
  }

  /** The champion's cake goes from one to the other. @param {any} state @param {any} before */
  function passing(state, before) {
    const line = el("div", "passing");
    [before, state.champion].forEach((one, k) => {
      const who = el("span", "passing-who");
      const player = state.players.filter((each) => each.id === one.id)[0];
      who.appendChild(seal(player ? player.seal : ""));
      who.appendChild(el("b", "", one.name));
      line.appendChild(who);
      if (k === 0) line.appendChild(el("span", "passing-way"));
    });
    line.children[1].appendChild(cake("zhuangyuan", "passing-cake"));
    line.setAttribute("aria-label", t("champion.passes", { from: before.name, to: state.champion.name }));
    return line;
  }

  /** A long name takes two lines rather than being cut. @param {Element} name */
  function fitPassing(name) {
    const line = /** @type {HTMLElement} */ (name);
    const fits = fit(line, 0.42, 0.32);
    line.classList.toggle("two-lines", !fits);
    if (!fits) line.style.fontSize = "";
  }

  /** What was chased, what was gone. @param {any} thrown @param {any} state @returns {string[]} */
  function told(thrown, state) {
    const names = {};
    state.players.forEach((player) => {
      names[player.id] = player.name;
    });
    return (thrown.chased || []).slice(0, 2).map((one) => t("chased", { from: names[one.from] || "", tier: t("tier." + one.tier) }));
  }

  /**
   * The throw once more, where the table kept it: one picture that moves by itself, or several in a row.
   * @param {HTMLElement} frame
   * @param {string | string[]} pictures
   */
  function replay(frame, pictures) {
    const picture = /** @type {HTMLImageElement} */ (frame.querySelector("img"));
    if (typeof pictures === "string") {
      picture.src = pictures;
      return;
    }
    const last = picture.src;
    const all = pictures.concat(last);
    let k = 0;
    const step = () => {
      picture.src = all[k % all.length];
      k += 1;
      timers.push(setTimeout(step, k % all.length === 0 ? FRAME_MS * 6 : FRAME_MS));
    };
    step();
  }

  /** @param {any} thrown */
  function leapingDie(thrown) {
    const value = thrown.dice && thrown.dice.length ? thrown.dice[0] : 3;
    const die = row([value], "leap");
    die.setAttribute("aria-hidden", "true");
    return die;
  }

  function clear() {
    timers.forEach((timer) => clearTimeout(timer));
    timers = [];
    node.hidden = true;
    document.body.classList.remove("has-result");
    document.body.dataset.scene = "";
    node.className = "result";
    const then = after;
    after = null;
    if (then) then();
  }

  /**
   * @param {any} thrown
   * @param {any} state
   * @param {any} before who was champion before
   * @param {function(): void} then called once, when the result has returned or was skipped
   */
  function show(thrown, state, before, then) {
    clear();
    after = then;
    node.hidden = false;
    document.body.classList.add("has-result");
    document.body.dataset.scene = light(thrown);
    lay(thrown, state, before);
    timers.push(setTimeout(() => {
        node.classList.add("is-leaving");
        document.body.classList.remove("has-result");
      }, weight(thrown)));
    timers.push(setTimeout(clear, weight(thrown) + LEAVE_MS));
  }

  /** @param {any} thrown @param {any} state @param {any} before */
  function lay(thrown, state, before) {
    shown = [thrown, state, before];
    node.className = "result is-" + light(thrown) + (thrown.still ? "" : wordy(thrown) ? " is-told" : " no-proof");
    node.dataset.throw = String(thrown.number);
    fit(draw(thrown, state, before), 0.56, 0.32);
    Array.from(node.querySelectorAll(".passing-who b")).forEach(fitPassing);
    const why = /** @type {HTMLElement} */ (node.querySelector(".result-why"));
    if (wordy(thrown)) fitHeight(why, 0.5, 0.28, 5.4);
    else fitHeight(why, 0.36, 0.26, thrown.still ? 2 : 1.4);
    const words = /** @type {HTMLElement} */ (node.querySelector(".plate-words"));
    const tall = Array.from(words.children).reduce((sum, part) => sum + /** @type {HTMLElement} */ (part).offsetHeight, 0);
    words.classList.toggle("is-tight", tall > words.clientHeight * FULL || overRim());
  }

  /** Its picture is missing. @param {any} thrown */
  function without(thrown) {
    if (!node.hidden && thrown && thrown.lost && shown[0].still && shown[0].number === thrown.number) lay(thrown, shown[1], shown[2]);
  }

  return { show: show, without: without, skip: clear, active: () => !node.hidden };
}
