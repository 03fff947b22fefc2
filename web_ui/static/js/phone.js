/** The phone: what is asked now lies under the thumb, the past scrolls above it. Operators act, followers look on. */
import { el, fill, fit } from "./dom.js";
import { follow } from "./link.js";
import { post } from "./own.js";
import { legend } from "./panels.js";
import { createFollower } from "./phone_follow.js";
import { createMore } from "./phone_more.js";
import { createParts, keepingFocus } from "./phone_parts.js";
import { drawHistory, drawStandings, justThrown } from "./phone_past.js";
import { createCorrect } from "./phone_correct.js";
import { createPeople } from "./phone_people.js";
import { createQuestionForm, giftChoice } from "./phone_question.js";
import { drawOdds, drawRules } from "./phone_rules.js";
import { createSheets } from "./phone_sheets.js";
import { createStills } from "./stills.js";
import { translator } from "./words.js";

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const start = JSON.parse(top.dataset.start || "{}");
top.removeAttribute("data-start");
const t = translator(start.words, start.language);
const operator = Boolean(start.operator);
const { button } = createParts(t);
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const TABS = ["table", "rules", "odds"];
/** so many names, and the throws lie below the edge of the page */
const LONG_LIST = 6;
/** so many elders to choose from lie under the thumb */
const ELDERS = 8;

let state = start.state;
let tab = "table";
let toastTimer = 0;
const toasting = get("toast");
const sheet = /** @type {HTMLDialogElement} */ (get("sheet"));
/** faults that the camera's page mends */
const AIMED = ["no_camera", "camera_lost", "calibration", "reader", "covered", "dark", "glare", "sharpness", "exposure", "lost"];
/** older throws than the state tells, once they were asked for */
let older = null;

/** @param {string} text */
function toast(text) {
  const node = toasting;
  node.textContent = text;
  // an open sheet covers the page: what is said is said in it
  (sheet.open ? sheet : document.body).appendChild(node);
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
      toast(got.status === 409 ? t("phone.stale") : t.say(got.body) || got.body.error || t("phone.failed"));
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
  // whose turn it is goes before the round
  do get("top-line").textContent = parts.join(" · ");
  while (!fit(get("top-line"), 1.05, 0.8) && parts.pop());
  drawNotice(lost);
}

/** What is wrong, and where it is mended; that there is no camera is no alarm. @param {boolean} lost */
function drawNotice(lost) {
  const told = state.notice;
  const text = lost ? t("phone.lost") : t.say(told);
  const parts = [el("span", "told", text)];
  if (!lost && operator && told) {
    // after a knock one tap registers the empty bowl where it is now
    if (told.action === "recalibrate") parts.push(button(t("calibrate.recalibrate"), "mend", recalibrate));
    else if (AIMED.indexOf(told.key) >= 0) parts.push(wayTo("/calibrate", t("phone.aim"), "mend"));
  }
  const node = get("top-notice");
  node.hidden = !text;
  node.classList.toggle("is-quiet", !lost && Boolean(told) && told.key === "no_camera");
  keepingFocus(node, () => fill(node, ...parts));
}

function recalibrate() {
  toast(t("calibrate.working"));
  return post("/api/camera", { do: "recalibrate" })
    .then((answer) => answer.json().then((said) => toast(answer.ok ? "" : t.say(said))))
    .catch(() => toast(t("calibrate.failed")));
}

/** @param {string} address @param {string} text @param {string} className */
function wayTo(address, text, className) {
  const way = /** @type {HTMLAnchorElement} */ (el("a", className, text));
  way.href = address;
  return way;
}

function drawNow() {
  if (!operator) return follower.now(state);
  if (state.question) return form.draw(state);
  if (state.phase === "lobby") return [setUp(), button(t("phone.start"), "main", () => sheets.start()), ...byTwoDice()];
  if (state.over) {
    const scramble = people.scramble();
    return scramble.concat(button(t("phone.new_game"), scramble.length ? "wide" : "main", () => sheets.start()), ...byTwoDice());
  }
  if (state.phase === "paused") return [button(t("phone.resume"), "main", () => give({ command: "resume" }))];
  if (state.demo) return [el("p", "ask-line", t("phone.demo")), setUp(), button(t("phone.real"), "main", () => sheets.start())];
  const line = el("div", "line");
  line.appendChild(button(t("phone.by_hand"), "", () => sheets.byHand("throw")));
  line.appendChild(button(t("phone.jump"), "", () => sheets.jump()));
  const say = { reading: t("phone.reading"), clear: t("phone.clear") }[state.phase] || (state.turn ? t("phone.waiting", { name: state.turn.name }) : "");
  const just = state.last && state.players.length > LONG_LIST ? justThrown(state.last, t, () => correct(state.last)) : null;
  return [el("p", "ask-line", say), just, ...giftChoice(state, t, give), line];
}

function setUp() {
  return wayTo("/setup" + location.search, t("phone.set_up"), "way");
}

