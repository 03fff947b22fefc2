"""Who looks at the pages in a real browser: waits, reads, and complains about what can't be read."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_SECONDS, POLL_SECONDS = 20.0, 0.05
CHROMIUM_FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--autoplay-policy=no-user-gesture-required"]
TV = (1920, 1080)
PHONE = (390, 844)
PAGES = 8
"""So many pages may follow a test's server: one for two hundred has as many threads, which take a second to begin and to end."""

# every text that can be seen: its size (as on a screen 1920 wide), whether it is cut, which others it lies upon, and what lies hidden under a thing that came up
AUDIT = """
const seen = [], dim = (e) => { for (; e; e = e.parentElement) if (getComputedStyle(e).opacity === '0') return true; return false; };
const at = (x, y, e) => { const o = document.elementFromPoint(x, y); return Boolean(o) && (o === e || e.contains(o) || o.contains(e)); };
const rectOf = (text) => { const range = document.createRange(); range.selectNodeContents(text); return range.getBoundingClientRect(); };
// where ink begins and ends: tails of g and y hang lower than a tight line; an old browser can't say
const pen = document.createElement('canvas').getContext('2d');
const ink = (said, style, r, scale) => {
  pen.font = [style.fontStyle, style.fontWeight, style.fontSize, style.fontFamily].join(' ');
  const m = pen.measureText(said), slack = parseFloat(style.fontSize) * 0.3;
  if (m.fontBoundingBoxAscent === undefined) return [r.top + slack, r.bottom - slack];
  return [r.top + (m.fontBoundingBoxAscent - m.actualBoundingBoxAscent) * scale, r.bottom - (m.fontBoundingBoxDescent - m.actualBoundingBoxDescent) * scale];
};
const root = document.querySelector("dialog[open]") || document.body;
const texts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) if (walker.currentNode.textContent.trim()) texts.push(walker.currentNode);
texts.forEach((text) => {
  const box = text.parentElement, r = rectOf(text);
  if (!r.width || !r.height || dim(box) || getComputedStyle(box).visibility === 'hidden') return;
  const out = r.left < 0 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1;
  if (!out && !at(r.left + r.width / 2, r.top + r.height / 2, box)) return;
  const style = getComputedStyle(box), scrolls = arguments[0];
  // how much smaller than it says: offsets are whole pixels, so a little less is nothing
  const drawn = box.offsetWidth > 40 ? box.getBoundingClientRect().width / box.offsetWidth : 1, scale = drawn < 0.98 ? drawn : 1;
  const [high, low] = ink(text.textContent.trim(), style, r, scale);
  let cut = out && !scrolls;
  for (let up = box; up && up !== document.body; up = up.parentElement) {
    const s = getComputedStyle(up);
    if (s.overflowX === 'visible' && s.overflowY === 'visible') continue;
    const u = up.getBoundingClientRect();
    if (r.left < u.left - 2 || r.right > u.right + 2) cut = true;
    if (!(scrolls && s.overflowY === 'auto') && (high < u.top - 2 || low > u.bottom + 2)) cut = true;
  }
  const shave = r.height * 0.18;
  seen.push({text: text.textContent.trim(), size: parseFloat(style.fontSize) * scale * 1920 / innerWidth, cut: cut,
             l: r.left, r: r.right, t: r.top + shave, b: r.bottom - shave});
});
const clash = [];
seen.forEach((a, i) => seen.slice(i + 1).forEach((b) => {
  if (Math.min(a.r, b.r) - Math.max(a.l, b.l) > 2 && Math.min(a.b, b.b) - Math.max(a.t, b.t) > 2) clash.push(a.text + ' × ' + b.text);
}));
const overs = Array.from(root.querySelectorAll('.notice, .box-line, .pairing, .unmute, #demo, .toast, .top-notice'))
  .filter((o) => o.getClientRects().length && !dim(o)), covered = [];
const rects = overs.map((o) => o.getBoundingClientRect());
const things = texts.map((text) => [text.parentElement, rectOf(text), text.textContent.trim()]).concat(
  Array.from(root.querySelectorAll('.place, .die, .seal, .qr, img, .token-cake, button, input, textarea, select, a')).map((e) =>
    [e, e.getBoundingClientRect(), e.className.baseVal || e.className || e.tagName])).filter((thing) => getComputedStyle(thing[0]).visibility !== 'hidden');
// what holds a thing that came up lies above what it covers too, and would be taken for it
const away = overs.concat(Array.from(root.querySelectorAll('.band')));
away.forEach((o) => { o.style.visibility = 'hidden'; });
things.forEach(([e, r, name]) => rects.forEach((o, k) => {
  const l = Math.max(r.left, o.left), w = Math.min(r.right, o.right) - l, t = Math.max(r.top, o.top), h = Math.min(r.bottom, o.bottom) - t;
  if (w > 2 && h > 2 && !overs[k].contains(e) && !dim(e) && at(l + w / 2, t + h / 2, e)) covered.push(name);
}));
away.forEach((o) => { o.style.visibility = ''; });
return {texts: seen.map((s) => s.text), small: seen.filter((s) => s.size < 23.9).map((s) => s.text + ' ' + s.size),
        cut: seen.filter((s) => s.cut).map((s) => s.text), clash: clash, covered: covered,
        wide: document.documentElement.scrollWidth > innerWidth};
"""


