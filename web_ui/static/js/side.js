/** The right-hand side: whose turn, one big word, the last throw with its proof, what came before, who comes next. */
import { el, fill, fit, fitHeight, inParts } from "./dom.js";
import { row } from "./dice.js";
import { createBetween, nearly } from "./between.js";
import { invitation, legend, rulesLine } from "./panels.js";
import { lostPicture } from "./stills.js";
import { handText } from "./words.js";

/**
 * @param {Document} page
 * @param {import("./words.js").Translate} t
 * @param {{address: string, qr: string}} follow
 */
export function createSide(page, t, follow) {
  const get = (id) => /** @type {HTMLElement} */ (page.getElementById(id));
  const between = createBetween(get("recent"), t, follow, squeeze);

  /** @param {any} state @param {string} phase */
  function word(state, phase) {
    const node = get("word");
    node.textContent = t("phase." + phase);
    const low = page.body.classList.contains("has-band") ? 0.84 : 1.2;
    fit(node, t.zh ? low : Math.min(low, 0.96), 0.6);
  }

  /** @param {any} state */
  function turn(state) {
    const whose = state.turn && !state.over ? state.turn.name : "";
    get("turn-label").textContent = whose ? t("tv.turn") : "";
    get("turn-name").textContent = whose;
    fit(get("turn-name"), 0.56, 0.3);
    get("lap").textContent = state.phase === "lobby" ? "" : t("tv.lap", { n: state.lap });
  }

  /** @param {any} state */
  function last(state) {
    const thrown = state.last;
    get("last").classList.toggle("is-tall", !thrown);
    get("side").classList.toggle("is-lobby", state.phase === "lobby");
    if (!thrown) {
      fill(get("last"), state.phase === "lobby" ? invitation(t, follow) : rulesOf(state), legend(t));
      return;
    }
    get("last").classList.toggle("no-proof", !thrown.still);
    const head = el("div", "last-head");
    head.appendChild(el("span", "last-name", thrown.name));
    head.appendChild(el("span", "last-hand", handText(t, thrown)));
    fill(get("last"), head, proof(thrown.still), thrown.dice ? row(thrown.dice, "last-dice") : el("div", "last-dice"), inParts(el("p", "why"), t.why(thrown)), lostPicture(t, thrown));
    const name = /** @type {HTMLElement} */ (head.firstChild);
    // a long name beside a long hand: both give way
    if (!fit(name, 0.44, 0.28)) {
      /** @type {HTMLElement} */ (head.lastChild).style.fontSize = ".56rem";
      fit(name, 0.4, 0.24);
    }
    fitHeight(/** @type {HTMLElement} */ (get("last").querySelector(".why")), 0.32, 0.26, thrown.lost ? 1.1 : 1.5);
  }

  /** @param {any} state */
  function rulesOf(state) {
    return state.rules ? rulesLine(t, state.rules) : null;
  }

  /** @param {any} state */
  function near(state) {
    const words = nearly(state, t);
    fill(get("nearly"), ...words);
    get("nearly").hidden = !words.length;
  }

  /** @param {any} state */
  function next(state) {
    const names = upcoming(state).map((player) => player.name);
    const node = get("next");
    fill(node);
    if (!names.length || state.over) return;
    node.appendChild(el("span", "label", t("tv.next")));
    const line = document.createTextNode("");
    node.appendChild(line);
    let n = Math.min(names.length, 4);
    do {
      line.data = names.slice(0, n).join(t.zh ? " · " : ", ");
      n -= 1;
    } while (n > 0 && node.scrollWidth > node.clientWidth);
  }

  /** @param {any} state @param {string} phase */
  function show(state, phase) {
    turn(state);
    word(state, phase);
    last(state);
    near(state);
    next(state);
    between.show(state);
    squeeze();
  }

  /** Before the first throw, long rules get smaller; then the hands draw together. */
  function squeezeRules() {
    const all = get("side");
    const rules = /** @type {HTMLElement | null} */ (get("last").querySelector(".rules-line"));
    const over = () => all.scrollHeight - all.clientHeight;
    if (!rules || over() <= 1) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    fitHeight(rules, 0.32, 0.24, Math.max(0.3, (rules.offsetHeight - over()) / rem));
    /** @type {HTMLElement} */ (get("last").querySelector(".legend")).classList.toggle("is-tight", over() > 1);
  }

  /** Everything has to fit: a sentence gets smaller, its heading goes, then rows, the oldest first; who comes next goes last of all. */
  function squeeze() {
    const all = get("side");
    const rows = get("recent");
    const over = () => all.scrollHeight > all.clientHeight + 1;
    get("next").hidden = false;
    squeezeRules();
    const words = /** @type {HTMLElement | null} */ (rows.querySelector(".between-line:last-child"));
    for (let size = 0.32; words && over() && size > 0.25; size -= 0.02) {
      words.style.fontSize = size.toFixed(2) + "rem";
      words.style.lineHeight = (size * 1.36).toFixed(3) + "rem";
    }
    // a sentence goes before its heading
    const head = /** @type {HTMLElement | null} */ (rows.querySelector(".between-head:first-child"));
    if (words && head && over()) head.hidden = true;
    while (!words && over() && rows.childElementCount > 2) rows.removeChild(/** @type {Node} */ (rows.lastChild));
    get("next").hidden = !rows.hidden && over();
    while (over() && rows.lastChild) rows.removeChild(rows.lastChild);
  }

  return { show: show, word: word, turnPanel: between.next };
}

/**
 * Who throws after the one whose turn it is, skips passed over.
 * @param {any} state
 * @returns {any[]}
 */
export function upcoming(state) {
  const at = state.players.findIndex((player) => state.turn && player.id === state.turn.id);
  if (at < 0) return [];
  return state.players
    .slice(at + 1)
    .concat(state.players.slice(0, at))
    .filter((player) => player.status === "playing" && !player.skip);
}

/**
 * The real picture of the bowl.
 * @param {string | null} still
 * @returns {HTMLElement | null}
 */
export function proof(still) {
  if (!still) return null;
  const frame = el("figure", "proof");
  const picture = /** @type {HTMLImageElement} */ (el("img"));
  picture.dataset.still = picture.src = still;
  picture.alt = "";
  frame.appendChild(picture);
  return frame;
}
