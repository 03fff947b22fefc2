"""Cut the two brush faces down to the words that the program itself says large.

Run once whenever the catalogues' large words change (needs fonttools and brotli, which the appliance does not):

    npm pack @fontsource/ma-shan-zheng lxgw-wenkai-tc-webfont, then unpack both
    python web_ui/fonts/subset.py zh-CN ma-shan-zheng-chinese-simplified-400-normal.woff2
    python web_ui/fonts/subset.py zh-TW files/lxgwwenkaitc-bold-subset-*.woff2

Ma Shan Zheng lacks traditional characters, so Taiwan gets the bold of LXGW WenKai TC, which comes in slices.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from fontTools import merge, subset
from fontTools.ttLib import TTFont

WEB_UI = Path(__file__).resolve().parent.parent
FONTS = WEB_UI / "static" / "fonts"
TARGETS = {"zh-CN": FONTS / "brush.woff2", "zh-TW": FONTS / "brush.hant.woff2"}
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
    "tv.prizes",
    "print.title.",
    "setup.title",
)
# titles, numbers and what `text` of a throw may say beside the hand's name
ALSO = {
    "zh-CN": "秀才举人进士探花榜眼会元员亲王驸马皇帝带与和无罚黑一二三四五六七八九十百廿追禄骨平第轮0123456789+×",
    "zh-TW": "秀才舉人進士探花榜眼會元員親王駙馬皇帝帶與和無罰黑一二三四五六七八九十百廿追祿骨平第輪0123456789+×",
}


def wanted(language: str) -> str:
    """Every character that is set in the brush face of a language."""
    words = json.loads((WEB_UI / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    large = "".join(text for key, text in words.items() if key.startswith(LARGE))
    return "".join(
        sorted({c for c in large + ALSO[language] if ord(c) > 0x2E and not (c.isascii() and not c.isdigit())})
    )


def cut(source: str, text: str, target: Path) -> None:
    """Write the characters of `text` that a face holds."""
    options = subset.Options(flavor="woff2", desubroutinize=True, layout_features=[], name_IDs=[0, 1, 2, 13, 14])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    subset.save_font(font, str(target), options)


def main(language: str, sources: list[str]) -> int:
    """Write the face of one language from its full face or the slices of it; returns the exit status."""
    target, text = TARGETS[language], wanted(language)
    have: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, source in enumerate(sources):
            here = {c for c in text if ord(c) in TTFont(source).getBestCmap()} - {chr(c) for c in have}
            if here:
                have |= {ord(c) for c in here}
                parts.append(Path(folder) / f"{number}.woff2")
                cut(source, "".join(here), parts[-1])
        whole = Path(folder) / "whole.ttf"
        merge.Merger(merge.Options(drop_tables=["vmtx", "vhea"])).merge([str(part) for part in parts]).save(whole)
        target.parent.mkdir(parents=True, exist_ok=True)
        cut(str(whole), text, target)
    missing = "".join(c for c in text if ord(c) not in have)
    if missing:
        sys.stderr.write(f"this face lacks {missing}; the page falls back to Song there\n")
    sys.stderr.write(f"{target.name}: {len(have)} characters, {target.stat().st_size} bytes\n")
    return 0 if target.stat().st_size <= LIMIT_BYTES else 1


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in TARGETS:
        sys.exit("usage: subset.py zh-CN|zh-TW FACE.woff2…")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
