"""Whether a picture shows the bowl of a calibration at all: the edges round its rim are where they were, whatever the light."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision import ellipse
from vision.bowl import Bowl
from vision.reading import Frame, Rim

Floats = npt.NDArray[np.float32]

SMALL = 160
"""Width to which pictures are shrunk: a few pixels of movement and all noise are lost, another bowl is not."""
INNER, OUTER = 0.8, 1.12
"""The ring that is compared, in parts of the rim: dice lie further in, hands and people further out."""
PLAINLY_OTHER = 0.3
"""Below this likeness it is another bowl, or the camera was moved: of simulated tables others have 0.15 at most, the same one 0.9 and more."""
BLOCK, DRAWN, ALIKE = 16, 4.0, 0.6
"""Side in pixels of the squares that are looked for again; how much their edges must vary; how alike they are when they are seen again."""
SEEN_AGAIN = 0.1
"""Below this part of the squares nothing is where it was."""


def likeness(bowl: Bowl, frame: Frame) -> float:
    """How alike the edges round the rim are in the frame and in the bowl's background (same size): 1 the same, about 0 for another bowl."""
    assert bowl.background is not None
    one, other = _edges(bowl.background), _edges(frame)
    k = one.shape[1] / bowl.width
    rim = bowl.rim
    small = Rim(rim.cx * k, rim.cy * k, rim.major * k, rim.minor * k, rim.angle_deg)
    height, width = one.shape
    ring = (ellipse.mask(small, width, height, OUTER) > 0) & (ellipse.mask(small, width, height, INNER) == 0)
    if not ring.any():
        return 0.0
    a, b = one[ring] - one[ring].mean(), other[ring] - other[ring].mean()
    return float((a * b).sum() / np.sqrt(max(float((a * a).sum() * (b * b).sum()), 1e-9)))


def seen_again(known: Frame, frame: Frame) -> float:
    """The part of one picture's squares with edges in them that are seen again in the other (same size), whatever covers the rest; 1 where it has none."""
    one, other = _edges(known), _edges(frame)
    drawn = again = 0
    for y in range(0, one.shape[0] - BLOCK + 1, BLOCK):
        for x in range(0, one.shape[1] - BLOCK + 1, BLOCK):
            a, b = (edges[y : y + BLOCK, x : x + BLOCK] for edges in (one, other))
            a, b = a - a.mean(), b - b.mean()
            if a.std() < DRAWN:
                continue
            drawn += 1
            again += float((a * b).mean()) > ALIKE * float(a.std()) * max(float(b.std()), 1e-6)
    return again / drawn if drawn else 1.0


def _edges(picture: Frame) -> Floats:
    """How steeply grey changes, at each place of the shrunk picture."""
    size = SMALL, max(1, round(picture.shape[0] * SMALL / picture.shape[1]))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    calm = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    return np.asarray(np.hypot(cv2.Sobel(calm, cv2.CV_32F, 1, 0), cv2.Sobel(calm, cv2.CV_32F, 0, 1)), np.float32)
