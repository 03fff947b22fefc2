"""Camera faults: turns a clean linear picture into what a cheap webcam would have delivered.

Order: lens blur, defocus, shake, glare, vignette, exposure and white-balance error, flicker, Bayer mosaic with shot and read
noise, demosaic, tone curve, chroma smoothing, sharpening, JPEG.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Linear = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Webcam:
    """One camera's habits, fixed in a set-up: blur and defocus in pixels, noise 0 to 1, ev in stops, gains of red and blue."""

    blur_sigma: float
    defocus: float
    noise: float
    ev: float
    red: float
    blue: float
    glare: float
    vignette: float
    contrast: float
    saturation: float
    chroma_sigma: float
    smear: float
    sharpening: float
    flicker: float
    low_res: float
    quality: int


@dataclass(frozen=True, slots=True)
class Shot:
    """What differs from picture to picture: exposure error, white balance, shake (pixels, radians), defocus, JPEG quality."""

    ev: float
    red: float
    blue: float
    shake: float
    shake_angle: float
    extra_defocus: float
    phase: float
    quality: int


def draw_webcam(rng: np.random.Generator) -> Webcam:
    """A new webcam, from a good one in good light to a bad one in the dark."""
    noise = float(rng.beta(1.2, 2.3))
    return Webcam(
        blur_sigma=float(rng.uniform(0.45, 1.1)), defocus=float(rng.uniform(0.6, 2.3)) if rng.random() < 0.2 else 0.0, noise=noise,
        ev=float(np.clip(rng.normal(-0.05, 0.4), -1.3, 0.9)), red=float(np.exp(rng.normal(0, 0.07))), blue=float(np.exp(rng.normal(0, 0.08))),
        glare=float(rng.uniform(0.0, 0.05)), vignette=float(rng.uniform(0, 0.38)), contrast=float(rng.uniform(0.0, 0.6)),
        saturation=float(rng.uniform(0.6, 1.2)), chroma_sigma=float(rng.uniform(0.6, 2.5)), smear=float(rng.uniform(0, 1) * noise),
        sharpening=float(rng.uniform(0.1, 1.2)), flicker=float(rng.uniform(0.02, 0.08)) if rng.random() < 0.12 else 0.0,
        low_res=float(rng.uniform(0.5, 0.8)) if rng.random() < 0.12 else 1.0, quality=int(rng.integers(62, 95)),
    )  # fmt: skip


def draw_shot(rng: np.random.Generator, cam: Webcam) -> Shot:
    """A new picture by this webcam: nearly the same exposure and colour, now and then shaken or out of focus."""
    return Shot(
        ev=float(rng.normal(0, 0.07)), red=float(np.exp(rng.normal(0, 0.012))), blue=float(np.exp(rng.normal(0, 0.012))),
        shake=float(rng.uniform(1, 4)) if rng.random() < 0.06 else 0.0, shake_angle=float(rng.uniform(0, np.pi)),
        extra_defocus=float(rng.uniform(0.5, 1.8)) if rng.random() < 0.07 else 0.0, phase=float(rng.uniform(0, 2 * np.pi)),
        quality=int(np.clip(cam.quality + rng.integers(-3, 4), 60, 95)),
    )  # fmt: skip


def photo_truth(cam: Webcam, shot: Shot) -> dict[str, Any]:
    """How the picture was taken, as a picture's file states it."""
    return {
        "blur_sigma_px": round(cam.blur_sigma, 2),
        "defocus_px": round(cam.defocus, 2),
        "noise": round(cam.noise, 3),
        "ev": round(cam.ev + shot.ev, 3),
        "sharpening": round(cam.sharpening, 2),
        "shake_px": round(shot.shake, 2),
        "extra_defocus_px": round(shot.extra_defocus, 2),
    }


def to_srgb(linear: Linear) -> Linear:
    """Linear 0 to 1 to display values 0 to 1."""
    x = np.clip(linear, 0.0, 1.0)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055).astype(np.float32)


def to_linear(picture: Picture) -> Linear:
    """A stored clean picture (8 bit) back to linear values, lights that were clipped lifted a little beyond white."""
    x = np.arange(256) / 255
    table = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4).astype(np.float32)
    table[252:] *= np.linspace(1.0, 1.8, 4, dtype=np.float32)
    return np.asarray(table[picture], np.float32)


def photograph(linear: Linear, cam: Webcam, shot: Shot, rng: np.random.Generator) -> Picture:
    """The picture (BGR, 8 bit, before JPEG) of a clean linear one (h, w, 3, BGR, 1.0 is white)."""
    x = _optics(linear, cam, shot)
    x = _expose(x, cam, shot)
    x = _sensor(x, cam, rng)
    return _process(x, cam)


