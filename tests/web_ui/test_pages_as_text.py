"""What pages are made of: both catalogues, no text that could become HTML, nothing that an old TV's browser lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import esprima
import pytest

from web_ui.app import create_app
from web_ui.words import LANGUAGES, catalogue, counted, language_of, negotiate, turned

WEB_UI = Path(__file__).resolve().parents[2] / "web_ui"
STATIC = WEB_UI / "static"
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
STYLES = sorted((STATIC / "css").glob("*.css"))
TV_STYLES = [p for p in STYLES if not p.name.startswith(("phone", "setup", "print"))]
TV_LIMIT_BYTES = 250_000
FONT_LIMIT_BYTES = 150_000

# what Chromium 68 does not know: methods, and names of the page itself; the grammar refuses the rest
NEW_METHODS = set(
    re.findall(
        r"\w+",
        """flat flatMap fromEntries matchAll allSettled any at replaceAll replaceChildren toggleAttribute hasOwn findLast
        findLastIndex trimStart trimEnd getAnimations commitStyles randomUUID toSorted toReversed with groupBy
        showPicker checkVisibility""",
    )
)
NEW_NAMES = {"globalThis", "queueMicrotask", "structuredClone", "BigInt", "WeakRef", "ResizeObserver", "AggregateError"}
NEW_CSS = [
    r"(?<![\w-])inset\s*:",
    r"aspect-ratio\s*:(?=[^)]*;)",
    r":is\(",
    r":where\(",
    r":has\(",
    r":focus-visible",
    r"(?<![\w-])clamp\(",
    r"(?<![\w-])min\(",
    r"(?<![\w-])max\(",
    r"conic-gradient",
    r"(?<![\w-])(?:row-|column-)?gap\s*:",
    r"backdrop-filter",
    r"color-mix",
    r"(?:margin|padding|inset)-(?:inline|block)",
    r"@layer",
    r"@container",
    r"overflow-wrap\s*:\s*anywhere",
    r"overflow\s*:\s*clip",
    r"(?<![\w-])(?:translate|rotate|scale)\s*:",
    r"accent-color",
    r"@media[^{]*[<>]",
    r"\ddvh|\dsvh",
]
HTML_SINKS = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\s*[\"'](?:style|on\w+)"


def code(path: Path) -> str:
    """A file without its comments and, for scripts, without what stands in strings."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S)
    if path.suffix != ".js":
        return text
    text = re.sub(r"(?m)(?<![:\"'])//.*$", " ", text)
    return re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", '""', text)


def parsed(path: Path) -> Any:
    """The syntax tree of a script by the grammar of ES2018; newer syntax is a fault that names its line."""
    return esprima.parseModule(path.read_text(encoding="utf-8"), {"loc": True})


def nodes(tree: Any) -> Iterator[Any]:
    """Every node of a syntax tree."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(node)
        elif hasattr(node, "type"):
            yield node
            todo.extend(value for key, value in vars(node).items() if key not in ("loc", "range"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_scripts_use_only_what_an_old_tv_knows(path: Path) -> None:
    wrong = []
    for node in nodes(parsed(path)):
        if node.type == "Import":
            wrong.append("import()")
        if node.type == "CallExpression" and node.callee.type == "MemberExpression" and not node.callee.computed:
            wrong += [node.callee.property.name] if node.callee.property.name in NEW_METHODS else []
        if node.type == "Identifier" and node.name in NEW_NAMES:
            wrong.append(node.name)
    assert wrong == []


def test_names_that_came_later_are_found_in_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "newer.js"
    path.write_text("const f = () => { if (x) return [1, [2]].flat(); return globalThis; };", encoding="utf-8")
    found = {getattr(node, "name", None) for node in nodes(parsed(path)) if node.type == "Identifier"}
    assert {"flat", "globalThis"} <= found


@pytest.mark.parametrize("newer", ["a?.b", "a ?? b", "try {} catch {}", "a ||= b", "class A { #b = 1 }", "x = 1_000"])
def test_the_grammar_refuses_what_came_later(newer: str, tmp_path: Path) -> None:
    path = tmp_path / "newer.js"
    path.write_text(newer, encoding="utf-8")
    with pytest.raises(esprima.Error):
        parsed(path)


@pytest.mark.parametrize("path", TV_STYLES, ids=lambda p: p.name)
def test_the_boards_styles_use_only_what_an_old_tv_knows(path: Path) -> None:
    text = code(path)
    assert [p for p in NEW_CSS if re.search(p, text)] == []


def test_the_board_moves_by_transform_and_opacity_alone() -> None:
    text = "".join(code(path) for path in TV_STYLES)
    frames = re.findall(r"@keyframes\s+\w+\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", text)
    assert len(frames) > 6
    moved = {name for frame in frames for name in re.findall(r"([\w-]+)\s*:", frame)}
    assert moved <= {"transform", "opacity"}
    assert set(re.findall(r"transition\s*:\s*([\w-]+)", text)) <= {"opacity", "transform"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_scripts_never_make_html_of_text(path: Path) -> None:
    assert re.findall(HTML_SINKS, path.read_text(encoding="utf-8")) == []


def test_nothing_is_loaded_from_elsewhere() -> None:
    for path in [*SCRIPTS, *STYLES, *(WEB_UI / "templates").iterdir()]:
        urls = re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8"))
        assert [u for u in urls if u != "http://www.w3.org/2000/svg"] == [], path.name


def test_every_key_has_a_sentence_in_every_language() -> None:
    words = {language: catalogue(language) for language in LANGUAGES}
    # KEY.one is how a language says it of one; Chinese says it as of many
    keys = [{key for key in words[language] if not key.endswith(".one")} for language in LANGUAGES]
    assert all(k == keys[0] for k in keys)
    for language in LANGUAGES:
        for key, text in words[language].items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", words["zh-CN"][key.removesuffix(".one")])), (key, language)


PLURAL = r"\{n\} (?:\w+ )?(?:cakes|throws|players|minutes|turns|dice|games|are)\b"


def test_english_counts_one_as_one() -> None:
    words = catalogue("en")
    many = [key for key, text in words.items() if re.search(PLURAL, text) and not key.endswith(".one")]
    assert many and [key for key in many if f"{key}.one" not in words and not ALWAYS_MANY.fullmatch(key)] == []
    assert [key for key, text in words.items() if key.endswith(".one") and re.search(PLURAL, text)] == []
    assert counted(words, "print.throws", 1) == "1 throw" and counted(words, "print.throws", 2) == "2 throws"


ALWAYS_MANY = re.compile(r"fair\.(fair|odd|rare)")
"""A verdict on the dice needs hundreds of them."""


def test_taiwan_reads_what_the_rules_say() -> None:
    words = catalogue("zh-TW")
    assert len(words["hant.from"]) == len(words["hant.to"])
    said = "状元带7：四个 4；禄骨：低于乙的五子带4，状元易主；跳猴：此掷作废，甲下一轮停掷；熄灯抢饼"
    assert (
        turned(said, words) == "狀元帶7：四個 4；祿骨：低於乙的五子帶4，狀元易主；跳猴：此擲作廢，甲下一輪停擲；熄燈搶餅"
    )
    assert turned(said, catalogue("zh-CN")) == said
    assert turned("没有摄像头：文件夹所在的磁盘已满", words) == "沒有攝影機：資料夾所在的磁碟已滿"


def simplified(text: str) -> str:
    """The Chinese characters that Taiwan's own encoding has no place for."""
    return "".join(sorted({sign for sign in re.findall("[\u3400-\u9fff]", text) if not sign.encode("big5", "ignore")}))


