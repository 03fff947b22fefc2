/** The short path from an unpacked box to the first throw. Every step has a sensible default; "just play" skips them all. */
import { el, fill } from "./dom.js";
import { createFirst } from "./first.js";
import { follow } from "./link.js";
import { createParts } from "./phone_parts.js";
import { cakesLeft, isRunning, wrongNames } from "./phone_sheets.js";
import { playersStep } from "./setup_players.js";
import { prizesStep } from "./setup_prizes.js";
import { rulesStep } from "./setup_rules.js";
import { translator } from "./words.js";

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const start = JSON.parse(top.dataset.start || "{}");
top.removeAttribute("data-start");
const t = translator(start.words, start.language);
const { button, line } = createParts(t);
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const ALL_STEPS = ["language", "camera", "bowl", "dice", "throw", "players", "rules", "prizes", "box", "go"];
/** steps that need pictures: without a camera there is nothing to do in them */
const SEEN = ["bowl", "dice", "throw"];
const LANGUAGES = [["zh-CN", "简体中文"], ["zh-TW", "繁體中文"], ["en", "English"]];
const JUST = ["甲", "乙", "丙", "丁"];
const KEY = "bobing.setup";

/** what has been chosen so far, beginning with the rules that the table has now; a reload keeps it, since changing the language is one */
let plan = Object.assign({ step: "language", names: namesOf(start.state), preset: start.rules.preset, switches: changed(start.rules), prizes: {} }, kept());
let state = start.state;
let first = null;
/** whether there is a camera; null until it is known */
let camera = null;

/** @param {any} from */
function namesOf(from) {
  return from.demo ? [] : from.players.filter((player) => player.status !== "left").map((player) => player.name);
}

/** What these rules have otherwise than their preset. @param {any} rules @returns {any} */
function changed(rules) {
  const own = {};
  Object.keys(rules.switches).forEach((name) => {
    if (JSON.stringify(rules.switches[name]) !== JSON.stringify(start.presets[rules.preset][name])) own[name] = rules.switches[name];
  });
  return own;
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) || "{}");
  } catch (fault) {
    return {};
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(plan));
  } catch (fault) {
    // without storage the path is walked in one go
  }
}

/** @param {string} text */
function toast(text) {
  get("toast").textContent = text;
  get("toast").hidden = !text;
}

/** @param {any} command @returns {Promise<boolean>} */
function give(command) {
  return link.send(command).then(
    (got) => {
      toast(got.status === 200 ? "" : got.status === 409 ? t("phone.stale") : t.say(got.body) || got.body.error);
      return got.status === 200;
    },
    () => {
      toast(t("phone.failed"));
      return false;
    }
  );
}

/** The steps of this table. */
function steps() {
  return ALL_STEPS.filter((name) => camera !== false || SEEN.indexOf(name) < 0);
}

/** Where the path has come to; a step that is no more is taken for the camera's. */
function place() {
  const at = steps().indexOf(plan.step);
  return at < 0 ? steps().indexOf("camera") : at;
}

/** @param {number} at */
function walk(at) {
  plan.step = steps()[Math.max(0, Math.min(steps().length - 1, at))];
  if (first) first.stop();
  keep();
  draw();
  get("step").scrollTop = 0;
  get("step").focus();
}

function language() {
  const row = el("div", "choices-list");
  LANGUAGES.forEach((pair) => {
    const one = button(pair[1], pair[0] === state.language ? "wide is-chosen" : "wide", () =>
      give({ command: "tv", language: pair[0] }).then((done) => {
        if (!done) return;
        plan.step = "camera";
        keep();
        document.cookie = "language=" + pair[0] + "; path=/; max-age=31536000; samesite=lax";
        location.search = "?lang=" + pair[0];
      })
    );
    one.lang = pair[0];
    one.setAttribute("aria-pressed", String(pair[0] === state.language));
    row.appendChild(one);
  });
  return [el("p", "", t("setup.language.why")), row];
}

/** What the table says of its parts now; where a camera came or went, the path is another. @returns {Promise<any>} */
function health() {
  return fetch("/healthz", { cache: "no-store" })
    .then((answer) => answer.json())
    .then((said) => {
      const before = camera;
      camera = !missing(said.camera);
      if (before !== camera && (before !== null || !camera)) draw();
      return said;
    });
}

/** @param {string} [word] */
function missing(word) {
  return !word || word === "none" || word.indexOf("no ") === 0;
}

