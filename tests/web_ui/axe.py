"""What the axe checker finds on a page that somebody can't use who sees badly or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_core_python

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN = """
const done = arguments[0];
axe.run(document).then((r) => done(r.passes.length < 8 ? [{id: 'axe hardly looked', impact: 'critical', nodes: [{html: ''}]}] : r.violations),
  (e) => done([{id: String(e), impact: 'critical', nodes: [{html: ''}]}]));
"""


def serious(browser: Any) -> list[str]:
    """Serious and critical faults that axe finds on the page as it is."""
    browser.execute_script("document.getAnimations().forEach((a) => { try { a.finish(); } catch (e) { a.cancel(); } })")
    browser.execute_script(AXE + "; window.axe = axe;")
    found = browser.execute_async_script(RUN)
    return [
        f"{one['id']}: {node['html'][:140]} {node.get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
