/** Keys of this page as buttons of the table: presenter remotes and USB arcade buttons act as keyboards. */

import { post } from "./own.js";

const BUTTONS = { PageDown: "A", Enter: "A", " ": "A", PageUp: "B", b: "C", B: "C", ".": "C", F5: "D" };
const FIELDS = /^(INPUT|TEXTAREA|SELECT|BUTTON|A)$/;

/**
 * Listen to the keys of a page and tell the table, one after another.
 * @param {Document} page
 * @param {function(): any} box what the state says of the box; null: this table listens to no keys
 * @param {function(): void} failed a press did not reach the table
 */
export function createKeys(page, box, failed) {
  /** @type {Object<string, string>} which button a key that is down was taken for */
  let held = {};
  let line = Promise.resolve();

  /** @param {string} button @param {string} edge @param {number} moved when the finger moved, as performance.now() */
  function tell(button, edge, moved) {
    line = line
      .then(() =>
        post("/api/button", { button: button, edge: edge, age: Math.max(0, Math.round(performance.now() - moved)) })
      )
      .then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
      })
      .catch(failed);
  }

  function lose() {
    const keys = Object.keys(held);
    if (keys.length) tell(held[keys[0]], "gone", performance.now());
    held = {};
  }

  page.addEventListener("keydown", (event) => {
    const shown = box();
    const button = BUTTONS[event.key];
    if (!shown || !button || shown.buttons[button] === "free") return;
    if (event.ctrlKey || event.altKey || event.metaKey || FIELDS.test(/** @type {Element} */ (event.target).tagName)) return;
    event.preventDefault();
    if (event.repeat || held[event.key]) return;
    held[event.key] = button;
    tell(button, "down", event.timeStamp);
  });
  page.addEventListener("keyup", (event) => {
    const button = held[event.key];
    if (!button) return;
    delete held[event.key];
    tell(button, "up", event.timeStamp);
  });
  page.addEventListener("visibilitychange", () => {
    if (page.hidden) lose();
  });
  /** @type {Window} */ (page.defaultView).addEventListener("blur", lose);
}
