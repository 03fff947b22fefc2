/** The TV board: holds the state that is shown, and lets one thing happen at a time. */
import { createBox } from "./box.js";
import { createCeremony } from "./ceremony.js";
import { el, fill, fitHeight } from "./dom.js";
import { moves, sendAll } from "./fly.js";
import { Guests } from "./guests.js";
import { createKeys } from "./keys.js";
import { follow } from "./link.js";
import { newsOf } from "./news.js";
import { createPairing } from "./pairing.js";
import { Pyramid } from "./pyramid.js";
import { createQuestion } from "./question.js";
import { createResult } from "./result.js";
import { createSide } from "./side.js";
import { createSound } from "./sound.js";
import { createStills } from "./stills.js";
import { handText, translator } from "./words.js";

const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
const start = JSON.parse(stage.dataset.start || "{}");
stage.removeAttribute("data-start");
const t = translator(start.words, start.language);
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const pyramid = new Pyramid(get("tiers"), get("crown"), t);
const guests = new Guests(get("guests"), t, start.follow);
const side = createSide(document, t, start.follow);
const result = createResult(get("result"), t);
const question = createQuestion(get("question"), t);
const ceremony = createCeremony(get("ceremony"), t);
const sound = createSound(t, window);
const box = createBox(get("box-line"), t.say);
const pairing = createPairing(get("pairing"), t);

const stills = createStills(document, t, () => {
  now = stills.without(now);
  side.show(now, now.phase);
  question.show(now.question, t(howToAnswer(now)));
  result.without(now.last);
  if (!result.active()) settle();
});

/** the newest state, and the one whose cakes are drawn */
let now = start.state;
let drawn = start.state;
/** @type {any} until what changed need not be told any more */
let forget = 0;
const NEWS_MS = 8000;
/** @type {null | function(): void} */
let endJourney = null;
const still = window.matchMedia && window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function drawBoard() {
  drawn = now;
  pyramid.show(now, told());
  guests.show(now);
  ceremony.show(now);
}

/** Whether there is a line to tell between the board and the guests. */
function told() {
  return document.body.classList.contains("has-band");
}

/** Let the cakes go to their winners, then draw the board as it is now. */
function settle() {
  if (endJourney) return;
  const all = still || document.hidden ? [] : moves(drawn, now);
  if (!all.length) {
    drawBoard();
    return;
  }
  const target = now;
  const leaving = all.filter((move) => !move.from).map((move) => pyramid.node(move.tier, move.index));
  const givers = all.filter((move) => move.from && move.to).map((move) => guests.cell(/** @type {string} */ (move.from)));
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
      givers.forEach((node) => node && node.classList.remove("is-giver"));
      if (target === now) drawBoard();
      else settle();
    }
  );
  if (over) return;
  endJourney = end;
  leaving.forEach((node) => node && node.classList.add("is-leaving"));
  givers.forEach((node) => node && node.classList.add("is-giver"));
}

/** @param {any} before @param {any} after */
function isNewThrow(before, after) {
  if (!after.last || after.throws <= before.throws) return false;
  return !before.last || after.last.number > before.last.number;
}

/** How the screen is lit and how loud it is, as the phone has set it; an address may ask for another theme. */
function tune() {
  const asked = /[?&]theme=(dark|light)/.exec(location.search);
  document.body.dataset.theme = asked ? asked[1] : now.tv ? now.tv.theme : "dark";
  sound.set(now.tv);
  const mute = Boolean(now.tv && now.tv.mute);
  get("unmute").textContent = t(mute ? "tv.muted" : "tv.unmute");
  get("unmute").hidden = !mute && !sound.waiting();
}

/** The sentence that says how a question is answered: only by what is there. @param {any} state */
function howToAnswer(state) {
  if (state.demo) return "demo.answers";
  const confirms = state.box && state.box.state === "linked" && state.box.buttons.A === "confirm";
  const phones = Boolean(start.follow.qr);
  if (confirms) return phones ? "tv.question_how_both" : "tv.question_how_box";
  return phones ? "tv.question_how" : "tv.question_how_here";
}

