/** The code that lets a phone in, on the board of the table's own machine, while it is good. */

import { el, fill } from "./dom.js";
import { address } from "./panels.js";

const LOOK_MS = 3000;
const COMMAND = "bobing run --host 0.0.0.0";

/**
 * No phone can come here: why, and the command that changes it.
 * @param {function(string): string} t
 */
export function alone(t) {
  const node = el("div", "pairing-alone");
  fill(node, el("p", "", t("pair.alone")), el("p", "command", COMMAND));
  return node;
}

/**
 * @param {HTMLElement} node
 * @param {function(string, Object<string, string | number>=): string} t
 */
export function createPairing(node, t) {
  let shown = 0;
  let timer = 0;

  function look() {
    clearTimeout(timer);
    fetch("/api/pairing", { cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : { offer: null }))
      .then(draw)
      .catch(() => draw({ offer: null }));
  }

  /** @param {any} said what the table says of pairing: the code on show, and whether a phone could come to it */
  function draw(said) {
    const offer = said.offer;
    node.hidden = !offer;
    document.body.classList.toggle("has-pairing", Boolean(offer));
    if (!offer) return fill(node);
    timer = setTimeout(look, LOOK_MS);
    // a code that leads nowhere is none
    if (!said.reachable) return fill(node, alone(t));
    const code = el("img", "pairing-code");
    code.setAttribute("src", "/pair.svg?" + offer.code);
    code.setAttribute("alt", "");
    const digits = offer.code.slice(0, 3) + " " + offer.code.slice(3);
    const words = el("div", "pairing-words");
    fill(
      words,
      el("p", "pairing-line", t("pair.tv")),
      address(el("p", "pairing-line"), offer.address.replace(/^https?:\/\//, "")),
      el("p", "pairing-digits", digits),
      el("p", "pairing-line", t("pair.left", { seconds: offer.seconds }))
    );
    fill(node, code, words);
  }

  return {
    /** @param {number | undefined} number how many codes have been asked for */
    show(number) {
      if (!number || number === shown) return;
      shown = number;
      look();
    },
  };
}