def end(server: Any) -> None:
    """Let a server end by itself: that takes it half a second, which no test need wait for."""
    threading.Thread(target=server.close, daemon=True).start()


def wait(what: Callable[[], Any]) -> Any:
    """What the condition says once it says anything; fails after a generous while."""
    return WebDriverWait(what, PATIENCE_SECONDS, POLL_SECONDS).until(lambda asked: asked(), "the page did not come to it")


def resize(browser: Any, size: tuple[int, int]) -> None:
    """A screen of this size."""
    screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def complaints(browser: Any) -> list[Any]:
    """What the browser has to complain about since it was last asked."""
    return [line for line in browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]


# motion comes to its end; an old browser can't say what moves, but is told to hurry
END_MOTION = "(document.getAnimations ? document.getAnimations() : []).forEach((a) => { try { a.finish(); } catch (e) { a.cancel(); } });"
# and what that end brings (what was hidden begins its own) too
SETTLE = f"""
const done = arguments[0];
const end = () => {{ {END_MOTION} }};
end();
requestAnimationFrame(() => requestAnimationFrame(() => {{ end(); requestAnimationFrame(() => requestAnimationFrame(done)); }}));
"""


# motion that takes no time leaves nothing half-way, whatever the screen has been told of it so far; an old browser can't
AT_ONCE = """
if (!document.adoptedStyleSheets) return;
const sheet = new CSSStyleSheet();
sheet.replaceSync('*, *::before, *::after { animation-duration: 0s !important; animation-delay: 0s !important; transition-duration: 0s !important; }');
document.adoptedStyleSheets = [sheet];
"""


def picture(browser: Any, name: str) -> None:
    """Keep what the screen shows as NAME.jpg in the folder that BOBING_SCENES names (`make scenes`); without it, nothing."""
    folder = os.environ.get("BOBING_SCENES")
    if folder:
        browser.execute_script(AT_ONCE)
        browser.execute_async_script(SETTLE)
        for _ in range(2):  # the first one brings the frame that the second one shows
            shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "jpeg", "quality": 50})
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.execute_script("document.adoptedStyleSheets = [];")
        (Path(folder) / f"{name}.jpg").write_bytes(base64.b64decode(shot["data"]))


class Board:
    """The board as a person in the room sees it."""

    def __init__(self, browser: Any, table: Any, address: str, query: str = "", size: tuple[int, int] = TV) -> None:
        self.browser, self.table = browser, table
        browser.get_log("browser")
        resize(browser, size)
        browser.get(f"{address}/{query}")
        wait(
            lambda: self.js(
                "return document.querySelectorAll('.place').length > 0 && document.fonts.status === 'loaded'"
            )
        )
        wait(lambda: self.js("return document.body.dataset.linked") == "yes")

    def js(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        return str(
            self.js(
                f"const e = document.querySelector({selector!r}); return e && !e.closest('[hidden]') ? e.innerText.trim() : ''"
            )
        )

    def still_image(self) -> None:
        """Let running motion come to its end."""
        self.js(END_MOTION)

    def must_be_legible(self) -> list[str]:
        """No text under 24 px, none cut, none upon another; returns what can be read."""
        self.still_image()
        found = self.js(AUDIT)
        faults = {fault: found[fault] for fault in ("small", "cut", "clash", "covered") if found[fault]}
        assert not faults, faults
        said = complaints(self.browser)
        assert not said, said
        return list(found["texts"])


# results stay for 1.5 to 8 seconds and are skipped by the next one
LONG_RESULTS = """
const soon = window.setTimeout;
window.setTimeout = (what, ms, ...more) => soon(what, ms >= 1500 && ms <= 9000 ? ms * 60 : ms, ...more);
"""


@contextmanager
def staying(browser: Any) -> Iterator[None]:
    """In pages opened from now on what passes by itself within seconds stays for minutes."""
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LONG_RESULTS})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