/** @param {any} fresh */
function show(fresh) {
  const state = stills.without(fresh);
  if (state.language !== now.language && !/[?&]lang=/.test(location.search)) {
    location.reload();
    return;
  }
  const before = now;
  const thrown = isNewThrow(before, state);
  // the show of the throw before ends at once, with the board as it was then
  if (thrown && result.active()) result.skip();
  if (thrown && endJourney) endJourney();
  now = state;
  t.know(state);
  document.body.dataset.phase = state.phase;
  document.body.classList.toggle("is-crowded", state.players.length > 12);
  tune();
  get("notice").classList.toggle("is-grave", state.unsaved > 0);
  box.show(state.box);
  const changed = thrown ? "" : newsOf(before, state, t);
  if (thrown || changed) news(changed);
  notice(t.say(state.notice));
  pairing.show(state.pairing);
  get("demo").hidden = !state.demo;
  side.show(state, state.phase);
  question.show(state.question, t(howToAnswer(state)));
  if (state.question && (!before.question || before.question.id !== state.question.id)) sound.ask();
  if (thrown) {
    const hand = handText(t, state.last);
    sound.play(state.last, t(state.last.kind === "none" ? "tv.announce_none" : "tv.announce", { name: state.last.name, hand: hand }));
    guests.spot(state.last.player);
    result.show(state.last, state, before.champion, settle);
  } else if (state.question && result.active()) {
    result.skip();
  } else if (!result.active()) {
    settle();
  }
}

/** Tell a fault, or none, beside what the box has to say. @param {string} text */
function notice(text) {
  const node = get("notice");
  node.hidden = !text;
  fill(node, text ? el("span", "", text) : null);
  band();
}

/** What changed without a throw, for some seconds. @param {string} text */
function news(text) {
  const node = get("news");
  clearTimeout(forget);
  node.hidden = !text || !get("box-line").hidden;
  fill(node, text ? el("span", "", text) : null);
  if (!text) return;
  forget = setTimeout(() => {
    news("");
    band();
  }, NEWS_MS);
}

/** Board and side make room for what is told. */
function band() {
  const was = told();
  const lines = [get("notice"), get("box-line"), get("news")];
  document.body.classList.toggle("has-band", lines.some((line) => !line.hidden));
  lines.forEach((line) => {
    const words = /** @type {HTMLElement | null} */ (line.firstElementChild);
    if (words && !line.hidden) fitHeight(words, 0.34, 0.24, 0.66);
  });
  if (was === told()) return;
  pyramid.show(drawn, told());
  side.show(now, now.phase);
}

t.know(now);
document.body.dataset.phase = now.phase;
document.body.classList.toggle("is-obs", /[?&]obs=1/.test(location.search));
document.body.classList.toggle("is-crowded", now.players.length > 12);
guests.show(now);
show(now);
if (document.fonts && document.fonts.ready) document.fonts.ready.then(() => side.show(now, now.phase));

const link = follow(start.state, {
  state: show,
  phase: (phase) => {
    document.body.dataset.phase = phase;
    side.word(now, phase);
  },
  lost: (lost) => {
    if (!lost) stills.again();
    notice(lost ? t("tv.lost") : t.say(now.notice));
  },
});

document.addEventListener("click", () => sound.wake().then(tune));
document.addEventListener("keydown", (event) => {
  sound.wake().then(tune);
  if (event.key === "ArrowRight") {
    if (now.over) ceremony.turn();
    else side.turnPanel();
  }
  if (event.key === "m" || event.key === "M") link.send({ command: "tv", mute: !now.tv.mute }).catch(() => notice(t("phone.failed")));
  if ((event.key === "Enter" || event.key === " ") && now.question && !now.box && !event.repeat) {
    event.preventDefault();
    link.send({ command: "confirm" }).catch(() => notice(t("phone.failed")));
  }
});
createKeys(document, () => now.box && now.box.keys ? now.box : null, () => notice(t("phone.failed")));
