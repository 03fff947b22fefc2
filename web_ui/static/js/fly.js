/** Cakes that travel: from the pyramid to their winner, from one player to another, or back. */
import { cake } from "./dom.js";

const TRAVEL_MS = 600;
const APART_MS = 90;
const MOST = 12;

/**
 * @typedef {{tier: string, index: number, from: string | null, to: string | null}} Move
 * from and to are players, null is the pyramid
 */

/**
 * What changed hands between two states; empty where the stock itself is another.
 * @param {any} before
 * @param {any} after
 * @returns {Move[]}
 */
export function moves(before, after) {
  /** @type {Move[]} */
  const found = [];
  after.tiers.forEach((tier, k) => {
    const old = before.tiers[k];
    if (!old || old.tier !== tier.tier || old.total !== tier.total) return;
    tier.seals.forEach((to, index) => {
      const from = old.seals[index];
      if (from !== to) found.push({ tier: tier.tier, index: index, from: from, to: to });
    });
  });
  return found;
}

/**
 * @param {Element} node
 * @param {DOMRect} stage
 */
function centre(node, stage) {
  const box = node.getBoundingClientRect();
  return { x: box.left + box.width / 2 - stage.left, y: box.top + box.height / 2 - stage.top, size: Math.min(box.width, box.height) };
}

/**
 * Let one cake travel.
 * @param {HTMLElement} layer
 * @param {string} tier
 * @param {Element} from
 * @param {Element} to
 * @param {number} order
 * @param {function(): void} arrived
 */
export function travel(layer, tier, from, to, order, arrived) {
  const stage = /** @type {HTMLElement} */ (layer.parentElement).getBoundingClientRect();
  const a = centre(from, stage);
  const b = centre(to, stage);
  const size = Math.max(a.size, 40);
  const node = cake(tier, "flying");
  node.style.width = node.style.height = size + "px";
  const where = (p, scale) => "translate(" + (p.x - size / 2) + "px, " + (p.y - size / 2) + "px) scale(" + scale + ")";
  const lifted = { x: a.x + (b.x - a.x) * 0.12, y: a.y - size * 0.5 };
  layer.appendChild(node);
  const motion = node.animate(
    [
      { transform: where(a, 1), opacity: 1 },
      { transform: where(lifted, 1.25), opacity: 1, offset: 0.25 },
      { transform: where(b, 0.6), opacity: 1, offset: 0.92 },
      { transform: where(b, 0.5), opacity: 0 },
    ],
    { duration: TRAVEL_MS + size, delay: order * APART_MS, easing: "ease-out", fill: "both" }
  );
  const end = () => {
    node.remove();
    arrived();
  };
  motion.onfinish = end;
  motion.oncancel = end;
  return motion;
}

/**
 * Send all that changed hands on its way; `done` is called once, when the last has arrived.
 * @param {HTMLElement} layer
 * @param {Move[]} all
 * @param {function(string, number): (Element | null)} place
 * @param {function(string): (Element | null)} guest
 * @param {function(): void} done
 * @returns {function(): void} ends the journey at once
 */
export function sendAll(layer, all, place, guest, done) {
  const motions = [];
  let under = 0;
  let ended = false;
  const finish = () => {
    if (ended) return;
    ended = true;
    done();
  };
  all.slice(0, MOST).forEach((move, order) => {
    const from = move.from ? guest(move.from) : place(move.tier, move.index);
    const to = move.to ? guest(move.to) : place(move.tier, move.index);
    if (!from || !to) return;
    under += 1;
    motions.push(
      travel(layer, move.tier, from, to, order, () => {
        under -= 1;
        if (under === 0) finish();
      })
    );
  });
  if (under === 0) finish();
  return () => {
    motions.forEach((motion) => motion.cancel());
    finish();
  };
}
