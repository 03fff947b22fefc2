"""Hands and sleeves over the picture: soft finger-like shapes above everything else."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, clouds, colour

SKINS = ("e8b894", "d8a078", "c08058", "f0c8a8", "8a5a3c", "5c3a26")
SLEEVES = ("24324a", "8a1a22", "e8e8e4", "30343a", "4a6a5a", "c8b090", "1a1a1c", "6a7a9a")


def _limb(mask: Array, a: Array, b: Array, wa: float, wb: float) -> None:
    steps = 14
    for i in range(steps + 1):
        t = i / steps
        p = a * (1 - t) + b * t
        cv2.circle(mask, (int(p[0]), int(p[1])), max(1, int(wa * (1 - t) + wb * t)), 255, -1, cv2.LINE_AA)


def draw_hand(rng: Rng, size: tuple[int, int], over: Array, px: float) -> tuple[Array, Array]:
    """Share (height, width) and linear colour (height, width, 3) of a hand reaching for the pixel `over`; px: a finger's width."""
    width, height = size
    side = rng.uniform(0, 2 * np.pi)
    far = np.array([np.cos(side), np.sin(side)])
    palm = over + far * px * rng.uniform(1.5, 5)
    wrist = palm + far * px * 5
    elbow = wrist + far * max(width, height) * 1.5
    hand, sleeve = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    _limb(hand, palm, wrist, px * 2.0, px * 1.6)
    _limb(hand, wrist, wrist + (elbow - wrist) * 0.3, px * 1.5, px * 1.7)
    across = np.array([-far[1], far[0]])
    for k in range(4):
        root = palm + across * px * (k - 1.5) * 1.05 - far * px * 1.2
        bend = rng.normal(0, 0.35)
        way = -far * np.cos(bend) + across * np.sin(bend)
        mid = root + way * px * rng.uniform(1.0, 2.6)
        tip = mid + (way + across * rng.normal(0, 0.4)) * px * rng.uniform(0.6, 2.0)
        _limb(hand, root, mid, px * 0.56, px * 0.5)
        _limb(hand, mid, tip, px * 0.5, px * 0.4)
    thumb = palm + across * px * 1.8 * rng.choice([-1, 1])
    _limb(hand, thumb, thumb - far * px * rng.uniform(1, 2.5), px * 0.65, px * 0.5)
    if rng.random() < 0.7:
        _limb(sleeve, wrist + far * px * rng.uniform(-1, 2), elbow, px * rng.uniform(1.9, 2.6), px * 3.2)
    both = np.maximum(hand, sleeve)
    depth = cv2.distanceTransform((both > 127).astype(np.uint8), cv2.DIST_L2, 3)
    lift = np.sqrt(np.minimum(depth, px) / px + 1e-3)
    lift = cv2.GaussianBlur(lift, (0, 0), max(px * 0.12, 0.8))
    gx, gy = cv2.Sobel(lift, cv2.CV_32F, 1, 0), cv2.Sobel(lift, cv2.CV_32F, 0, 1)
    angle = rng.uniform(0, 2 * np.pi)
    shade = (
        0.75
        + np.clip((gx * np.cos(angle) + gy * np.sin(angle)) * px * 0.10, -0.3, 0.3)
        - 0.25 * (1 - np.clip(lift, 0, 1))
    )
    skin = colour(SKINS[int(rng.integers(len(SKINS)))]) * np.float32(rng.uniform(0.7, 1.2))
    cloth = colour(SLEEVES[int(rng.integers(len(SLEEVES)))])
    mottle = 0.85 + 0.3 * cv2.resize(clouds(rng, 90, 120, 10, 3), (width, height), interpolation=cv2.INTER_LINEAR)
    tint = np.where(sleeve[..., None] > 127, cloth, skin)
    picture = tint * (shade * mottle)[..., None]
    return both.astype(np.float32) / 255, np.asarray(picture, np.float32)
