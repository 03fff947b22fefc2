/** A list whose items are dragged by their handles, with a finger or a mouse. Moved by transform, put in place when let go. */

/**
 * @param {HTMLElement} list items carry data-id and hold a .handle
 * @param {function(string, string | null): void} moved which item, before which other one (null: last)
 */
export function sortable(list, moved) {
  /** @type {HTMLElement | null} */
  let held = null;
  let from = 0;

  /** @param {PointerEvent} event */
  function lift(event) {
    const handle = /** @type {HTMLElement} */ (event.target);
    if (!handle.classList.contains("handle") || event.button > 0) return;
    held = handle.parentElement;
    from = event.clientY;
    /** @type {HTMLElement} */ (held).classList.add("is-held");
    list.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  function drag(event) {
    if (held) held.style.transform = "translateY(" + (event.clientY - from) + "px)";
  }

  /** @param {PointerEvent} event */
  function drop(event) {
    if (!held) return;
    const item = held;
    held = null;
    item.classList.remove("is-held");
    item.style.transform = "";
    const others = Array.from(list.children).filter((one) => one !== item);
    const next = others.filter((one) => {
      const box = one.getBoundingClientRect();
      return event.clientY < box.top + box.height / 2;
    })[0];
    if ((next || null) === item.nextElementSibling) return;
    list.insertBefore(item, next || null);
    moved(item.dataset.id || "", next ? /** @type {HTMLElement} */ (next).dataset.id || null : null);
  }

  list.addEventListener("pointerdown", lift);
  list.addEventListener("pointermove", drag);
  list.addEventListener("pointerup", drop);
  list.addEventListener("pointercancel", drop);
}
