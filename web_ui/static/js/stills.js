/** Pictures that are not there any more (a backup came back without them): pages do without. */
import { el } from "./dom.js";

/**
 * @param {Document} page
 * @param {import("./words.js").Translate} t
 * @param {function(): void} redraw
 */
export function createStills(page, t, redraw) {
  /** what is to be said, by address */
  const missing = {};

  // an error does not bubble
  page.addEventListener("error", (event) => {
    const node = /** @type {HTMLElement} */ (event.target);
    const address = node.dataset && node.dataset.still;
    if (!address) return;
    // a film is missing, not the picture
    if (node.tagName === "IMG" && node.getAttribute("src") !== address) {
      node.setAttribute("src", address);
      return;
    }
    node.style.visibility = "hidden";
    fetch(address).then((answer) => answer.status === 404, () => false).then((gone) => {
      missing[address] = gone ? "still.gone" : "still.unseen";
      // an open sheet is not drawn anew
      if (node.tagName === "IMG" && node.parentNode) node.parentNode.replaceChild(el("p", "no-still", t(missing[address])), node);
      redraw();
    });
  }, true);

  /** @param {any} one a throw or a question */
  function known(one) {
    return one && missing[one.still] ? Object.assign({}, one, { still: null, lost: missing[one.still] }) : one;
  }

  return {
    /** @param {any} state @returns {any} the same without what is missing */
    without: (state) => Object.assign({}, state, { question: known(state.question), last: known(state.last), history: state.history.map(known) }),
    /** The line is there again: what it kept away may come. */
    again: () => Object.keys(missing).forEach((address) => missing[address] === "still.gone" || delete missing[address]),
  };
}

/**
 * @param {import("./words.js").Translate} t
 * @param {any} one a throw or a question
 */
export function lostPicture(t, one) {
  return one && one.lost ? el("p", "no-still", t(one.lost)) : null;
}
