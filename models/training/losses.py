"""How wrong the finder's answer is."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

HEAT, OFFSET, EDGE, SHAPE, BOX, CLEAR, COCKED, VALUE, TILT = 0, (1, 3), 3, (4, 8), (8, 12), 12, 13, (14, 20), 20
WEIGHT = {"heat": 1.0, "offset": 0.6, "edge": 1.0, "shape": 0.6, "box": 0.25, "clear": 0.4, "cocked": 0.4, "value": 0.5, "tilt": 0.8}


def finder_loss(answer: Tensor, told: Tensor, weight: Tensor) -> dict[str, Tensor]:
    """Each part of the loss, weighted; their sum is what training lowers."""
    heat, presence = told[:, 0], answer[:, 0]
    sure = torch.sigmoid(presence).clamp(1e-5, 1 - 1e-5)
    peak = heat.ge(0.999).float() * weight[:, 0]
    rest = (1 - heat).pow(4) * (1 - peak) * weight[:, 0]
    count = peak.sum().clamp(min=8.0)
    loss = -(peak * (1 - sure).pow(2) * sure.log()).sum() - (rest * sure.pow(2) * (1 - sure).log()).sum()
    parts = {"heat": loss / count}

    def mean(error: Tensor, w: Tensor) -> Tensor:
        return (error * w).sum() / w.sum().clamp(min=8.0)

    for name, (low, high) in {"offset": OFFSET, "edge": (EDGE, EDGE + 1), "shape": SHAPE, "box": BOX, "tilt": (TILT, TILT + 1)}.items():
        error = F.smooth_l1_loss(answer[:, low:high], told[:, low:high], reduction="none", beta=0.1)
        parts[name] = mean(error, weight[:, low:high])
    for name, at in {"clear": CLEAR, "cocked": COCKED}.items():
        error = F.binary_cross_entropy_with_logits(answer[:, at], told[:, at], reduction="none")
        parts[name] = mean(error, weight[:, at])
    low, high = VALUE
    log = F.log_softmax(answer[:, low:high], 1)
    parts["value"] = mean(-(log * told[:, low:high]).sum(1), weight[:, low])
    return {k: v * WEIGHT[k] for k, v in parts.items()}
