/** What changed on the board without a throw: an undo, a redo, a throw of the past put right; so that nothing changes unsaid. */

/** @param {any} a @param {any} b two sentences of the table, or none */
const same = (a, b) => Boolean(a && b && a.zh === b.zh && a.en === b.en);

/** @param {any} state @param {any} of a throw of another moment */
function otherwise(state, of) {
  const now = state.history.filter((one) => one.number === of.number)[0];
  return Boolean(now) && (now.player !== of.player || now.jump !== of.jump || String(now.dice) !== String(of.dice));
}

/**
 * @param {any} before
 * @param {any} after
 * @param {import("./words.js").Translate} t
 * @returns {string} "" where nothing has to be said
 */
export function newsOf(before, after, t) {
  if (before.version === after.version || before.started !== after.started) return "";
  if (same(after.redoes, before.undoes) && !same(after.undoes, before.undoes)) return t("tv.undone", { what: t.say(before.undoes) });
  if (same(before.redoes, after.undoes) && !same(after.undoes, before.undoes)) return t("tv.redone", { what: t.say(after.undoes) });
  return before.throws === after.throws && before.history.some((one) => otherwise(after, one)) ? t.say(after.undoes) : "";
}
