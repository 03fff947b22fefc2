/** The camera's page: choose a camera, find the rim and drag it, see how good the view is, try a throw, show the dice. */

import { post } from "./own.js";
import { rimEditor } from "./calibrate_rim.js";
import { el, fill } from "./dom.js";
import { translator } from "./words.js";

const LOOK_MS = 1000;
const start = JSON.parse(document.getElementById("top").dataset.start);
const t = translator(start.words, start.language);
const get = (id) => document.getElementById(id);
const picture = /** @type {HTMLImageElement} */ (get("picture"));

let view = start.view;
let dragged = false;
let busy = "";
let drawn = "";
/** @type {any} */
let later = 0;

const editor = rimEditor(/** @type {any} */ (get("overlay")), () => {
  dragged = true;
  get("save").hidden = false;
});

function say(text) {
  get("toast").textContent = text;
  get("toast").hidden = !text;
}

/** @param {any} body @param {string} [name] which button waits */
function ask(body, name) {
  busy = name || body.do;
  say("");
  show();
  return post("/api/camera", body)
    .then((answer) => answer.json().then((said) => ({ ok: answer.ok, said: said })))
    .then((answer) => {
      if (answer.ok) {
        view = answer.said;
        if (body.do !== "cancel" && body.do !== "test") dragged = false;
        if (body.do === "choose") live();
      } else say(t.say(answer.said));
    })
    .catch(() => say(t("calibrate.failed")))
    .then(() => {
      busy = "";
      show();
    });
}

function button(text, className, deed, name) {
  const made = /** @type {HTMLButtonElement} */ (el("button", className, busy && busy === name ? t("calibrate.working") : text));
  made.type = "button";
  made.disabled = !!busy;
  made.addEventListener("click", deed);
  return made;
}

/** A button for what needs a picture of the bowl. */
function seeing(text, className, deed, name) {
  const made = button(text, className, deed, name);
  made.disabled = made.disabled || !view.size;
  return made;
}

function section(title, ...parts) {
  const made = el("section", "step");
  fill(made, el("h2", "", title), ...parts);
  return made;
}

function cameras() {
  const list = el("div", "choices");
  view.cameras.forEach((camera) => {
    const mine = view.source === camera.name || view.source === String(camera.device);
    const choice = button(camera.label, mine ? "wide is-chosen" : "wide", () => ask({ do: "choose", source: camera.name }), "");
    choice.setAttribute("aria-pressed", String(mine));
    list.appendChild(choice);
  });
  if (start.demo) list.appendChild(el("p", "hint", t("calibrate.no_camera_demo")));
  else if (view.recording) list.appendChild(el("p", "hint", t("calibrate.recording", { source: view.source })));
  else if (!view.cameras.length) list.appendChild(el("p", "hint", t("calibrate.none")));
  const field = /** @type {HTMLInputElement} */ (el("input"));
  field.type = "url";
  field.id = "address";
  field.placeholder = t("calibrate.example");
  // an address with a password is not shown again
  field.value = view.source && view.source.indexOf("://") > 0 && view.source.indexOf("…") < 0 ? view.source : "";
  const label = /** @type {HTMLLabelElement} */ (el("label", "", t("calibrate.address")));
  label.htmlFor = "address";
  const use = button(t("calibrate.use"), "", () => ask({ do: "choose", source: field.value.trim() }), "choose");
  return section(t("calibrate.camera"), list, label, field, use, button(t("calibrate.again"), "", look, "look"));
}

function marks(made) {
  const list = el("ul", "marks");
  const least = made.marks.reduce((worst, mark) => Math.min(worst, mark.share), 1);
  made.marks.forEach((mark) => {
    const said = t.say(mark);
    const item = el("li", mark.good ? "is-good" : "is-bad", least < 1 && mark.share === least ? t("calibrate.costs", { what: said }) : said);
    item.setAttribute("data-key", mark.key);
    list.appendChild(item);
  });
  if (!made.marks.length && !t.zh) made.reasons.forEach((reason) => list.appendChild(el("li", "", reason)));
  return list;
}

function bowl() {
  const made = view.calibration;
  const find = seeing(t("calibrate.find"), made ? "wide" : "main", () => ask({ do: "calibrate" }), "calibrate");
  if (view.paused) {
    const again = seeing(t("calibrate.recalibrate"), "main grave", () => ask({ do: "recalibrate" }), "recalibrate");
    return section(t("calibrate.bowl"), el("p", "warning", t("calibrate.paused")), again);
  }
  if (!made) return section(t("calibrate.bowl"), el("p", "hint", t("calibrate.bowl_how")), find);
  const quality = el("p", "quality", t("calibrate.quality", { n: made.quality }));
  return section(t("calibrate.bowl"), quality, marks(made), el("p", "hint", t("calibrate.bowl_how")), find);
}

