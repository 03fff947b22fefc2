/** The short path from an unpacked box to the first throw. Every step has a sensible default; "just play" skips them all. */
import { el, fill } from "./dom.js";
import { createFirst } from "./first.js";
import { follow } from "./link.js";
import { createParts } from "./phone_parts.js";
import { wrongNames } from "./phone_sheets.js";
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

const STEPS = ["language", "camera", "bowl", "dice", "throw", "players", "rules", "prizes", "box", "go"];
const LANGUAGES = [["zh-CN", "简体中文"], ["zh-TW", "繁體中文"], ["en", "English"]];
const JUST = ["甲", "乙", "丙", "丁"];
const KEY = "bobing.setup";

/** what has been chosen so far; a reload keeps it, since changing the language is one */
let plan = Object.assign({ at: 0, names: namesOf(start.state), preset: "xiamen", switches: {}, prizes: {} }, kept());
let state = start.state;
let first = null;

/** @param {any} from */
function namesOf(from) {
  return from.demo ? [] : from.players.filter((player) => player.status !== "left").map((player) => player.name);
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

/** @param {number} at */
function walk(at) {
  plan.at = Math.max(0, Math.min(STEPS.length - 1, at));
  keep();
  draw();
  get("step").scrollTop = 0;
  get("step").focus();
}

function language() {
  const row = el("div", "choices-list");
  LANGUAGES.forEach((pair) => {
    const one = button(pair[1], pair[0] === t.language ? "main" : "wide", () =>
      give({ command: "tv", language: pair[0] }).then((done) => {
        if (!done) return;
        plan.at = 1;
        keep();
        document.cookie = "language=" + pair[0] + "; path=/; max-age=31536000; samesite=lax";
        location.search = "?lang=" + pair[0];
      })
    );
    one.lang = pair[0];
    row.appendChild(one);
  });
  return [el("p", "", t("setup.language.why")), row];
}

/** A step that the calibration page does: what it is for, what the table says of it now, and the way there. @param {string} name */
function aimed(name) {
  const way = /** @type {HTMLAnchorElement} */ (el("a", "way is-main", t("setup.calibrate")));
  way.href = "/calibrate";
  const health = el("p", "health", "…");
  health.setAttribute("role", "status");
  const part = { camera: "camera", bowl: "camera", dice: "reader", throw: "reader", box: "box" }[name];
  const look = () =>
    fetch("/healthz", { cache: "no-store" })
      .then((answer) => answer.json())
      .then((said) => {
        const word = said[part] || "none";
        health.textContent = word === "ok" ? t("setup.ok." + part) : word === "none" || word.indexOf("no ") === 0 ? t("setup.none." + part) : word;
        health.classList.toggle("is-well", word === "ok");
      })
      .catch(() => {
        health.textContent = t("phone.failed");
      });
  look();
  const parts = [el("p", "", t("setup." + name + ".why")), health];
  if (name !== "box") parts.push(way);
  parts.push(button(t("setup.look"), "wide", look), el("p", "hint", t("setup.by_hand")));
  return parts;
}

function go() {
  const wrong = wrongNames(t, plan.names);
  first = createFirst(t, () => plan.names);
  const list = el("ul", "summary");
  [
    t("setup.sum.players", { n: plan.names.length, names: plan.names.join(t("near.and")) }),
    t("setup.sum.rules", { name: t("rules." + plan.preset) + (Object.keys(plan.switches).length ? t("setup.changed") : "") }),
    t(Object.keys(plan.prizes).length ? "setup.sum.prizes" : "setup.sum.no_prizes"),
  ].forEach((text) => list.appendChild(el("li", "", text)));
  const fault = el("p", "fault", wrong);
  fault.setAttribute("role", "alert");
  return [list, first.node, fault];
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
  return give(Object.assign({ command: "start", players: names }, more)).then((done) => {
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
  const name = STEPS[plan.at];
  get("where").textContent = t("setup.step", { n: plan.at + 1, of: STEPS.length });
  fill(
    get("path"),
    ...STEPS.map((one, k) => {
      const dot = button("", "dot", () => walk(k));
      dot.setAttribute("aria-label", t("setup." + one));
      if (k === plan.at) dot.setAttribute("aria-current", "step");
      dot.classList.toggle("is-done", k < plan.at);
      return dot;
    })
  );
  fill(get("step"), el("h2", "", t("setup." + name)), ...DRAW[name]());
  const back = button(t("setup.back"), "", () => walk(plan.at - 1));
  back.disabled = plan.at === 0;
  if (name === "go") {
    const play = button(t("setup.start"), "main", () =>
      begin(plan.names, { rules: Object.assign({ preset: plan.preset }, plan.switches), prizes: plan.prizes, first: first.value() })
    );
    play.disabled = Boolean(wrongNames(t, plan.names));
    fill(get("go"), play, line(back));
    return;
  }
  const just = button(t("setup.just_play"), "wide", () => begin(plan.names.length ? plan.names : JUST, {}), t("setup.just_play_is"));
  fill(get("go"), line(back, button(t("setup.next"), "strong", () => walk(plan.at + 1))), just);
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
