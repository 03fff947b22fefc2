/** What a jump costs, in the words of this table's rules. */

/**
 * @param {import("./words.js").Translate} t
 * @param {any} state
 * @param {number | null} number the throw of the past that would become void; null: the one that is made now
 * @returns {string}
 */
export function jumpCost(t, state, number) {
  const rule = state.rules && state.rules.switches ? state.rules.switches.jump : "";
  const made = number === null ? null : state.history.filter((one) => one.number === number)[0];
  const who = made ? made.name : state.turn ? state.turn.name : "";
  const parts = [number === null ? t("jump.void") : t("jump.void_past", { n: number })];
  if (rule === "void_and_skip" && !state.extra) parts.push(t("jump.skip", { name: who }));
  if (rule === "rethrow" && !state.extra) parts.push(t("jump.again"));
  return parts.join(t("jump.and"));
}

/**
 * What a throw of the past has won and would give back.
 * @param {import("./words.js").Translate} t
 * @param {any} thrown
 * @returns {string} nothing where nothing was won
 */
export function lossOf(t, thrown) {
  const cakes = Object.keys(thrown.won || {}).map((tier) => t("jump.cake", { tier: t("tier." + tier), n: thrown.won[tier] }));
  const parts = cakes.length ? [t("jump.back", { cakes: cakes.join(t("jump.and")) })] : [];
  if (["new", "kept", "lugu"].indexOf(thrown.champion) >= 0) parts.push(t("jump.champion"));
  return parts.join(" ");
}
