"""The catalogue: every sentence that pages show, one JSON file a language."""

from __future__ import annotations

import json
from importlib import resources

LANGUAGES = ("zh-CN", "zh-TW", "en")
_TRADITIONAL = {"hant", "tw", "hk", "mo"}
"""Script and regions that read traditional characters; a script that is named goes before the region."""


def language_of(tag: str | None) -> str | None:
    """The catalogue for a language tag such as "zh-Hans-SG", "zh-HK" or "en-GB"; None where we have none."""
    head, *rest = (tag or "").strip().lower().replace("_", "-").split("-")
    if head == "zh":
        return "zh-TW" if "hans" not in rest and _TRADITIONAL & set(rest) else "zh-CN"
    return "en" if head == "en" else None


def negotiate(accept: str | None, default: str) -> str:
    """The language for an Accept-Language header: the first that we have by weight, then by order, else the default."""
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate((accept or "").split(",")):
        tag, _, parameters = part.partition(";")
        language = language_of(tag)
        weight = _weight(parameters)
        if language is not None and weight > 0:
            ranked.append((-weight, place, language))
    return min(ranked)[2] if ranked else language_of(default) or LANGUAGES[0]


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def counted(words: dict[str, str], key: str, n: int) -> str:
    """A sentence with a number in it; of one, the sentence under KEY.one where the language has it."""
    return words[f"{key}.one" if n == 1 and f"{key}.one" in words else key].replace("{n}", str(n))


def turned(text: str, words: dict[str, str]) -> str:
    """A Chinese word of the table's own in the words and characters of a catalogue; never for names of people."""
    for pair in words.get("hant.words", "").split():
        here, _, there = pair.partition("=")
        text = text.replace(here, there)
    return text.translate(str.maketrans(words.get("hant.from", ""), words.get("hant.to", "")))


def catalogue(language: str, *rooms: str) -> dict[str, str]:
    """All sentences of one of LANGUAGES, by key; with `rooms`, only keys that begin with one of them."""
    text = resources.files("web_ui").joinpath("i18n", f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return {key: word for key, word in words.items() if not rooms or key.startswith(rooms)}
