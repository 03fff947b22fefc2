/** What is needed seldom, two taps away: pause, end, seats, the TV's sound and scene, print, set-up, language. */
import { el } from "./dom.js";
import { createParts } from "./phone_parts.js";
import { cakesLeft, isRunning } from "./phone_sheets.js";

const SCENES = ["auto", "recent", "odds", "fairness", "fact", "qr", "standings"];
const LANGUAGES = [["zh-CN", "简体"], ["zh-TW", "繁體"], ["en", "English"]];

/**
 * @param {any} sheets
 * @param {any} people
 * @param {import("./words.js").Translate} t
 * @param {function(): any} state
 * @param {function(any): Promise<boolean>} give
 */
export function createMore(sheets, people, t, state, give) {
  const { button, line } = createParts(t);

  /** Who will be champion if it ends now. @param {any} now */
  function champions(now) {
    const names = now.champions.map((one) => one.name);
    return names.length ? t("phone.end_champion", { name: names.join(t("print.and")) }) : t("phone.end_nobody");
  }

  function open() {
    const now = state();
    const idle = now.phase === "lobby" || now.over || Boolean(now.question);
    const pause = now.phase === "paused"
      ? button(t("phone.resume"), "", () => done({ command: "resume" }))
      : button(t("phone.pause"), "", () => done({ command: "pause" }));
    pause.disabled = idle;
    const end = button(t("phone.end"), "wide grave", () => done({ command: "end" }), t("phone.end_cost", { n: cakesLeft(now), champion: champions(now) }));
    end.disabled = idle;
    const seats = button(t("people.order"), "", people.order);
    seats.disabled = now.phase === "lobby";
    const again = button(t("phone.new_game"), "", () => sheets.start(), isRunning(now) ? t("start.ends_this") : "");
    again.disabled = Boolean(now.question);
    sheets.open(
      t("phone.more"),
      line(pause, seats),
      line(again),
      el("h3", "", t("more.tv")),
      volume(now.tv),
      line(flag(now.tv, "mute", "more.mute"), flag(now.tv, "voice", "more.voice"), light(now.tv)),
      el("p", "label", t("more.scene")),
      scenes(now.tv),
      el("p", "label", t("more.language")),
      tongues(now.language),
      el("p", "label", t("more.mine")),
      own(),
      el("h3", "", t("more.here")),
      ways(),
      el("h3", "", t("phone.end_title")),
      end,
      line(button(t("phone.close"), "", sheets.close))
    );
  }

  /** @param {any} command */
  const done = (command) => give(command).then((good) => good && sheets.close());
  /** @param {any} change */
  const tune = (change) => give(Object.assign({ command: "tv" }, change)).then((good) => good && open());

  /** @param {any} tv */
  function volume(tv) {
    const box = el("div", "volume");
    const label = /** @type {HTMLLabelElement} */ (el("label", "", t("more.volume")));
    label.htmlFor = "volume";
    const slide = /** @type {HTMLInputElement} */ (el("input"));
    slide.type = "range";
    slide.id = "volume";
    slide.min = "0";
    slide.max = "100";
    slide.step = "5";
    slide.value = String(tv.volume);
    slide.addEventListener("change", () => give({ command: "tv", volume: Number(slide.value) }));
    box.appendChild(label);
    box.appendChild(slide);
    return box;
  }

  /** @param {any} tv @param {string} name @param {string} key */
  function flag(tv, name, key) {
    const change = {};
    change[name] = !tv[name];
    const node = button(t(key), tv[name] ? "is-chosen" : "", () => tune(change));
    node.setAttribute("aria-pressed", String(tv[name]));
    return node;
  }

  /** @param {any} tv */
  function light(tv) {
    const node = button(t("more.light"), tv.theme === "light" ? "is-chosen" : "", () => tune({ theme: tv.theme === "light" ? "dark" : "light" }));
    node.setAttribute("aria-pressed", String(tv.theme === "light"));
    return node;
  }

  /** @param {any} tv */
  function scenes(tv) {
    const row = el("div", "people");
    SCENES.forEach((name) => {
      const one = button(t("scene." + name), tv.scene === name ? "is-chosen" : "", () => tune({ scene: name }));
      one.setAttribute("aria-pressed", String(tv.scene === name));
      row.appendChild(one);
    });
    return row;
  }

  /** The TV's language is the table's. @param {string} language */
  function tongues(language) {
    const row = el("div", "people");
    LANGUAGES.forEach((pair) => row.appendChild(button(pair[1], language === pair[0] ? "is-chosen" : "", () => tune({ language: pair[0] }))));
    return row;
  }

  /** Other pages. */
  function ways() {
    const row = el("div", "ways");
    [["/keep", "more.keep"], ["/setup", "more.setup"], ["/calibrate", "more.calibrate"]].forEach((pair) => {
      const way = /** @type {HTMLAnchorElement} */ (el("a", "way", t(pair[1])));
      way.href = pair[0];
      row.appendChild(way);
    });
    return row;
  }

  /** This phone's own language. */
  function own() {
    const row = el("div", "people");
    LANGUAGES.forEach((pair) => {
      const is = pair[0] === t.language;
      const way = /** @type {HTMLAnchorElement} */ (el("a", is ? "chip is-chosen" : "chip", pair[1]));
      way.href = "?lang=" + pair[0];
      way.lang = pair[0];
      if (is) way.setAttribute("aria-current", "true");
      way.addEventListener("click", () => {
        document.cookie = "language=" + pair[0] + "; path=/; max-age=31536000; samesite=lax";
      });
      row.appendChild(way);
    });
    return row;
  }

  return { open: open };
}
