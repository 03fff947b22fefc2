/** Small makers of elements. Every text goes through textContent; nothing is ever parsed as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string | number | null} [text]
 * @returns {HTMLElement}
 */
export function el(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = String(text);
  return node;
}

/**
 * @param {string} tag
 * @param {Object<string, string | number>} attributes
 * @returns {SVGElement}
 */
export function svg(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  Object.keys(attributes).forEach((name) => node.setAttribute(name, String(attributes[name])));
  return node;
}

/**
 * A drawing of the sprite.
 * @param {string} id
 * @param {string} className
 * @param {string} box the symbol's own viewBox
 * @returns {SVGElement}
 */
export function drawing(id, className, box) {
  const node = svg("svg", { class: className, viewBox: box, "aria-hidden": "true" });
  node.appendChild(svg("use", { href: "#" + id }));
  return node;
}

/** @param {string} tier @param {string} [className] */
export function cake(tier, className) {
  return drawing("cake-" + tier, className || "cake", "0 0 200 200");
}

/** @param {string} text one character of a name */
export function seal(text) {
  return el("span", "seal", text);
}

/** @param {Element} node @param {...(Node | null)} children */
export function fill(node, ...children) {
  while (node.firstChild) node.removeChild(node.firstChild);
  children.forEach((child) => {
    if (child) node.appendChild(child);
  });
}

/**
 * A reason of several parts: where its line must break, it breaks between them first.
 * @param {HTMLElement} node
 * @param {string} text parts end with a comma or semicolon
 * @returns {HTMLElement} the node
 */
export function inParts(node, text) {
  (text.match(/[^；;，、,]+[；;，、,]?/g) || []).forEach((part, k) => {
    if (k && /^ /.test(part)) node.appendChild(document.createTextNode(" "));
    node.appendChild(el("span", "part", part.trim()));
  });
  return node;
}

/**
 * Make a paragraph fit its height, down to `least` rem: best with each of its parts on a line, else with broken parts, else as one text.
 * @param {HTMLElement} node
 * @param {number} most
 * @param {number} least
 * @param {number} height rem
 */
export function fitHeight(node, most, least, height) {
  const room = height * parseFloat(getComputedStyle(document.documentElement).fontSize) + 1;
  const parts = /** @type {HTMLElement[]} */ (Array.from(node.children));
  const broken = () => parts.some((part) => part.offsetHeight > 1.5 * parseFloat(node.style.lineHeight) * (room - 1) / height);
  /** @param {number} to @param {boolean} whole */
  const shrink = (to, whole) => {
    for (let size = most; size >= to; size -= 0.02) {
      node.style.fontSize = size.toFixed(2) + "rem";
      node.style.lineHeight = (size * 1.36).toFixed(3) + "rem";
      if (node.scrollHeight <= room && !(whole && broken())) return true;
    }
    return false;
  };
  if (shrink(Math.max(least, most * 0.7), true) || shrink(least, false)) return;
  fill(node, document.createTextNode(node.textContent || ""));
  shrink(least, false);
}

/**
 * Make a line fit its width: smaller type first, down to `least` rem.
 * @param {HTMLElement} node
 * @param {number} most
 * @param {number} least
 * @returns {boolean} whether it fits now
 */
export function fit(node, most, least) {
  const text = document.createRange();
  text.selectNodeContents(node);
  // fractions of a pixel matter: the smallest overflow already draws an ellipsis
  const over = () => text.getBoundingClientRect().width > node.getBoundingClientRect().width;
  let size = most;
  node.style.fontSize = size + "rem";
  while (over() && size > least) {
    size = Math.max(least, size - 0.02);
    node.style.fontSize = size.toFixed(2) + "rem";
  }
  return !over();
}