def test_taiwan_has_a_character_for_all_that_the_sources_say() -> None:
    words = catalogue("zh-TW")
    speakers = [p for room in ("rules", "device", "vision", "web_ui") for p in sorted((WEB_UI.parent / room).rglob("*.py"))]
    # who adds a sentence runs web_ui/i18n/draft_hant.py
    assert simplified(turned("".join(p.read_text(encoding="utf-8") for p in speakers), words)) == ""
    assert {key: text for key, text in words.items() if not key.startswith("hant.") and simplified(text)} == {}
    assert simplified("锦上添花，碗里") == "锦"


def test_every_sentence_that_scripts_and_templates_ask_for_exists() -> None:
    words = catalogue("en")
    for path in SCRIPTS:
        for key, more in re.findall(r"\bt\(\"([\w.]+)\"(\s*\+)?", path.read_text(encoding="utf-8")):
            assert any(k.startswith(key) for k in words) if more else key in words, (path.name, key)
    for path in (WEB_UI / "templates").glob("*.html"):
        for key in re.findall(r"t\['([\w.]+)'\]", path.read_text(encoding="utf-8")):
            assert key in words, (path.name, key)


def test_the_brush_face_is_small_and_its_licence_lies_beside_it() -> None:
    assert (STATIC / "fonts" / "brush.woff2").stat().st_size <= FONT_LIMIT_BYTES
    assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts" / "OFL.txt").read_text(encoding="utf-8")


def test_the_page_that_the_tv_loads_is_small(table: Any) -> None:
    client = create_app(table).test_client()
    page = client.get("/")
    total = len(page.data)
    wanted = set(re.findall(r"(?:href|src)=\"(/static/[^\"]+)\"", page.get_data(as_text=True)))
    done: set[str] = set()
    while wanted - done:
        path = (wanted - done).pop()
        done.add(path)
        answer = client.get(path)
        total += len(answer.data)
        if path.endswith(".js"):
            wanted |= {f"/static/js/{m}" for m in re.findall(r'from "\./(\w+\.js)"', answer.get_data(as_text=True))}
    assert "/static/js/fly.js" in done and "/static/fonts/brush.woff2" in done
    assert total <= TV_LIMIT_BYTES


def test_names_cannot_become_markup(new_table: Any) -> None:
    name = "</script><img src=x onerror=alert(1)>\"'"
    client = create_app(new_table([name])).test_client()
    for path in ("/", "/phone"):
        text = client.get(path).get_data(as_text=True)
        assert "<img" not in text and 'onerror=alert(1)>"' not in text


def test_the_board_speaks_the_tables_language_and_a_phone_its_owners(table: Any) -> None:
    client = create_app(table).test_client()
    english = {"Accept-Language": "en-US,en;q=0.9"}
    assert '<html lang="zh-CN">' in client.get("/", headers=english).get_data(as_text=True)
    assert '<html lang="en">' in client.get("/phone", headers=english).get_data(as_text=True)
    assert '<html lang="zh-CN">' in client.get("/phone", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert '<html lang="en">' in client.get("/?lang=en").get_data(as_text=True)
    table.set(language="en")
    assert '<html lang="en">' in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-SG", "zh-CN"),
        ("zh-HK", "zh-TW"),
        ("zh-Hant-TW", "zh-TW"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hans-HK", "zh-CN"),
        ("zh-MO;q=0.9, en;q=0.5", "zh-TW"),
        ("zh-TW;q=0, en", "en"),
        ("fr, en;q=0.2", "en"),
        ("en;q=0.3, zh;q=0.8", "zh-CN"),
        ("en;q=broken, zh;q=0.1", "zh-CN"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_the_language_is_negotiated_by_weight(header: str, language: str) -> None:
    assert negotiate(header, "en") == language
    assert language_of("tlh") is None
