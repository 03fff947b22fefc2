/** What our own pages send along with every change: the word that the page carries, so that no page elsewhere can ask for one. */

/** @returns {Object<string, string>} */
export function own() {
  const meta = document.querySelector('meta[name="bobing-token"]');
  return { "Content-Type": "application/json", "X-Bobing-Token": meta ? meta.getAttribute("content") || "" : "" };
}

/**
 * Ask for a change.
 * @param {string} path @param {any} body
 * @returns {Promise<Response>}
 */
export function post(path, body) {
  return fetch(path, { method: "POST", headers: own(), body: JSON.stringify(body) });
}
