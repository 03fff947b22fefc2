/** A player's own sheet, the order of play, and who grabbed what. */
import { cake, el, fill } from "./dom.js";
import { TIERS } from "./guests.js";
import { createParts } from "./phone_parts.js";
import { sortable } from "./sortable.js";

/**
 * @param {any} sheets
 * @param {import("./words.js").Translate} t
 * @param {function(): any} state
 * @param {function(any): Promise<boolean>} give
 */
export function createPeople(sheets, t, state, give) {
  const { button, line } = createParts(t);
  const find = (id) => state().players.filter((player) => player.id === id)[0] || null;

  /** Give a command and stay: the sheet shows what became of it. @param {any} command */
  const stay = (command) => give(command);
  const close = (command) => give(command).then((done) => done && sheets.close());

  /** Everything that can be done about one player. @param {string} id */
  function open(id) {
    const player = find(id);
    if (!player) return sheets.close();
    const parts = [];
    if (state().over) parts.push(...grabbed(id));
    const over = state().over || Boolean(state().question);
    const out = player.status !== "playing";
    const pass = button(t("people.skip"), "", () => close({ command: "skip", player: id }));
    pass.disabled = over || out || player.skip;
    const sit = out
      ? button(t("people.return"), "", () => close({ command: "player", return: { player: id } }))
      : button(t("people.sit_out"), "", () => close({ command: "player", sit_out: { player: id } }));
    const leave = button(t("people.leave"), "grave", () => close({ command: "player", leave: { player: id } }));
    leave.disabled = player.status === "left";
    [sit, leave].forEach((one) => {
      one.disabled = one.disabled || over;
    });
    parts.push(line(pass, sit, leave));
    parts.push(rename(player));
    const order = state().players.map((one) => one.id);
    const at = order.indexOf(id);
    const up = button(t("people.up"), "", () => stay({ command: "player", move: { player: id, before: order[at - 1] } }));
    const down = button(t("people.down"), "", () => stay({ command: "player", move: { player: id, before: order[at + 2] || null } }));
    up.disabled = at === 0 || over;
    down.disabled = at === order.length - 1 || over;
    parts.push(el("p", "label", t("people.seat", { n: at + 1 })), line(up, down));
    parts.push(...returned(player));
    parts.push(line(button(t("phone.close"), "", sheets.close)));
    sheets.open(player.name, ...parts);
    sheets.keepFresh(() => open(id));
    return undefined;
  }

  /**
   * A name to type, with a button of its own and the Enter key.
   * @param {string} id @param {string} words @param {string} held @param {string} goes @param {(name: string) => any} done
   */
  function named(id, words, held, goes, done) {
    const form = /** @type {HTMLFormElement} */ (el("form", "inline"));
    const name = /** @type {HTMLInputElement} */ (el("input"));
    name.value = held;
    name.id = id;
    name.maxLength = 24;
    const label = /** @type {HTMLLabelElement} */ (el("label", "label", words));
    label.htmlFor = id;
    const go = button(goes, "", () => {
      const typed = name.value.trim();
      return typed && typed !== held ? done(typed) : undefined;
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      go.click();
    });
    form.appendChild(name);
    form.appendChild(go);
    const whole = el("div");
    fill(whole, label, form);
    return whole;
  }

  /** @param {any} player */
  function rename(player) {
    const done = (typed) => close({ command: "player", rename: { player: player.id, name: typed } });
    return named("rename", t("people.rename"), player.name, t("people.save"), done);
  }

  /** Cakes that a player puts back on the table, one a tap. @param {any} player */
  function returned(player) {
    const tiers = TIERS.filter((tier) => player.cakes[tier] && tier !== "zhuangyuan");
    if (!tiers.length || state().question) return [];
    const row = el("div", "people");
    tiers.forEach((tier) => {
      const one = button(t("tier." + tier) + " " + player.cakes[tier], "with-cake", () => {
        const cakes = {};
        cakes[tier] = 1;
        return stay({ command: "give_back", player: player.id, cakes: cakes });
      });
      one.insertBefore(cake(tier), one.firstChild);
      one.setAttribute("aria-label", t("people.give_back_one", { tier: t("tier." + tier) }));
      row.appendChild(one);
    });
    return [el("p", "label", t("people.give_back")), row];
  }

  /** What is still to be written down of the scramble goes to this player, one a tap. @param {string} id */
  function grabbed(id) {
    const tiers = TIERS.filter((tier) => state().scramble[tier]);
    if (!tiers.length) return [];
    const row = el("div", "people");
    tiers.forEach((tier) => {
      const one = button(t("near.tier", { tier: t("tier." + tier), n: state().scramble[tier] }), "with-cake", () =>
        stay({ command: "assign", tier: tier, n: 1, player: id })
      );
      one.insertBefore(cake(tier), one.firstChild);
      one.setAttribute("aria-label", t("people.grabbed_one", { tier: t("tier." + tier) }));
      row.appendChild(one);
    });
    return [el("p", "label", t("people.grabbed")), row];
  }

  let chosen = "";

  /** The scramble under the thumb: which tier, then who; the highest comes first. @returns {HTMLElement[]} */
  function scramble() {
    const tiers = TIERS.filter((tier) => state().scramble[tier]);
    if (!tiers.length) return [];
    const box = el("div", "scramble");
    const draw = () => {
      const tier = tiers.indexOf(chosen) >= 0 ? chosen : tiers[0];
      const which = el("div", "people");
      tiers.forEach((one) => {
        const words = t("near.tier", { tier: t("tier." + one), n: state().scramble[one] });
        which.appendChild(
          button(words, one === tier ? "is-chosen" : "", () => {
            chosen = one;
            draw();
          })
        );
      });
      const who = el("div", "people");
      state().players.forEach((player) => who.appendChild(button(player.name, "", () => give({ command: "assign", tier: tier, n: 1, player: player.id }))));
      fill(box, el("p", "ask-line", t("people.who_grabbed")), which, el("p", "label", t("people.one_to", { tier: t("tier." + tier) })), who);
    };
    draw();
    return [box];
  }

  /** The order of play: dragged by the handle, or moved with the buttons. */
  function order() {
    const list = el("ol", "order");
    const all = state().players;
    all.forEach((player, at) => {
      const item = el("li", "order-item");
      item.dataset.id = player.id;
      const handle = el("span", "handle", "≡");
      handle.setAttribute("aria-hidden", "true");
      item.appendChild(handle);
      item.appendChild(el("span", "name", player.name));
      [[-1, "↑", "people.up_of"], [1, "↓", "people.down_of"]].forEach((way) => {
        const step = /** @type {number} */ (way[0]);
        const one = button(String(way[1]), "step", () => stay({ command: "player", move: { player: player.id, before: beside(all, at, step) } }));
        one.setAttribute("aria-label", t(String(way[2]), { name: player.name }));
        one.disabled = at + step < 0 || at + step >= all.length;
        item.appendChild(one);
      });
      list.appendChild(item);
    });
    sortable(list, (id, before) => stay({ command: "player", move: { player: id, before: before } }).then((done) => done || order()));
    sheets.open(t("people.order"), el("p", "hint", t("people.order_how")), list, add(), line(button(t("phone.close"), "", sheets.close)));
    sheets.keepFresh(order);
  }

  /** @param {any[]} all @param {number} at @param {number} step @returns {string | null} */
  function beside(all, at, step) {
    const next = all[step < 0 ? at - 1 : at + 2];
    return next ? next.id : null;
  }

  /** Somebody joins, at the end of the order of play. */
  function add() {
    return named("add", t("people.add"), "", t("people.add_go"), (typed) => stay({ command: "player", add: { name: typed } }));
  }

  return { open: open, order: order, scramble: scramble };
}
