"""Fill the gaps of zh-TW.json from zh-CN.json, and the table of characters for what the rules say in Chinese.

Run after new sentences (needs opencc-python-reimplemented, which the appliance does not): python web_ui/i18n/draft_hant.py
Sentences that are there already stay as somebody has put them; the new ones are to be read by a person.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SPEAKERS = ("rules", "device", "vision", "web_ui")


def spoken() -> str:
    """Every Chinese character in the sources of those who speak to people."""
    texts = [p.read_text(encoding="utf-8") for room in SPEAKERS for p in sorted((ROOT / room).rglob("*.py"))]
    return "".join(sorted(set(re.findall("[\u3400-\u9fff]", "".join(texts)))))


def main() -> int:
    """Write zh-TW.json; returns the exit status."""
    import opencc

    phrases, signs = opencc.OpenCC("s2twp"), opencc.OpenCC("s2tw")
    source = json.loads((HERE / "zh-CN.json").read_text(encoding="utf-8"))
    target = HERE / "zh-TW.json"
    own = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    words = {key: own.get(key) or phrases.convert(text) for key, text in source.items()}
    turned = [(c, signs.convert(c)) for c in spoken()]
    words["hant.from"] = "".join(a for a, b in turned if a != b and len(b) == 1)
    words["hant.to"] = "".join(b for a, b in turned if a != b and len(b) == 1)
    target.write_text(json.dumps(words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    new = [key for key in source if key not in own]
    sys.stderr.write(f"{len(new)} new sentences to read: {', '.join(new[:40])}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
