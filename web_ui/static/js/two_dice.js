/** The two dice that the elder throws: the camera reads them where it can, else one tap names the pair. */
import { die } from "./dice.js";
import { el, fill } from "./dom.js";
import { post } from "./own.js";

const LOOK_MS = 700;

/** Every pair of two dice, the smaller first. */
export const PAIRS = [];
for (let a = 1; a <= 6; a += 1) for (let b = a; b <= 6; b += 1) PAIRS.push([a, b]);

/**
 * @param {import("./words.js").Translate} t
 * @param {function(number[], boolean): void} got the pair, and whether the camera read it
 * @returns {{node: HTMLElement, watch: function(): void, stop: function(): void, show: function(number[]): void}}
 */
export function createTwoDice(t, got) {
  const node = el("div", "two-dice");
  const said = el("p", "two-said");
  said.setAttribute("role", "status");
  const grid = el("div", "pairs");
  let watching = false;
  let timer = 0;

  PAIRS.forEach((pair) => {
    const one = /** @type {HTMLButtonElement} */ (el("button", "pair-of"));
    one.type = "button";
    one.dataset.pair = pair.join("+");
    one.setAttribute("aria-label", pair.join(" + "));
    pair.forEach((value) => one.appendChild(die(value)));
    one.addEventListener("click", () => {
      stop();
      got(pair.slice(), false);
    });
    grid.appendChild(one);
  });
  fill(node, said, grid);

  /** @param {any} view what the camera's desk says */
  function look(view) {
    const test = view && view.test && view.test.expect === 2 ? view.test : null;
    if (!watching || !test) return;
    if (test.waiting) {
      timer = setTimeout(() => ask(fetch("/api/camera", { cache: "no-store" })), LOOK_MS);
      return;
    }
    watching = false;
    if (test.well && test.values.length === 2) got(test.values.slice(), true);
    else said.textContent = t("first.unclear");
  }

  /** @param {Promise<Response>} asked */
  function ask(asked) {
    asked
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((view) => {
        if (view) look(view);
        else said.textContent = t("first.tap_pair");
      })
      .catch(() => {
        said.textContent = t("first.tap_pair");
      });
  }

  /** Let the camera read the next two dice, where there is one. */
  function watch() {
    said.textContent = t("first.tap_pair");
    fetch("/healthz", { cache: "no-store" })
      .then((answer) => answer.json())
      .then((health) => {
        if (health.camera !== "ok" || health.reader !== "ok") return;
        watching = true;
        said.textContent = t("first.throw_two");
        ask(post("/api/camera", { do: "two" }));
      })
      .catch(() => undefined);
  }

  /** No longer: the next throw is the game's again. */
  function stop() {
    clearTimeout(timer);
    if (!watching) return;
    watching = false;
    post("/api/camera", { do: "cancel" }).catch(() => undefined);
  }

  /** @param {number[]} dice the pair that is taken; none: empty */
  function show(dice) {
    const key = dice.slice().sort().join("+");
    Array.from(grid.children).forEach((one) => {
      const is = /** @type {HTMLElement} */ (one).dataset.pair === key;
      one.classList.toggle("is-chosen", is);
      one.setAttribute("aria-pressed", String(is));
    });
    if (dice.length) said.textContent = t("first.sum", { dice: dice.join(" + "), n: dice[0] + dice[1] });
  }

  return { node: node, watch: watch, stop: stop, show: show };
}
