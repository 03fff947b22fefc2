/** The rim drawn over the live picture: an ellipse with three dots that can be dragged, by finger, mouse or arrow keys. */

import { fill, svg } from "./dom.js";

const STEP = 2;
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/**
 * @typedef {{cx: number, cy: number, major: number, minor: number, angle_deg: number}} Rim
 * @param {SVGElement} overlay
 * @param {function(): void} moved told when the person has changed the rim
 * @returns {{show: function(Rim | null, number, number): void, rim: function(): Rim | null}}
 */
export function rimEditor(overlay, moved) {
  /** @type {Rim | null} */
  let rim = null;
  let width = 1;
  let height = 1;
  let held = "";

  const turn = () => (rim ? (rim.angle_deg * Math.PI) / 180 : 0);

  function places() {
    const angle = turn();
    return {
      middle: [rim.cx, rim.cy],
      long: [rim.cx + (rim.major / 2) * Math.cos(angle), rim.cy + (rim.major / 2) * Math.sin(angle)],
      short: [rim.cx - (rim.minor / 2) * Math.sin(angle), rim.cy + (rim.minor / 2) * Math.cos(angle)],
    };
  }

  function move(name, x, y) {
    const dx = x - rim.cx;
    const dy = y - rim.cy;
    if (name === "middle") {
      rim.cx = Math.max(0, Math.min(width, x));
      rim.cy = Math.max(0, Math.min(height, y));
    } else if (name === "long") {
      rim.major = Math.max(60, rim.minor, 2 * Math.sqrt(dx * dx + dy * dy));
      rim.angle_deg = (((Math.atan2(dy, dx) * 180) / Math.PI) % 180 + 180) % 180;
    } else {
      rim.minor = Math.min(rim.major, Math.max(50, 2 * Math.sqrt(dx * dx + dy * dy)));
    }
    moved();
    draw(name);
  }

  function draw(focus) {
    overlay.setAttribute("viewBox", "0 0 " + width + " " + height);
    if (!rim) {
      fill(overlay);
      return;
    }
    const line = svg("ellipse", {
      class: "rim",
      cx: rim.cx,
      cy: rim.cy,
      rx: rim.major / 2,
      ry: rim.minor / 2,
      transform: "rotate(" + rim.angle_deg + " " + rim.cx + " " + rim.cy + ")",
    });
    const dots = places();
    const drawn = Object.keys(dots).map((name) => {
      const dot = svg("circle", { class: "dot", cx: dots[name][0], cy: dots[name][1], r: width / 45, tabindex: 0, "data-name": name });
      dot.addEventListener("keydown", (event) => {
        const key = KEYS[/** @type {KeyboardEvent} */ (event).key];
        if (!key) return;
        event.preventDefault();
        move(name, dots[name][0] + key[0], dots[name][1] + key[1]);
      });
      return dot;
    });
    fill(overlay, line, ...drawn);
    if (focus && !held) {
      const again = /** @type {SVGElement | null} */ (overlay.querySelector('[data-name="' + focus + '"]'));
      if (again) again.focus();
    }
  }

  function at(event) {
    const box = overlay.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  }

  overlay.addEventListener("pointerdown", (event) => {
    const name = /** @type {Element} */ (event.target).getAttribute("data-name");
    if (!rim || !name) return;
    held = name;
    event.preventDefault();
    overlay.setPointerCapture(event.pointerId);
  });
  overlay.addEventListener("pointermove", (event) => {
    if (!held) return;
    const place = at(event);
    move(held, place[0], place[1]);
  });
  ["pointerup", "pointercancel"].forEach((name) =>
    overlay.addEventListener(name, () => {
      held = "";
    })
  );

  return {
    show: (shown, wide, high) => {
      rim = shown ? Object.assign({}, shown) : null;
      width = wide;
      height = high;
      draw("");
    },
    rim: () => rim,
  };
}
