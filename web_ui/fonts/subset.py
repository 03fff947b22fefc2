"""Cut the brush face down to the words that the program itself says large.

Run once whenever the catalogue's large words change (needs fonttools and brotli, which the appliance does not):

    npm pack @fontsource/ma-shan-zheng && tar xzf fontsource-ma-shan-zheng-*.tgz
    python web_ui/fonts/subset.py package/files/ma-shan-zheng-chinese-simplified-400-normal.woff2
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

WEB_UI = Path(__file__).resolve().parent.parent
TARGET = WEB_UI / "static" / "fonts" / "brush.woff2"
LIMIT_BYTES = 150_000
LARGE = (
    "phase.",
    "tier.",
    "kind.",
    "champion.",
    "tv.champion",
    "tv.final",
    "tv.scramble",
    "tv.hello",
    "tv.demo",
    "tv.no_ch",
)
# titles, numbers and what `text` of a throw may say beside the hand's name
ALSO = "秀才举人进士探花榜眼会元员亲王驸马皇帝带与和无罚黑一二三四五六七八九十百廿追禄骨平第轮0123456789+×"


def wanted() -> str:
    """Every character that is set in the brush face."""
    words = json.loads((WEB_UI / "i18n" / "zh-CN.json").read_text(encoding="utf-8"))
    large = "".join(text for key, text in words.items() if key.startswith(LARGE))
    return "".join(sorted({c for c in large + ALSO if ord(c) > 0x2E and not (c.isascii() and not c.isdigit())}))


def main(source: str) -> int:
    """Write TARGET from the full face; returns the exit status."""
    have = TTFont(source).getBestCmap()
    text = wanted()
    missing = [c for c in text if ord(c) not in have]
    if missing:
        sys.stderr.write(f"this face lacks {''.join(missing)}; the page falls back to Song there\n")
    options = subset.Options(flavor="woff2", desubroutinize=True, layout_features=[], name_IDs=[0, 1, 2, 13, 14])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(TARGET), options)
    size = TARGET.stat().st_size
    sys.stderr.write(f"{TARGET.name}: {len(text) - len(missing)} characters, {size} bytes\n")
    return 0 if size <= LIMIT_BYTES else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: subset.py FACE.woff2")
    sys.exit(main(sys.argv[1]))
