/** What the board says of the button box: a press that was refused, somebody who is wanted. */

/**
 * @param {HTMLElement} node
 * @param {function(any): string} say a {zh, en} in the page's language
 */
export function createBox(node, say) {
  return {
    /** @param {any} box the state's "box" */
    show(box) {
      const told = box ? box.refused || box.call : null;
      node.hidden = !told;
      node.textContent = told ? (box.refused ? box.refused.button + " · " : "") + say(told) : "";
    },
  };
}
