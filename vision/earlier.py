"""What lay in or beside the bowl before a throw and does not belong to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vision.bowl import Bowl
from vision.knocks import asked
from vision.reading import DiceReader, Die, Frame, Reading

ROOM = 1.06
"""So many times the rim: what lies further out lies beside the bowl."""


def without(
    reader_for: Callable[[Bowl | None], DiceReader], bowl: Bowl, before: Frame, frame: Frame, new: Sequence[Die], expect: int
) -> Reading:
    """The frame read with the picture before the throw as background; to be asked about where that contradicts the new dice."""
    again = reader_for(replace(bowl, background=before)).read(frame, expect=expect)
    if again.values != tuple(sorted(die.value for die in new if die.in_bowl and die.value)):
        return asked(again, "looks at different moments disagree")
    return again


def taken_in(bowl: Bowl, before: Frame) -> Bowl:
    """The bowl with what lay beside it as part of its background: a spare die on the table is never thrown. What lay in it will go."""
    if bowl.background is None or bowl.background.shape != before.shape:
        return bowl
    near = bowl.mask(ROOM)[..., None] > 0
    return replace(bowl, background=np.where(near, bowl.background, before).astype(np.uint8))
