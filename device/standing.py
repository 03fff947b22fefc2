"""What is wrong with the view, told once in words and taken back when all is well; and whether reading has to pause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from device.view import Notice
from vision.bowl import Bowl
from vision.bump import MOVED, apart
from vision.outlook import Outlook
from vision.reading import Frame
from vision.watcher import Watcher

CHECK_S = 2.0
HAND_S = 8.0
"""A hand that stays so long is no player's any more."""
NO_BOWL_S = 4.0
"""So long a bowl is looked for before it is said that none is seen."""
DARK = Notice("dark", "太暗了，看不清碗里：请开亮一点", "too dark to see into the bowl: more light, please")
BUMPED = Notice("bumped", "摄像头被碰过：请重新校准", "the camera was moved: calibrate again")
LOST = Notice("lost", "找不到碗了：请放回原处，或重新校准", "the bowl is out of view: put it back, or calibrate again")
NO_BOWL = Notice("lost", "没看到碗：请把碗放到摄像头下，碗沿全在画面里", "no bowl is seen: put it under the camera, all of its rim in view")
COVERED = Notice("covered", "摄像头或碗被挡住了：请移开", "something covers the bowl or the camera: take it away")
RECALIBRATE = "recalibrate"


class Standing:
    """Follows one watcher. bowl: as calibrated, None without a calibration; then nothing ever pauses."""

    def __init__(self, bowl: Bowl | None, tell: Callable[[Notice | None], object]) -> None:
        self._bowl = bowl
        self._outlook = None if bowl is None else Outlook(bowl)
        self._tell = tell
        self._told: Notice | None = None
        self._looked = float("-inf")
        self._bowl_missed: float | None = None
        self.paused = False
        """Whether what the watcher reports is worth nothing: the calibrated bowl is not where it was."""

    def event(self, event: str) -> None:
        """The watcher told of something."""
        if event == "dark":
            self._say(DARK)
        elif event in ("bumped", "lost"):
            self.paused = self._bowl is not None
            notice = BUMPED if event == "bumped" else LOST
            self._say(replace(notice, action=RECALIBRATE) if self.paused else notice)

    def look(self, watcher: Watcher, frame: Frame, t: float) -> bool:
        """Look at the view now and then; True where the calibrated bowl came back and the watcher must begin anew with it."""
        if 0 <= t - self._looked < CHECK_S:
            return False
        self._looked = t
        if self.paused:
            return self._back(watcher, frame)
        if watcher.dark:
            return False
        since = watcher.hand_since
        if since is not None:
            if t - since >= HAND_S:
                self._say(COVERED)
            return False
        if watcher.bowl is None:
            # it is being looked for; what was said of it stands
            self._bowl_missed = t if self._bowl_missed is None else self._bowl_missed
            if self._told is None and t - self._bowl_missed >= NO_BOWL_S:
                self._say(NO_BOWL)
            return False
        self._bowl_missed = None
        if watcher.idle:
            complaint = None if self._outlook is None else self._outlook.complaint(frame)
            self._say(None if complaint is None else Notice(complaint.key, complaint.zh, complaint.en))
        return False

    def _back(self, watcher: Watcher, frame: Frame) -> bool:
        assert self._bowl is not None and self._outlook is not None
        found = watcher.bowl
        if found is not None and self._told is not None and self._told.key != "bumped" and apart(found.rim, self._bowl.rim) <= MOVED:
            self.paused = False
            self._say(None)
            return True
        if self._told is not None and self._told.key == "lost" and self._outlook.covered(frame):
            self._say(replace(COVERED, action=RECALIBRATE))
        return False

    def _say(self, notice: Notice | None) -> None:
        if notice != self._told:
            self._told = notice
            self._tell(notice)
