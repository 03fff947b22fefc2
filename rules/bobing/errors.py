"""The small errors of the rules: a bad rules file, bad dice, a command that makes no sense now."""

from __future__ import annotations


class RulesError(ValueError):
    """A house-rules file or object is wrong; the text is one line naming place, key and allowed values."""


class DiceError(ValueError):
    """What was given as dice is not six values from 1 to 6."""


class NotAllowed(ValueError):
    """The command makes no sense in this state; `key` names the reason for translation."""

    def __init__(self, key: str, en: str, zh: str) -> None:
        super().__init__(en)
        self.key = key
        self.en = en
        self.zh = zh
