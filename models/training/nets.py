"""The networks: a finder of dice in a picture and a reader of a rectified top face.

Both take pictures as OpenCV holds them (N x H x W x 3, BGR, uint8) so that the model's input needs no explanation; scaling
to numbers round zero is their first layer.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

STRIDE = 4
CHANNELS = 21
"""Channels of the finder's answer at each cell: see vision/detector.py, which decodes them.

0 presence · 1-2 offset of the top face's centre · 3 log of its edge · 4-5 stretch · 6-7 cos and sin of four times its
angle · 8-11 left, top, right, bottom of the visible die · 12 clear top · 13 cocked · 14-19 value · 20 tilt
Cocked and tilt are learnt beside the rest and used by nobody: at the finder's scale they are hardly to be seen (see Slant).
"""


def _conv(inside: int, outside: int, size: int = 3, stride: int = 1, groups: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, dilation * (size // 2), dilation, groups, bias=False),
        nn.BatchNorm2d(outside),
    )


class Light(nn.Module):
    """A residual block of a depthwise and a pointwise convolution."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.spread = _conv(width, width, groups=width, dilation=dilation)
        self.mix = _conv(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.mix(F.relu(self.spread(x))))


def as_numbers(picture: Tensor) -> Tensor:
    """N x H x W x 3 uint8 to N x 3 x H x W floats round zero."""
    return (picture.permute(0, 3, 1, 2).float() - 120.0) * (1.0 / 64.0)


class Finder(nn.Module):
    """Fully convolutional, stride 4: for each cell whether a top face is centred there and what it is like."""

    def __init__(self, w4: int = 32, w8: int = 64, w16: int = 144) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 3, 2), nn.ReLU(), _conv(16, w4, 3, 2), nn.ReLU())
        self.at4 = nn.Sequential(Light(w4), Light(w4))
        self.to8 = nn.Sequential(_conv(w4, w8, 3, 2), nn.ReLU())
        self.at8 = nn.Sequential(Light(w8), Light(w8), Light(w8))
        self.to16 = nn.Sequential(_conv(w8, w8, 3, 2, w8), nn.ReLU(), _conv(w8, w16, 1), nn.ReLU())
        self.at16 = nn.Sequential(Light(w16), Light(w16, 2), Light(w16), Light(w16, 2))
        self.back8 = _conv(w16, w8, 1)
        self.join8 = nn.Sequential(Light(w8), Light(w8))
        self.back4 = _conv(w8, w4, 1)
        self.join4 = nn.Sequential(Light(w4), _conv(w4, 48, 3), nn.ReLU(), Light(48))
        self.answer = nn.Conv2d(48, CHANNELS, 1)
        nn.init.constant_(self.answer.bias, 0.0)
        with torch.no_grad():
            self.answer.bias[0] = -4.5

    def forward(self, picture: Tensor) -> Tensor:
        a = self.at4(self.stem(as_numbers(picture)))
        b = self.at8(self.to8(a))
        c = self.at16(self.to16(b))
        b = self.join8(F.relu(b + F.interpolate(self.back8(c), scale_factor=2.0, mode="nearest")))
        a = self.join4(F.relu(a + F.interpolate(self.back4(b), scale_factor=2.0, mode="nearest")))
        return self.answer(a)


FACE_SIDE = 64
FACE_CLASSES = 8
"""The six values, then: a die without a clear top face, no die."""
FACE_SHAPE = 7
"""Then: where the face really lies in the crop (offset 2, log of its edge, stretch 2, cos and sin of four times its angle)."""


class Plain(nn.Module):
    """A residual block of two ordinary 3 x 3 convolutions."""

    def __init__(self, inside: int, outside: int, stride: int = 1) -> None:
        super().__init__()
        self.one = _conv(inside, outside, 3, stride)
        self.two = _conv(outside, outside, 3)
        self.past = _conv(inside, outside, 1, stride) if stride > 1 or inside != outside else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.past(x) + self.two(F.relu(self.one(x))))


class Face(nn.Module):
    """First opinion: which value a roughly rectified top face shows, and where exactly it lies (N x 64 x 64 x 3 to N x 15: 8 logits and 7 of the shape)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 3, 2), nn.ReLU(), Plain(16, 24), Plain(24, 40, 2), Plain(40, 64, 2), Plain(64, 64), nn.Dropout(0.1)
        )
        self.answer = nn.Linear(64 * 2, FACE_CLASSES)
        self.place = nn.Sequential(_conv(64, 24, 1), nn.ReLU(), nn.Flatten(), nn.Linear(24 * 64, 48), nn.ReLU(), nn.Linear(48, FACE_SHAPE))

    def forward(self, picture: Tensor) -> Tensor:
        seen = self.body(as_numbers(picture))
        logits = self.answer(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1))
        return torch.cat([logits, self.place(seen)], 1)


SLANT_SIDE = 56


class Slant(nn.Module):
    """How a face is turned to the line of sight: N x 56 x 56 x 3 to N x 3 (sines towards x and y, log of how far off that may be)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 3, 2), nn.ReLU(), Plain(16, 32, 2), Plain(32, 64, 2), Plain(64, 96)
        )
        self.answer = nn.Sequential(nn.Flatten(), nn.Linear(96 * 49, 64), nn.ReLU(), nn.Linear(64, 3))

    def forward(self, picture: Tensor) -> Tensor:
        return self.answer(self.body(as_numbers(picture)))
