/** The operator's page: what is asked now lies under the thumb, the past scrolls above it. */
import { die } from "./dice.js";
import { doubtful, outlined } from "./question.js";
import { el, fill, fit } from "./dom.js";
import { jumpCost } from "./jump.js";
import { follow } from "./link.js";
import { legend } from "./panels.js";
import { drawHistory, drawStandings } from "./phone_past.js";
import { createSheets } from "./phone_sheets.js";
import { createParts } from "./phone_parts.js";
import { translator } from "./words.js";

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const start = JSON.parse(top.dataset.start || "{}");
top.removeAttribute("data-start");
const t = translator(start.words);
const zh = start.language !== "en";
const { button, diceRow, pad } = createParts(t);
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

let state = start.state;
/** the answer that is being put together: which question, which dice, which of them is being changed */
let answer = { id: null, dice: [], place: -1 };
let toastTimer = 0;

/** @param {string} text */
function toast(text) {
  const node = get("toast");
  node.textContent = text;
  node.hidden = !text;
  clearTimeout(toastTimer);
  if (text) toastTimer = setTimeout(() => toast(""), 4000);
}

/**
 * Give a command; what goes wrong is said kindly.
 * @param {any} command
 * @returns {Promise<boolean>}
 */
function give(command) {
  document.body.classList.add("is-busy");
  return link
    .send(command)
    .then((got) => {
      if (got.status === 200) return true;
      toast(got.status === 409 ? t("phone.stale") : (zh ? got.body.zh : got.body.en) || got.body.error || t("phone.failed"));
      return false;
    })
    .catch(() => {
      toast(t("phone.failed"));
      return false;
    })
    .then((done) => {
      document.body.classList.remove("is-busy");
      return done;
    });
}

function drawTop() {
  get("top-word").textContent = t("phase." + state.phase);
  const lost = document.body.classList.contains("is-lost");
  const parts = [];
  if (state.demo) parts.push(t("tv.demo"));
  if (state.turn && !state.over) parts.push(t("tv.turn") + " " + state.turn.name, t("tv.lap", { n: state.lap }));
  get("past").classList.toggle("is-lobby", state.phase === "lobby");
  get("top-line").textContent = parts.join(" · ");
  fit(get("top-line"), 1.05, 0.8);
  const fault = get("top-notice");
  fault.textContent = lost ? t("phone.lost") : state.notice ? (zh ? state.notice.zh : state.notice.en) : "";
  fault.hidden = !fault.textContent;
}

/** The question, put so that one tap answers it. */
function drawQuestion() {
  const question = state.question;
  if (answer.id !== question.id) {
    const dice = (question.dice || []).filter((one) => one.in_bowl !== false && one.value).map((one) => one.value);
    answer = { id: question.id, dice: dice.length === 6 || question.verdict === "incomplete" ? dice : [], place: -1 };
  }
  const unsure = doubtful(question);
  const missing = question.verdict === "incomplete" ? Math.max(0, 6 - answer.dice.length) : 0;
  const parts = [el("p", "ask-line", zh ? question.zh : question.en)];
  if (state.demo) parts.push(el("p", "hint", t("demo.answers")));
  if (question.still) {
    const frame = el("div", "picture");
    frame.appendChild(outlined(question, t("phone.guess_note"), 1.5, true));
    parts.push(frame);
  }
  if (answer.dice.length === 6 || missing) parts.push(diceRow(answer.dice, answer.place, chosenAmong(question, unsure), "is-doubtful", choose));
  if (answer.place >= 0) parts.push(values(question));
  else if (missing) parts.push(el("p", "label", t(missing === 1 ? "phone.missing_one" : "phone.missing", { n: missing })), missingPad());
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
  others.appendChild(button(t("phone.by_hand"), "", () => sheets.byHand("confirm")));
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
  draw();
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
    draw();
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
    draw();
  });
}

function drawNow() {
  if (state.question) return drawQuestion();
  if (state.phase === "lobby") return [button(t("phone.start"), "main", () => sheets.start())];
  if (state.over) return [button(t("phone.new_game"), "main", () => sheets.start())];
  if (state.phase === "paused") return [button(t("phone.resume"), "main", () => give({ command: "resume" }))];
  if (state.demo) return [el("p", "ask-line", t("phone.demo")), button(t("phone.real"), "main", () => sheets.start())];
  const line = el("div", "line");
  line.appendChild(button(t("phone.by_hand"), "", () => sheets.byHand("throw")));
  line.appendChild(button(t("phone.jump"), "", () => sheets.jump()));
  const say = { reading: t("phone.reading"), clear: t("phone.clear") }[state.phase] || (state.turn ? t("phone.waiting", { name: state.turn.name }) : "");
  return [el("p", "ask-line", say), line];
}

function drawTools() {
  const playing = state.phase !== "lobby";
  const undo = button(t("phone.undo"), "", () => give({ command: "undo" }));
  const redo = button(t("phone.redo"), "", () => give({ command: "redo" }));
  const skip = button(t("phone.skip"), "", () => give({ command: "skip" }));
  const end = button(t("phone.end"), "", () => sheets.end());
  undo.disabled = !state.can_undo;
  redo.disabled = !state.can_redo;
  skip.disabled = !playing || state.over || Boolean(state.question);
  end.disabled = !playing || state.over || Boolean(state.question);
  const pause = button(t("phone.pause"), "", () => give({ command: "pause" }));
  pause.disabled = !playing || state.over || state.phase === "paused";
  fill(get("tools"), undo, redo, skip, pause, end);
}

function draw() {
  drawTop();
  fill(get("now"), ...drawNow());
  drawTools();
}

function drawPast() {
  if (state.phase === "lobby") {
    fill(get("standings"), el("p", "hello", t("tv.hello")), legend(t));
    fill(get("history"));
    return;
  }
  drawStandings(get("standings"), state, t);
  drawHistory(get("history"), state, t, zh, (thrown) => sheets.correct(thrown));
}

const link = follow(start.state, {
  state: (fresh) => {
    state = fresh;
    draw();
    drawPast();
  },
  phase: (phase) => {
    state.phase = phase;
    draw();
  },
  lost: (lost) => {
    document.body.classList.toggle("is-lost", lost);
    drawTop();
  },
});
const sheets = createSheets(/** @type {HTMLDialogElement} */ (get("sheet")), t, () => state, give);
draw();
drawPast();
