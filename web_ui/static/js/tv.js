/** The TV board: holds the state that is shown, and lets one thing happen at a time. */
import { el, fill } from "./dom.js";
import { moves, sendAll } from "./fly.js";
import { Guests } from "./guests.js";
import { follow } from "./link.js";
import { Pyramid } from "./pyramid.js";
import { createQuestion } from "./question.js";
import { createResult } from "./result.js";
import { createSide } from "./side.js";
import { translator } from "./words.js";

const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
const start = JSON.parse(stage.dataset.start || "{}");
stage.removeAttribute("data-start");
const t = translator(start.words);
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const pyramid = new Pyramid(get("tiers"), get("crown"), t);
const guests = new Guests(get("guests"), t);
const side = createSide(document, t, start.language);
const result = createResult(get("result"), t, start.language);
const question = createQuestion(get("question"), t, start.language);

/** the newest state, and the one whose cakes are drawn */
let now = start.state;
let drawn = start.state;
/** @type {null | function(): void} */
let endJourney = null;
const still = window.matchMedia && window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function drawBoard() {
  drawn = now;
  pyramid.show(now);
  guests.show(now);
}

/** Let the cakes go to their winners, then draw the board as it is now. */
function settle() {
  if (endJourney) return;
  const all = still ? [] : moves(drawn, now);
  if (!all.length) {
    drawBoard();
    return;
  }
  const target = now;
  const leaving = all.filter((move) => !move.from).map((move) => pyramid.node(move.tier, move.index));
  let over = false;
  const end = sendAll(
    get("flights"),
    all,
    (tier, index) => pyramid.node(tier, index),
    (id) => {
      const cell = guests.cell(id);
      return cell && (cell.querySelector(".guest-head") || cell);
    },
    () => {
      over = true;
      endJourney = null;
      leaving.forEach((node) => node && node.classList.remove("is-leaving"));
      if (target === now) drawBoard();
      else settle();
    }
  );
  if (over) return;
  endJourney = end;
  leaving.forEach((node) => node && node.classList.add("is-leaving"));
}

/** @param {any} before @param {any} after */
function isNewThrow(before, after) {
  if (!after.last || after.throws <= before.throws) return false;
  return !before.last || after.last.number > before.last.number;
}

/** @param {any} state */
function show(state) {
  if (state.language !== now.language && !/[?&]lang=/.test(location.search)) {
    location.reload();
    return;
  }
  const before = now;
  now = state;
  document.body.dataset.phase = state.phase;
  notice(state.notice ? (start.language === "en" ? state.notice.en : state.notice.zh) : "");
  get("demo").hidden = !state.demo;
  side.show(state, state.phase);
  question.show(state.question, state.demo);
  if (isNewThrow(before, state)) {
    if (result.active()) result.skip();
    if (endJourney) endJourney();
    result.show(state.last, state.champion ? state.champion.name : "", settle);
  } else if (state.question && result.active()) {
    result.skip();
  } else if (!result.active()) {
    settle();
  }
}

/** @param {string} text */
function notice(text) {
  const node = get("notice");
  node.hidden = !text;
  fill(node, text ? el("span", "", text) : null);
}

document.body.dataset.phase = now.phase;
pyramid.show(now);
guests.show(now);
show(now);
if (document.fonts && document.fonts.ready) document.fonts.ready.then(() => side.show(now, now.phase));

const link = follow(start.state, {
  state: show,
  phase: (phase) => {
    document.body.dataset.phase = phase;
    side.word(now, phase);
  },
  lost: (lost) => notice(lost ? t("tv.lost") : now.notice ? (start.language === "en" ? now.notice.en : now.notice.zh) : ""),
});

document.addEventListener("keydown", (event) => {
  if ((event.key === "Enter" || event.key === " ") && now.question && !event.repeat) {
    event.preventDefault();
    link.send({ command: "confirm" }).catch(() => notice(t("phone.failed")));
  }
});
