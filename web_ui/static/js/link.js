/** One line to the table: the stored events and passing phases, and the state when it has moved on. */

import { post } from "./own.js";

/**
 * @param {any} start the state the page was rendered with
 * @param {{state: function(any): void, phase: function(string): void, lost: function(boolean): void}} on
 * @returns {{show: function(any): void, send: function(Object): Promise<{status: number, body: any}>}}
 */
export function follow(start, on) {
  let version = start.version;
  let demo = start.demo;
  let fetching = false;
  let again = false;
  let broken = false;
  let renewed = false;

  /** @param {any} state */
  function show(state) {
    // an answer that was overtaken on its way; after a broken line the table itself may have begun anew
    if (state.version < version && state.demo === demo && !renewed) return;
    renewed = false;
    demo = state.demo;
    version = state.version;
    on.state(state);
  }

  function refresh() {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    fetch("/api/state", { cache: "no-store" })
      .then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json();
      })
      .then((state) => {
        on.lost(false);
        show(state);
        document.body.dataset.linked = "yes"; // from here on nothing is drawn again unless something happens
      })
      .catch(() => {
        again = false;
        setTimeout(refresh, 1500);
      })
      .then(() => {
        fetching = false;
        if (again) {
          again = false;
          refresh();
        }
      });
  }

  function open() {
    const source = new EventSource("/api/events?after=" + version);
    source.addEventListener("open", () => {
      // what is not stored (a phase, a forecast) may have changed since the page was written, or while the line was down
      renewed = broken;
      broken = false;
      refresh();
      on.lost(false);
    });
    source.addEventListener("stored", (event) => {
      const message = JSON.parse(event.data);
      if (message.version !== version) refresh();
    });
    source.addEventListener("phase", (event) => {
      on.phase(JSON.parse(event.data).phase);
      refresh();
    });
    source.addEventListener("error", () => {
      broken = true;
      on.lost(true);
      if (source.readyState === 2) {
        // all places are taken, or the table is gone: look at the state instead, and try again later
        source.close();
        refresh();
        setTimeout(open, 3000 + Math.random() * 3000);
      }
    });
  }

  /** @param {any} command */
  function send(command) {
    return post("/api/commands", Object.assign({ version: version }, command)).then((answer) =>
      answer.json().then((body) => {
        if (answer.status === 403 && body.key === "page_word") location.reload();
        if (answer.status === 200) show(body);
        if (answer.status === 409 && body.state) show(body.state);
        return { status: answer.status, body: body };
      })
    );
  }

  open();
  return { show: show, send: send };
}