def encode(picture: Picture, quality: int) -> bytes:
    """JPEG bytes."""
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise RuntimeError("the picture could not be packed as JPEG; check the OpenCV installation")
    return bytes(data)


def _disk(radius: float) -> Linear:
    n = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-n : n + 1, -n : n + 1]
    k = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(k / k.sum(), np.float32)


def _optics(x: Linear, cam: Webcam, shot: Shot) -> Linear:
    if cam.low_res < 1.0:
        h, w = x.shape[:2]
        small = cv2.resize(x, (int(w * cam.low_res), int(h * cam.low_res)), interpolation=cv2.INTER_AREA)
        x = np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    x = np.asarray(cv2.GaussianBlur(x, (0, 0), cam.blur_sigma), np.float32)
    radius = cam.defocus + shot.extra_defocus
    if radius > 0.3:
        x = np.asarray(cv2.filter2D(x, -1, _disk(radius)), np.float32)
    if shot.shake > 0.5:
        n = int(np.ceil(shot.shake))
        kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
        for t in np.linspace(-shot.shake / 2, shot.shake / 2, 8 * n):
            kernel[n + round(t * np.sin(shot.shake_angle)), n + round(t * np.cos(shot.shake_angle))] += 1
        x = np.asarray(cv2.filter2D(x, -1, kernel / kernel.sum()), np.float32)
    small = cv2.resize(np.minimum(x, 4.0), (x.shape[1] // 8, x.shape[0] // 8), interpolation=cv2.INTER_AREA)
    veil = cv2.GaussianBlur(small, (0, 0), 3) * 0.5 + cv2.GaussianBlur(small, (0, 0), 22)
    x = x * (1 - cam.glare) + cam.glare * np.asarray(cv2.resize(veil, (x.shape[1], x.shape[0])), np.float32)
    h, w = x.shape[:2]
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((xx - w / 2) ** 2 + (yy - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    return np.asarray(x * (1 - cam.vignette * r2)[..., None], np.float32)


def _expose(x: Linear, cam: Webcam, shot: Shot) -> Linear:
    gains = 2 ** (cam.ev + shot.ev) * np.array([cam.blue * shot.blue, 1.0, cam.red * shot.red], np.float32)
    x = np.asarray(x * gains, np.float32)
    if cam.flicker > 0:
        rows = np.arange(x.shape[0], dtype=np.float32)
        x = np.asarray(x * (1 + cam.flicker * np.sin(rows * 2 * np.pi / 240 + shot.phase))[:, None, None], np.float32)
    return x


def _sensor(x: Linear, cam: Webcam, rng: np.random.Generator) -> Linear:
    """Bayer mosaic with noise, and back."""
    mosaic = np.empty(x.shape[:2], np.float32)
    mosaic[0::2, 0::2], mosaic[0::2, 1::2] = x[0::2, 0::2, 0], x[0::2, 1::2, 1]
    mosaic[1::2, 0::2], mosaic[1::2, 1::2] = x[1::2, 0::2, 1], x[1::2, 1::2, 2]
    well = 14000.0 / (1 + 14 * cam.noise) ** 1.15
    read = 0.0008 + 0.0055 * cam.noise
    sigma = np.sqrt(np.clip(mosaic, 0, 1.2) / well + read**2)
    noisy = np.clip(mosaic, 0, 1.0) + sigma * rng.standard_normal(mosaic.shape, np.float32)
    raw = np.clip(noisy * 4000 + 64, 0, 4064).astype(np.uint16)
    bgr = cv2.cvtColor(raw, cv2.COLOR_BayerRGGB2RGB)
    return np.asarray((bgr.astype(np.float32) - 64) / 4000, np.float32)


def _process(x: Linear, cam: Webcam) -> Picture:
    y = to_srgb(np.asarray(x, np.float32))
    y = y + cam.contrast * 0.5 * (y - 0.5) * (1 - (2 * y - 1) ** 2)
    grey = y @ np.array([0.114, 0.587, 0.299], np.float32)
    luma = grey
    if cam.smear > 0.1:
        soft = cv2.bilateralFilter(grey, 5, 0.06 + 0.08 * cam.smear, 1.0 + cam.smear)
        luma = grey + min(cam.smear * 1.2, 0.85) * (np.asarray(soft, np.float32) - grey)
    chroma = np.asarray(cv2.GaussianBlur(y - grey[..., None], (0, 0), cam.chroma_sigma), np.float32) * cam.saturation
    luma = luma + cam.sharpening * (luma - np.asarray(cv2.GaussianBlur(luma, (0, 0), 1.3), np.float32))
    return np.clip((luma[..., None] + chroma) * 255 + 0.5, 0, 255).astype(np.uint8)
