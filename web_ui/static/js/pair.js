/** Pairing a phone: the code goes in, a cookie comes back; who is paired already may let others in and end what was paired. */

import { el, fill } from "./dom.js";
import { post } from "./own.js";
import { alone } from "./pairing.js";
import { translator } from "./words.js";

const head = /** @type {HTMLElement} */ (document.getElementById("top"));
const start = JSON.parse(head.getAttribute("data-start") || "{}");
const t = translator(start.words, start.language);
const get = (id) => /** @type {any} */ (document.getElementById(id));

/** @param {any} said */
function say(said) {
  get("said").textContent = typeof said === "string" ? said : t.say(said);
}

function give() {
  post("/api/pair", { code: get("code").value, name: get("name").value })
    .then((answer) => answer.json().then((said) => ({ ok: answer.ok, said: said })))
    .then((answer) => {
      if (answer.ok) location.href = "/phone";
      else say(answer.said);
    })
    .catch(() => say(t("pair.failed")));
}

/** @param {any} body */
function change(body) {
  post("/api/pairing", body)
    .then((answer) => answer.json().then((said) => (answer.ok ? draw(said) : say(said))))
    .catch(() => say(t("pair.failed")));
}

/** @param {string} text @param {any} body */
function button(text, body) {
  const node = el("button", "wide", text);
  node.setAttribute("type", "button");
  node.addEventListener("click", () => change(body));
  return node;
}

/** One file that helps somebody far away to find a fault. @param {boolean} pictures with the last stills of throws */
function diagnose(pictures) {
  post("/api/diagnostics", { pictures: pictures })
    .then((answer) => (answer.ok ? answer.blob().then(keep) : answer.json().then(say)))
    .catch(() => say(t("pair.failed")));
}

/** @param {Blob} file */
function keep(file) {
  const link = /** @type {HTMLAnchorElement} */ (el("a"));
  link.href = URL.createObjectURL(file);
  link.download = "bobing-diagnostics.zip";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {boolean} pictures */
function diagnosis(pictures) {
  const node = el("button", "wide", t(pictures ? "pair.diagnose_pictures" : "pair.diagnose"));
  node.setAttribute("type", "button");
  node.addEventListener("click", () => diagnose(pictures));
  return node;
}

/** @param {any} offer */
function where(offer) {
  const line = el("p", "pair-where");
  fill(line, el("span", "part", offer.address), document.createTextNode(" · "), el("span", "part", t("pair.left", { seconds: offer.seconds })));
  return line;
}

/** @param {any} said */
function draw(said) {
  say("");
  const offer = said.reachable ? said.offer : null;
  const admin = said.role === "admin";
  const row = (one) => {
    const item = el("li", "paired");
    item.appendChild(el("span", "paired-name", one.name + " · " + t("pair.role_" + one.role) + (one.own ? " · " + t("pair.own") : "")));
    if (one.own || admin) item.appendChild(button(t("pair.revoke"), { do: "revoke", id: one.id }));
    return item;
  };
  const picture = offer ? el("img", "pair-code") : null;
  if (picture) {
    picture.setAttribute("src", "/pair.svg?" + offer.code);
    picture.setAttribute("alt", "");
  }
  fill(
    get("manage"),
    el("h2", "", t("pair.let_in")),
    picture,
    offer ? el("p", "pair-digits", offer.code.slice(0, 3) + " " + offer.code.slice(3)) : null,
    offer ? where(offer) : null,
    said.reachable ? button(t("pair.offer"), { do: "offer", role: "operator" }) : alone(t),
    admin && said.reachable ? button(t("pair.offer_admin"), { do: "offer", role: "admin" }) : null,
    offer ? button(t("pair.withdraw"), { do: "withdraw" }) : null,
    el("h2", "", t("pair.paired"))
  );
  const list = el("ul", "paired-list");
  said.sessions.forEach((one) => list.appendChild(row(one)));
  get("manage").appendChild(said.sessions.length ? list : el("p", "", t("pair.nobody")));
  if (!admin) return;
  get("manage").appendChild(el("h2", "", t("pair.trouble")));
  get("manage").appendChild(el("p", "", t("pair.diagnose_why")));
  get("manage").appendChild(diagnosis(false));
  get("manage").appendChild(diagnosis(true));
}

get("give").addEventListener("submit", (event) => {
  event.preventDefault();
  give();
});
const scanned = location.hash.slice(1);
if (/^[0-9]{6}$/.test(scanned)) {
  get("code").value = scanned;
  history.replaceState(null, "", "/pair");
}
if (start.role !== "viewer") {
  fetch("/api/pairing", { cache: "no-store" })
    .then((answer) => (answer.ok ? answer.json().then(draw) : null))
    .catch(() => say(t("pair.failed")));
}
