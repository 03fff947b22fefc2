/** What the board says of the button box: a press that was refused, somebody who is wanted, a box that needs a hand. */

import { el, fill } from "./dom.js";

const TROUBLE = ["lost", "busy", "permission", "version", "other_box", "brltty", "unopened"];

/**
 * @param {HTMLElement} node
 * @param {function(any): string} say a {zh, en} in the page's language
 */
export function createBox(node, say) {
  return {
    /** @param {any} box the state's "box" */
    show(box) {
      const told = box ? box.refused || box.call || (TROUBLE.indexOf(box.state) >= 0 ? box : null) : null;
      node.hidden = !told;
      fill(node, told ? el("span", "", (told === box.refused ? told.button + " · " : "") + say(told)) : null);
    },
  };
}
