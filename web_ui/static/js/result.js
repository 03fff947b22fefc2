/** A result grows over the board, stays by its weight, and returns. */
import { el, fill, fit, fitHeight } from "./dom.js";
import { row } from "./dice.js";
import { proof } from "./side.js";
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
// a plate is round: words that fill more of its height than this run over the rim
const FULL = 0.87;
const LEAVE_MS = 360;
// hands that the fours make, and all that can be champion
const RED = ["yixiu", "erju", "sanhong", "sihong", "wuzi", "wuhong", "chajinhua", "liubohong"];
const CHAMPIONS = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohong", "biandijin"];

/** @param {any} thrown @returns {number} milliseconds */
export function weight(thrown) {
  if (thrown.jump) return STAY_MS.jump;
  if (QUIET.indexOf(thrown.champion) >= 0) return QUIET_MS;
  return STAY_MS[thrown.kind] || STAY_MS.none;
}

/** @param {any} thrown @returns {string} how the scene is lit */
export function light(thrown) {
  if (thrown.jump) return "jump";
  if (thrown.kind === "liubohei") return "dark";
  if (CHAMPIONS.indexOf(thrown.kind) >= 0 && QUIET.indexOf(thrown.champion) < 0) return "moonlit";
  return "plain";
}

/**
 * @param {HTMLElement} node
 * @param {import("./words.js").Translate} t
 * @param {string} language
 */
export function createResult(node, t, language) {
  const zh = language.indexOf("zh") === 0;
  /** @type {number[]} */
  let timers = [];
  /** @type {null | function(): void} */
  let after = null;

  /** @param {any} thrown @param {string} holder who is champion now */
  function draw(thrown, holder) {
    const hand = splitHand(handText(t, thrown));
    const plate = el("div", "plate");
    plate.appendChild(el("div", "ring"));
    const words = el("div", "plate-words");
    const name = el("p", "result-name", thrown.name);
    const line = el("p", "result-hand");
    if (hand.before) line.appendChild(el("span", "before", hand.before));
    line.appendChild(el("span", "hand-word", hand.word));
    if (hand.behind) line.appendChild(el("span", "behind", hand.behind));
    line.classList.toggle("is-red", RED.indexOf(thrown.kind) >= 0);
    line.classList.toggle("is-long", hand.word.length > 3);
    words.appendChild(name);
    words.appendChild(line);
    const gloss = handGloss(t, thrown);
    if (gloss) words.appendChild(el("p", "result-gloss", gloss));
    if (thrown.dice) words.appendChild(row(thrown.dice));
    if (thrown.champion && thrown.champion !== "kept") words.appendChild(el("p", "result-champion", t("champion." + thrown.champion, { name: holder })));
    // the reasons stand under the picture that proves them; without a picture, on the plate
    const why = el("p", "result-why", zh ? thrown.zh : thrown.en);
    if (!thrown.still) words.appendChild(why);
    plate.appendChild(words);
    fill(node, el("div", "veil"), plate, proof(thrown.still), thrown.still ? why : null);
    if (thrown.jump) node.appendChild(leapingDie(thrown));
    return name;
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
   * @param {string} holder who is champion now
   * @param {function(): void} then called once, when the result has returned or was skipped
   */
  function show(thrown, holder, then) {
    clear();
    after = then;
    node.hidden = false;
    document.body.classList.add("has-result");
    document.body.dataset.scene = light(thrown);
    node.className = "result is-" + light(thrown) + (thrown.still ? "" : " no-proof");
    node.dataset.throw = String(thrown.number);
    fit(draw(thrown, holder), 0.56, 0.32);
    const why = /** @type {HTMLElement} */ (node.querySelector(".result-why"));
    fitHeight(why, 0.36, 0.26, thrown.still ? 2 : 1.4);
    const words = /** @type {HTMLElement} */ (node.querySelector(".plate-words"));
    const tall = Array.from(words.children).reduce((sum, part) => sum + /** @type {HTMLElement} */ (part).offsetHeight, 0);
    words.classList.toggle("is-tight", tall > words.clientHeight * FULL);
    timers.push(setTimeout(() => {
        node.classList.add("is-leaving");
        document.body.classList.remove("has-result");
      }, weight(thrown)));
    timers.push(setTimeout(clear, weight(thrown) + LEAVE_MS));
  }

  return { show: show, skip: clear, active: () => !node.hidden };
}
