/** The code that lets a phone in, on the board of the table's own machine, while it is good. */

import { el, fill } from "./dom.js";

const LOOK_MS = 3000;

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
      .then((said) => draw(said.offer))
      .catch(() => draw(null));
  }

  /** @param {any} offer */
  function draw(offer) {
    node.hidden = !offer;
    document.body.classList.toggle("has-pairing", Boolean(offer));
    if (!offer) return fill(node);
    const code = el("img", "pairing-code");
    code.setAttribute("src", "/pair.svg?" + offer.code);
    code.setAttribute("alt", "");
    const digits = offer.code.slice(0, 3) + " " + offer.code.slice(3);
    fill(
      node,
      code,
      el("p", "pairing-line", t("pair.tv")),
      el("p", "pairing-address", offer.address.replace(/^https?:\/\//, "")),
      el("p", "pairing-digits", digits),
      el("p", "pairing-line", t("pair.left", { seconds: offer.seconds }))
    );
    timer = setTimeout(look, LOOK_MS);
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
