/** Chances and fairness in words: what the next throw may bring, and whether tonight's dice behave. */

/**
 * How likely dice that are fair would stray at least this far (chi-squared with five degrees of freedom, exactly).
 * @param {number} x
 * @returns {number} 0 to 1
 */
export function survival(x) {
  if (x <= 0) return 1;
  return erfc(Math.sqrt(x / 2)) + Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2) * (1 + x / 3);
}

/** Abramowitz and Stegun 7.1.26, good to 1.5e-7. @param {number} z @returns {number} */
function erfc(z) {
  const k = 1 / (1 + 0.3275911 * z);
  const sum = k * (0.254829592 + k * (-0.284496736 + k * (1.421413741 + k * (-1.453152027 + k * 1.061405429))));
  return sum * Math.exp(-z * z);
}

const ENOUGH = 60;

/**
 * @param {number[]} faces how often each face came
 * @returns {{dice: number, chi: number, p: number, verdict: "few" | "fair" | "odd" | "rare"}}
 */
export function fairness(faces) {
  const dice = faces.reduce((a, b) => a + b, 0);
  if (dice < ENOUGH) return { dice: dice, chi: 0, p: 1, verdict: "few" };
  const due = dice / 6;
  const chi = faces.reduce((sum, n) => sum + ((n - due) * (n - due)) / due, 0);
  const p = survival(chi);
  return { dice: dice, chi: chi, p: p, verdict: p > 0.1 ? "fair" : p > 0.01 ? "odd" : "rare" };
}

/**
 * The verdict in words, and the figure that experts ask for.
 * @param {import("./words.js").Translate} t
 * @param {number[]} faces
 */
export function fairWords(t, faces) {
  const found = fairness(faces);
  return t("fair." + found.verdict, { n: found.dice, chi: found.chi.toFixed(1), p: Math.max(1, Math.round(found.p * 100)) });
}

/**
 * A chance as people say it.
 * @param {import("./words.js").Translate} t
 * @param {number} p
 */
export function chance(t, p) {
  if (p <= 0) return t("odds.never");
  if (p >= 0.1) return t("odds.percent", { n: Math.round(p * 100) });
  return t("odds.one_in", { n: Math.round(1 / p) });
}
