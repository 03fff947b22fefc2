/** The catalogue in the browser. */

/**
 * @typedef {function(string, Object<string, string | number>=): string} Translate
 */

/**
 * @param {Object<string, string>} catalogue
 * @returns {Translate}
 */
export function translator(catalogue) {
  return (key, values) => {
    const text = Object.prototype.hasOwnProperty.call(catalogue, key) ? catalogue[key] : key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (values && name in values ? String(values[name]) : whole));
  };
}

/**
 * The large words of a hand: what stands before, the word itself, what hangs behind it.
 * @param {string} text as the rules say it, such as 四进带一秀, 状元带7, 状元插金花
 * @returns {{before: string, word: string, behind: string}}
 */
export function splitHand(text) {
  const carried = text.match(/^(.+?)(带.+)$/);
  if (carried) return { before: "", word: carried[1], behind: carried[2] };
  if (text.length > 4 && text.indexOf("状元") === 0) return { before: "状元", word: text.slice(2), behind: "" };
  return { before: "", word: text, behind: "" };
}

/**
 * What a throw is called at the table.
 * @param {Translate} t
 * @param {any} thrown
 * @returns {string}
 */
export function handText(t, thrown) {
  if (thrown.jump) return t("kind.jump");
  if (!thrown.kind || thrown.kind === "none") return t("kind.none");
  return thrown.text || t("kind." + thrown.kind);
}

/**
 * The hand's own name, and for who does not read it what it means.
 * @param {Translate} t
 * @param {any} thrown
 * @param {boolean} zh
 * @returns {string}
 */
export function bothNames(t, thrown, zh) {
  const name = handText(t, thrown);
  return zh || !thrown.text_en ? name : name + " · " + thrown.text_en;
}

/** @param {Translate} t @param {any} thrown @returns {string} */
export function handGloss(t, thrown) {
  return t("kgloss." + (thrown.jump ? "jump" : thrown.kind || "none"));
}
