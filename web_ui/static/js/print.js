/** Dates in both calendars, and the button that prints. */

const TENS = ["初", "十", "廿", "三"];
const ONES = ["十", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/**
 * A day of the moon's month as it is said: 初一, 十五, 廿三, 三十.
 * @param {number} n
 */
export function moonDay(n) {
  if (n === 10) return "初十";
  if (n === 20) return "二十";
  if (n === 30) return "三十";
  return TENS[Math.floor(n / 10)] + ONES[n % 10];
}

const language = document.documentElement.lang;

document.querySelectorAll("[data-day]").forEach((node) => {
  const when = new Date(Number(/** @type {HTMLElement} */ (node).dataset.day) * 1000);
  node.textContent = new Intl.DateTimeFormat(language, { year: "numeric", month: "long", day: "numeric" }).format(when);
});

document.querySelectorAll("[data-moon]").forEach((node) => {
  const when = new Date(Number(/** @type {HTMLElement} */ (node).dataset.moon) * 1000);
  const tag = (language === "en" ? "en" : "zh-CN") + "-u-ca-chinese";
  const text = new Intl.DateTimeFormat(tag, { year: "numeric", month: "long", day: "numeric" }).format(when);
  // "2026丙午年八月15": the year's number goes, the day is said as people say it
  const said = text.replace(/^\d+/, "").replace(/(\d+)日?$/, (whole, n) => moonDay(Number(n)));
  node.textContent = language === "en" ? text.replace(/(\d)\(/, "$1 (") : language === "zh-TW" ? said.replace("闰", "閏").replace("腊", "臘") : said;
});

// a certificate without its picture is whole too; the page says why, the paper doesn't
const proof = /** @type {HTMLImageElement | null} */ (document.querySelector(".cert-proof"));
const lost = document.getElementById("lost");
function without() {
  if (!proof || !lost) return;
  lost.textContent = proof.dataset.lost || "";
  proof.remove();
}
if (proof) proof.addEventListener("error", without);
if (proof && proof.complete && !proof.naturalWidth) without();

const go = document.getElementById("print");
if (go) go.addEventListener("click", () => window.print());