/** The old custom: an elder throws two dice to find who begins. Where they are known and few, one tap says which elder. @returns {HTMLElement[]} */
function byTwoDice() {
  const known = state.demo ? [] : state.players.filter((player) => player.status !== "left");
  if (!known.length || known.length > ELDERS) return [button(t("phone.start_two"), "wide", () => sheets.start("two_dice"))];
  const row = el("div", "people");
  known.forEach((player) => row.appendChild(button(player.name, "", () => sheets.start("two_dice", player.name))));
  return [el("p", "label", t("phone.elder")), row];
}

/** One control of the bar below; what it does in a few words under its name. */
function tool(text, cost, able, pressed) {
  const node = button(text, "", pressed, cost);
  node.disabled = !able;
  return node;
}

function drawTools() {
  get("tools").hidden = !operator;
  if (!operator) return;
  const playing = state.phase !== "lobby" && !state.over && !state.question;
  const undo = tool(t("phone.undo"), t.say(state.undoes), state.can_undo && !state.question, () => give({ command: "undo" }));
  undo.className = "tool-wide";
  const redo = tool(t("phone.redo"), t.say(state.redoes), state.can_redo && !state.question, () => give({ command: "redo" }));
  const skip = tool(t("phone.skip"), "", playing, () => give({ command: "skip" }));
  if (state.can_redo) redo.className = "tool-wide";
  fill(get("tools"), undo, redo, skip, tool(t("phone.more"), "", true, () => more.open()));
}

function draw() {
  // a question wants the whole page: picture, values, answers
  document.body.classList.toggle("is-asked", operator && Boolean(state.question));
  document.body.classList.toggle("is-pictured", Boolean(state.question && state.question.still));
  drawTop();
  keepingFocus(get("now"), () => fill(get("now"), ...drawNow()));
  keepingFocus(get("tools"), drawTools);
}

function drawTabs() {
  fill(
    get("tabs"),
    ...TABS.map((name) => {
      const one = button(t("tab." + name), "tab", () => choose(name));
      one.id = "tab-" + name;
      one.setAttribute("role", "tab");
      one.setAttribute("aria-selected", String(name === tab));
      one.setAttribute("aria-controls", "in-" + name);
      one.tabIndex = name === tab ? 0 : -1;
      return one;
    })
  );
}

/** @param {string} name */
function choose(name) {
  tab = name;
  drawTabs();
  drawPast();
  get("past").scrollTop = 0;
}

get("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]);
  get("tab-" + tab).focus();
});

function drawPast() {
  const past = get("past");
  TABS.forEach((name) => {
    get("in-" + name).hidden = name !== tab;
  });
  if (tab === "rules") drawRules(get("in-rules"), state, t);
  else if (tab === "odds") drawOdds(get("in-odds"), state, t);
  else keepingFocus(past, drawTable);
}

function drawTable() {
  const lobby = state.phase === "lobby";
  get("history-head").hidden = lobby;
  get("history-how").textContent = operator && state.history.length ? t("phone.history_how") : "";
  fill(get("mine"), ...(lobby ? [] : follower.mine(state)));
  if (lobby) {
    fill(get("standings"), el("p", "hello", t("tv.hello")), legend(t));
    fill(get("history"));
    get("older").hidden = true;
    return;
  }
  drawStandings(get("standings"), state, t, operator ? (player) => people.open(player.id) : null);
  if (operator) get("standings").appendChild(el("p", "hint", t("phone.hint_tap")));
  const more = older && older.version === state.version ? older.history : state.history;
  drawHistory(get("history"), Object.assign({}, state, { history: more }), t, operator ? correct : null);
  fill(get("older"), button(t("phone.older"), "wide", fetchOlder));
  get("older").hidden = more.length >= state.throws;
}

function fetchOlder() {
  return fetch("/api/throws", { cache: "no-store" })
    .then((answer) => answer.json())
    .then((body) => {
      older = { version: state.version, history: body.throws };
      drawPast();
    })
    .catch(() => toast(t("phone.failed")));
}

const stills = createStills(document, t, () => {
  state = stills.without(state);
  drawAll();
});
const link = follow(start.state, {
  state: (fresh) => {
    state = stills.without(fresh);
    t.know(state);
    draw();
    drawPast();
    sheets.refresh();
  },
  phase: (phase) => {
    state.phase = phase;
    draw();
  },
  lost: (lost) => {
    if (!lost) stills.again();
    document.body.classList.toggle("is-lost", lost);
    drawTop();
  },
});
const sheets = createSheets(sheet, t, () => state, give);
const correct = createCorrect(sheets, t, () => state, give);
const people = createPeople(sheets, t, () => state, give);
const more = createMore(sheets, people, t, () => state, give);
const form = createQuestionForm(t, give, () => sheets.byHand("confirm"), draw);
const follower = createFollower(t, operator, start.may ? "/phone" : "/pair", drawAll);

function drawAll() {
  draw();
  drawPast();
}

t.know(state);
drawTabs();
drawAll();
