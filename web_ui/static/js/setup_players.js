/** Who plays: typed, pasted, or from a file with a name a line. */
import { el } from "./dom.js";
import { label, namesIn, wrongNames } from "./phone_sheets.js";

const LARGEST = 64 * 1024;

/**
 * Names from a file: the first cell of each line, quotes taken off, a heading left out.
 * @param {string} text
 * @returns {string[]}
 */
export function namesFromTable(text) {
  const cells = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((row) => (/^\s*"((?:[^"]|"")*)"/.exec(row) || [row, row.split(/[,;\t]/)[0]])[1].replace(/""/g, '"').trim())
    .filter(Boolean);
  return cells.length && /^(name|names|姓名|名字|玩家|player|players)$/i.test(cells[0]) ? cells.slice(1) : cells;
}

/** The file's own button speaks the browser's language; this one speaks ours. */
function pickFile(t, file) {
  const way = label("file", t("setup.file"));
  way.className = "way is-file";
  way.insertBefore(file, way.firstChild);
  return way;
}

/**
 * @param {import("./words.js").Translate} t
 * @param {any} plan
 * @param {function(): void} keep
 * @returns {HTMLElement[]}
 */
export function playersStep(t, plan, keep) {
  const names = /** @type {HTMLTextAreaElement} */ (el("textarea"));
  names.id = "names";
  names.rows = 10;
  names.placeholder = t("phone.players_hint");
  names.value = plan.names.join("\n");
  const said = el("p", "fault");
  said.setAttribute("role", "status");
  const read = () => {
    plan.names = namesIn(names.value);
    said.textContent = plan.names.length ? wrongNames(t, plan.names) || t("setup.count", { n: plan.names.length }) : "";
    said.classList.toggle("is-well", !wrongNames(t, plan.names));
    keep();
  };
  names.addEventListener("input", read);
  const file = /** @type {HTMLInputElement} */ (el("input"));
  file.type = "file";
  file.id = "file";
  file.accept = ".csv,.txt,text/csv,text/plain";
  file.addEventListener("change", () => {
    const chosen = file.files && file.files[0];
    if (!chosen || chosen.size > LARGEST) {
      said.textContent = chosen ? t("setup.file_large") : "";
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      names.value = namesFromTable(String(reader.result)).join("\n");
      read();
    };
    reader.readAsText(chosen);
  });
  read();
  return [label("names", t("phone.players")), names, said, pickFile(t, file)];
}