/** A step that the calibration page does: what it is for, what the table says of it now, and the way there. @param {string} name */
function aimed(name) {
  const way = /** @type {HTMLAnchorElement} */ (el("a", "way is-main", t("setup.calibrate")));
  way.href = "/calibrate";
  const line = el("p", "health", "…");
  line.setAttribute("role", "status");
  const part = { camera: "camera", bowl: "camera", dice: "reader", throw: "reader", box: "box" }[name];
  const look = () =>
    health()
      .then((said) => {
        const word = said[part];
        line.textContent = word === "ok" ? t("setup.ok." + part) : missing(word) ? t("setup.none." + part) : word;
        line.classList.toggle("is-well", word === "ok");
      })
      .catch(() => {
        line.textContent = t("phone.failed");
      });
  look();
  const again = button(t("setup.look"), "wide", look);
  if (name === "box") return [el("p", "", t("setup.box.why")), line, again];
  const none = name === "camera" && camera === false;
  const parts = [el("p", "", t(none ? "setup.no_camera" : "setup." + name + ".why")), line];
  return parts.concat(way, again, el("p", "hint", t(none ? "setup.camera_later" : "setup.by_hand")));
}

function go() {
  const wrong = wrongNames(t, plan.names);
  if (first) first.stop();
  first = createFirst(t, () => plan.names);
  const list = el("ul", "summary");
  [
    t("setup.sum.players", { n: plan.names.length, names: plan.names.join(t("near.and")) }),
    t("setup.sum.rules", { name: t("rules." + plan.preset) + (Object.keys(plan.switches).length ? t("setup.changed") : "") }),
    t(Object.keys(plan.prizes).length ? "setup.sum.prizes" : "setup.sum.no_prizes"),
  ].forEach((text) => list.appendChild(el("li", "", text)));
  const fault = el("p", "fault", wrong);
  fault.setAttribute("role", "alert");
  return [isRunning(state) ? el("p", "warning", t("start.running", { n: cakesLeft(state) })) : null, list, first.node, fault].filter(Boolean);
}

const DRAW = {
  language: language,
  camera: () => aimed("camera"),
  bowl: () => aimed("bowl"),
  dice: () => aimed("dice"),
  throw: () => aimed("throw"),
  box: () => aimed("box"),
  players: () => playersStep(t, plan, keep),
  rules: () => rulesStep(t, plan, start, keep),
  prizes: () => prizesStep(t, plan, start, keep),
  go: go,
};

/** @param {string[]} names @param {any} more */
function begin(names, more) {
  const ready = isRunning(state) ? give({ command: "end" }) : Promise.resolve(true);
  return ready.then((done) => done && give(Object.assign({ command: "start", players: names }, more))).then((done) => {
    if (!done) return;
    try {
      sessionStorage.removeItem(KEY);
    } catch (fault) {
      // it was never kept
    }
    location.href = "/phone" + location.search;
  });
}

function draw() {
  const at = place();
  const name = steps()[at];
  get("where").textContent = t("setup.step", { n: at + 1, of: steps().length });
  fill(
    get("path"),
    ...steps().map((one, k) => {
      const dot = button("", "dot", () => walk(k));
      dot.setAttribute("aria-label", t("setup." + one));
      if (k === at) dot.setAttribute("aria-current", "step");
      dot.classList.toggle("is-done", k < at);
      return dot;
    })
  );
  fill(get("step"), el("h2", "", t("setup." + name)), ...DRAW[name]());
  const back = button(t("setup.back"), "", () => walk(at - 1));
  back.disabled = at === 0;
  if (name === "go") {
    const running = isRunning(state);
    const play = button(t(running ? "start.end_and_begin" : "setup.start"), running ? "main grave" : "main", () => {
      const lacks = first.lacks();
      toast(lacks);
      if (lacks) return undefined;
      return begin(plan.names, { rules: Object.assign({ preset: plan.preset }, plan.switches), prizes: plan.prizes, first: first.value() });
    });
    play.disabled = Boolean(wrongNames(t, plan.names));
    fill(get("go"), play, line(back));
    return;
  }
  const just = button(t("setup.just_play"), "wide", () => begin(plan.names.length ? plan.names : JUST, {}), t("setup.just_play_is"));
  fill(get("go"), line(back, button(t("setup.next"), "strong", () => walk(at + 1))), isRunning(state) ? null : just);
}

const link = follow(start.state, {
  state: (fresh) => {
    state = fresh;
    t.know(state);
  },
  phase: () => undefined,
  lost: (lost) => toast(lost ? t("phone.lost") : ""),
});
t.know(state);
draw();
health().catch(() => undefined);
