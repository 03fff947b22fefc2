/** A question to the table: the picture with the doubtful die outlined, and the two choices large. */
import { el, fill, fit, svg } from "./dom.js";
import { die, row } from "./dice.js";
import { lostPicture } from "./stills.js";

// the table calls a die doubtful below this
const CERTAIN = 0.98;

/**
 * The dice that the question is about.
 * @param {any} question
 * @returns {any[]}
 */
export function doubtful(question) {
  const dice = question.dice || [];
  if (question.verdict === "jump") return dice.filter((one) => one.in_bowl === false);
  if (question.verdict === "cocked") return dice.filter((one) => one.cocked);
  if (question.verdict !== "ask") return [];
  return dice
    .filter((one) => one.likely && one.likely.length > 1 && one.confidence < CERTAIN)
    .sort((a, b) => a.confidence - b.confidence);
}

/**
 * The part of the picture to show: all dice with room around them, in the shape of the frame as far as the picture goes.
 * @param {any[]} dice
 * @param {number[]} size
 * @param {number} aspect width by height of the frame
 * @returns {number[]} x, y, width, height
 */
export function crop(dice, size, aspect) {
  const boxes = dice.map((one) => one.box).filter(Boolean);
  if (!boxes.length) return [0, 0, size[0], size[1]];
  const x0 = Math.min(...boxes.map((b) => b[0]));
  const y0 = Math.min(...boxes.map((b) => b[1]));
  const x1 = Math.max(...boxes.map((b) => b[0] + b[2]));
  const y1 = Math.max(...boxes.map((b) => b[1] + b[3]));
  const die = Math.max(...boxes.map((b) => Math.max(b[2], b[3])));
  const height = Math.min(Math.max((x1 - x0 + die * 2) / aspect, y1 - y0 + die * 2, die * 4), size[1]);
  const width = Math.min(height * aspect, size[0]);
  const x = Math.min(Math.max(0, (x0 + x1 - width) / 2), size[0] - width);
  const y = Math.min(Math.max(0, (y0 + y1 - height) / 2), size[1] - height);
  return [x, y, width, height];
}

/**
 * @param {any} question
 * @param {string} label what the picture shows, for a screen reader
 * @param {number} aspect width by height of the frame
 * @param {boolean} near only what is doubtful, as large as it goes
 */
export function outlined(question, label, aspect, near) {
  const size = question.size || [0, 0];
  const unsure = doubtful(question);
  const view = crop(near && unsure.length ? unsure : question.dice || [], size, aspect);
  const picture = svg("svg", { viewBox: view.join(" "), class: "outlined", role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" });
  picture.appendChild(svg("image", { href: question.still, "data-still": question.still, x: 0, y: 0, width: size[0], height: size[1] }));
  unsure.forEach((one) => {
    if (!one.box) return;
    const margin = one.box[2] * 0.22;
    const frame = { x: one.box[0] - margin, y: one.box[1] - margin, width: one.box[2] + 2 * margin, height: one.box[3] + 2 * margin, fill: "none" };
    picture.appendChild(svg("rect", Object.assign({ class: "outline-back" }, frame)));
    picture.appendChild(svg("rect", Object.assign({ class: "outline" }, frame)));
  });
  return picture;
}

/**
 * @param {HTMLElement} node
 * @param {import("./words.js").Translate} t
 */
export function createQuestion(node, t) {
  /** @param {any} question */
  function choices(question) {
    const line = el("div", "choices");
    const unsure = doubtful(question);
    const one = unsure[0];
    if (question.verdict === "ask" && unsure.length === 1) {
      one.likely.slice(0, 2).forEach((pair, k) => {
        if (k) line.appendChild(el("span", "or", t("tv.question_or")));
        const choice = el("div", "choice");
        choice.appendChild(die(pair[0]));
        choice.appendChild(el("b", "", pair[0]));
        if (k === 0) choice.appendChild(el("span", "guess", t("tv.guess")));
        line.appendChild(choice);
      });
    } else if (question.verdict === "jump") {
      line.appendChild(el("div", "choice choice-word", t("kind.jump")));
    }
    return line;
  }

  /** @param {any} question @param {string} how who answers it, and by what: a box may come and go meanwhile */
  function show(question, how) {
    if (!question) {
      node.hidden = true;
      node.dataset.id = "";
      return;
    }
    const key = question.id + (question.lost || "");
    if (node.dataset.id === key) {
      /** @type {HTMLElement} */ (node.querySelector(".question-how")).textContent = how;
      return;
    }
    node.dataset.id = key;
    const frame = question.still ? el("figure", "proof") : null;
    node.classList.toggle("no-proof", !frame);
    if (frame) frame.appendChild(outlined(question, t.say(question), 1, false));
    const words = el("div", "question-words");
    words.appendChild(el("h2", "question-word", t("phase.question")));
    words.appendChild(el("p", "question-line", t.say(question)));
    words.appendChild(choices(question));
    if (question.values && question.values.length) words.appendChild(row(question.values));
    const lost = lostPicture(t, question);
    if (lost) words.appendChild(lost);
    words.appendChild(el("p", "question-how", how));
    fill(node, el("div", "veil"), frame, words);
    node.hidden = false;
    // one line where that is possible
    const line = /** @type {HTMLElement} */ (words.querySelector(".question-line"));
    line.style.whiteSpace = "nowrap";
    if (!fit(line, 0.56, 0.46)) line.style.whiteSpace = line.style.fontSize = "";
  }

  return { show: show };
}
