/** The catalogue in the browser, and what the table says in its own two languages. */

/**
 * `t(key, values)` says a sentence of the catalogue, of one (`n`) the one under KEY.one where the language has it; `t.say(pair)` one that the table sent in Chinese and English;
 * `t.local(text)` a Chinese word of the table's own (a hand, a title) in the page's characters.
 * @typedef {((key: string, values?: Object<string, string | number>) => string) & {language: string, zh: boolean,
 *   know: function(any): void, say: function(any): string, why: function(any): string, local: function(string): string}} Translate
 */

/**
 * @param {Object<string, string>} catalogue
 * @param {string} language
 * @returns {Translate}
 */
export function translator(catalogue, language) {
  const has = (key) => Object.prototype.hasOwnProperty.call(catalogue, key);
  const from = Array.from(has("hant.from") ? catalogue["hant.from"] : "");
  const to = Array.from(has("hant.to") ? catalogue["hant.to"] : "");
  const words = (has("hant.words") ? catalogue["hant.words"] : "").split(" ").filter(Boolean).map((pair) => pair.split("="));
  const signs = {};
  from.forEach((sign, k) => {
    signs[sign] = to[k];
  });
  /** @type {string[]} */
  let names = [];

  const t = /** @type {Translate} */ ((key, values) => {
    const one = values && values.n === 1 && has(key + ".one") ? key + ".one" : key;
    const text = has(one) ? catalogue[one] : key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (values && name in values ? String(values[name]) : whole));
  });
  t.language = language;
  t.zh = language.indexOf("zh") === 0;
  // names are never turned into other characters: longest first, so that no name is taken for part of another
  t.know = (state) => {
    names = state.players.map((player) => player.name).sort((a, b) => b.length - a.length);
  };
  // whole words first: some things have another name there
  const named = (text) => words.reduce((said, pair) => said.split(pair[0]).join(pair[1]), text);
  const turned = (text) => Array.from(named(text)).map((sign) => signs[sign] || sign).join("");
  const local = (text, after) => {
    if (!from.length || !text) return text;
    for (let k = after; k < names.length; k += 1) {
      const at = text.indexOf(names[k]);
      if (at >= 0) return local(text.slice(0, at), k + 1) + names[k] + local(text.slice(at + names[k].length), k);
    }
    return turned(text);
  };
  t.local = (text) => local(text, 0);
  // the board says 落空, kindlier than what the rules call it: the reason alone is told then
  t.why = (thrown) => t.say({ zh: (thrown.zh || "").replace(/^罚黑：/, ""), en: (thrown.en || "").replace(/^罚黑 \(nothing\): /, "") });
  // the table speaks in lower case; what stands alone on a page begins like a sentence
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  t.say = (pair) => (pair ? (t.zh ? t.local(pair.zh || "") : sentence(pair.en || "")) : "");
  return t;
}

/**
 * The large words of a hand: what stands before, the word itself, what hangs behind it.
 * @param {string} text as the rules say it, such as 四进带一秀, 状元带7, 状元插金花
 * @returns {{before: string, word: string, behind: string}}
 */
export function splitHand(text) {
  const carried = text.match(/^(.+?)([带帶].+)$/);
  if (carried) return { before: "", word: carried[1], behind: carried[2] };
  if (text.length > 4 && /^[状狀]元/.test(text)) return { before: text.slice(0, 2), word: text.slice(2), behind: "" };
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
  return thrown.text ? t.local(thrown.text) : t("kind." + thrown.kind);
}

/**
 * The hand's own name, and for who does not read it what it means.
 * @param {Translate} t
 * @param {any} thrown
 * @returns {string}
 */
export function bothNames(t, thrown) {
  const name = handText(t, thrown);
  return t.zh || !thrown.text_en ? name : name + " · " + thrown.text_en;
}

/** @param {Translate} t @param {any} thrown @returns {string} */
export function handGloss(t, thrown) {
  return t("kgloss." + (thrown.champion === "lugu" ? "lugu" : thrown.jump ? "jump" : thrown.kind || "none"));
}