function test() {
  const parts = [el("p", "hint", t("calibrate.test_how"))];
  const result = view.test;
  if (result && result.waiting) {
    parts.push(el("p", "waiting", t("calibrate.waiting")));
    parts.push(button(t("calibrate.cancel"), "wide", () => ask({ do: "cancel" }), "cancel"));
    return section(t("calibrate.test"), ...parts);
  }
  if (result && result.values) {
    const words = result.well ? t("calibrate.well") : result.why;
    parts.push(el("p", result.well ? "result is-good" : "result is-bad", t("calibrate.read") + " " + result.values.join(" ") + " · " + words));
    const still = /** @type {HTMLImageElement} */ (el("img", "still"));
    still.alt = result.values.join(" ");
    still.src = result.still + "?" + result.values.join("");
    parts.push(still);
  }
  parts.push(seeing(t("calibrate.test_go"), "wide", () => ask({ do: "test" }), "test"));
  return section(t("calibrate.test"), ...parts);
}

/** The values that the lines speak of, each once. @param {string[]} lines */
function values(lines) {
  return lines.map((line) => (/[1-6]/.exec(line) || [""])[0]).filter((value, k, all) => value && all.indexOf(value) === k);
}

function dice() {
  const parts = [el("p", "hint", t("calibrate.dice_how"))];
  if (view.dice) parts.push(el("p", "result is-good", t("calibrate.enrolled")));
  if (view.test && view.test.missing && view.test.missing.length)
    parts.push(el("p", "result is-bad", t("calibrate.more", { what: values(view.test.missing).join(" ") })));
  parts.push(seeing(t("calibrate.enrol"), "wide", () => ask({ do: "enrol" }), "enrol"));
  return section(t("calibrate.dice"), ...parts);
}

function show() {
  if (!view) return;
  const now = JSON.stringify([view, busy]);
  if (now === drawn) return;
  drawn = now;
  const made = view.calibration;
  const size = view.size || (made && made.size);
  if (size) {
    get("frame").style.paddingTop = ((100 * size[1]) / size[0]).toFixed(3) + "%";
    if (!dragged) editor.show(made && made.size[0] === size[0] && made.size[1] === size[1] ? made.rim : null, size[0], size[1]);
  }
  get("drag").hidden = !made;
  get("save").hidden = !dragged;
  /** @type {HTMLButtonElement} */ (get("save")).disabled = !!busy;
  const back = /** @type {HTMLAnchorElement} */ (el("a", "way", t("calibrate.back")));
  back.href = "/phone";
  const focused = document.activeElement;
  if (focused && focused.id === "address") return; // somebody is writing there
  fill(get("steps"), cameras(), bowl(), test(), dice(), back);
}

function look() {
  return fetch("/api/camera", { cache: "no-store" })
    .then((answer) => answer.json())
    .then((said) => {
      if (said.cameras && !busy) {
        view = said;
        show();
      }
    })
    .catch(() => say(t("calibrate.failed")));
}

/** Ask for the live picture, where a camera gives any. */
function live() {
  clearTimeout(later);
  if (!view.size) unseen();
  else {
    picture.src = "/api/camera/live.mjpg?" + Date.now();
    picture.hidden = false;
  }
}

/** No picture is seen: say why, and try again soon. @param {string} [told] the table's own reason */
function unseen(told) {
  const camera = view.recording ? "calibrate.no_picture_recording" : view.source ? "calibrate.no_picture" : "calibrate.no_camera";
  picture.hidden = true;
  get("no-picture").textContent = told || t(start.demo ? "calibrate.no_camera_demo" : camera);
  get("no-picture").hidden = false;
  clearTimeout(later);
  later = setTimeout(live, view.size ? 4000 : LOOK_MS);
}

/** The picture broke off or was refused: the table knows why. */
function refused() {
  fetch("/api/camera/live.mjpg", { cache: "no-store" })
    .then((answer) => {
      if (!answer.ok) return answer.json().then((said) => unseen(t.say(said)));
      if (answer.body) answer.body.cancel();
      unseen();
    })
    .catch(() => unseen());
}

picture.addEventListener("load", () => {
  get("no-picture").hidden = true;
});
picture.addEventListener("error", refused);
get("save").addEventListener("click", () => ask({ do: "rim", rim: editor.rim() }));

if (view) {
  live();
  show();
  setInterval(look, LOOK_MS);
} else {
  fetch("/api/camera").then((answer) => answer.json().then((said) => say(start.demo ? t("calibrate.no_camera_demo") : t.say(said))));
}
