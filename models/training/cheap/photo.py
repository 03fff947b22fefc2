"""The camera's faults, in the order in which light, sensor and codec make them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, to_display


@dataclass(frozen=True)
class Photo:
    """How a picture was taken; lengths in pixels, noise 0 to 1, ev in stops, white: gains of B and R."""

    blur_sigma_px: float
    defocus_px: float
    shake_px: float
    shake_deg: float
    bloom: float
    vignette: float
    ev: float
    white: tuple[float, float]
    noise: float
    contrast: float
    colour: float
    smooth: float
    sharpening: float
    flicker: float
    shrink: float
    grey: bool
    jpeg_first: int
    jpeg_quality: int

    def as_json(self) -> dict[str, Any]:
        """As the simulated pictures write it, and a few words more."""
        return {
            "blur_sigma_px": round(self.blur_sigma_px, 2),
            "defocus_px": round(self.defocus_px, 2),
            "noise": round(self.noise, 3),
            "ev": round(self.ev, 3),
            "sharpening": round(self.sharpening, 2),
            "shake_px": round(self.shake_px, 2),
            "extra_defocus_px": 0.0,
            "grey": self.grey,
            "shrink": round(self.shrink, 2),
        }


def draw_photo(rng: Rng, die_px: float) -> Photo:
    """Random faults; blur never so strong that pips of a die of die_px are surely gone."""
    most = max(0.6, die_px / 17)
    return Photo(
        blur_sigma_px=float(min(rng.uniform(0.35, 1.0), most)),
        defocus_px=float(min(rng.exponential(1.0), 1.3 * most)) if rng.random() < 0.35 else 0.0,
        shake_px=float(min(rng.exponential(2.0), 2.2 * most)) if rng.random() < 0.2 else 0.0,
        shake_deg=rng.uniform(0, 180),
        bloom=rng.uniform(0, 0.12) if rng.random() < 0.5 else 0.0,
        vignette=rng.uniform(0, 0.35),
        ev=float(rng.normal(0, 0.35)),
        white=(float(np.exp(rng.normal(0, 0.10))), float(np.exp(rng.normal(0, 0.10)))),
        noise=float(rng.beta(1.2, 2.2)),
        contrast=rng.uniform(-0.1, 0.45),
        colour=rng.uniform(0.7, 1.35),
        smooth=float(rng.choice([0.0, rng.uniform(0.3, 1.0)], p=[0.5, 0.5])),
        sharpening=float(rng.choice([0.0, rng.uniform(0.2, 0.9), rng.uniform(0.9, 1.8)], p=[0.2, 0.6, 0.2])),
        flicker=rng.uniform(0.02, 0.12) if rng.random() < 0.08 else 0.0,
        shrink=rng.uniform(0.45, 0.9) if rng.random() < 0.12 and die_px > 24 else 1.0,
        grey=rng.random() < 0.06,
        jpeg_first=int(rng.integers(55, 90)) if rng.random() < 0.25 else 0,
        jpeg_quality=int(rng.integers(55, 96)),
    )


def still(photo: Photo) -> Photo:
    """The same camera without blur of any kind: for pictures that are blurred already."""
    return replace(photo, defocus_px=0.0, shake_px=0.0)


def _disc(radius: float) -> Array:
    n = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-n : n + 1, -n : n + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum())


def _line(length: float, deg: float) -> Array:
    n = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
    for t in np.linspace(-0.5, 0.5, 33) * length:
        x, y = n + t * np.cos(np.radians(deg)), n + t * np.sin(np.radians(deg))
        kernel[round(y), round(x)] += 1
    soft = cv2.GaussianBlur(kernel, (0, 0), 0.5)
    return np.asarray(soft / soft.sum())


def blur(light: Array, photo: Photo) -> Array:
    """Lens blur, defocus and shake on any float picture."""
    out = light
    if photo.defocus_px > 0.3:
        out = cv2.filter2D(out, -1, _disc(photo.defocus_px), borderType=cv2.BORDER_REPLICATE)
    if photo.shake_px > 0.5:
        out = cv2.filter2D(out, -1, _line(photo.shake_px, photo.shake_deg), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), max(photo.blur_sigma_px, 0.2), borderType=cv2.BORDER_REPLICATE))


def _lens(light: Array, photo: Photo) -> Array:
    out = blur(light, photo)
    height, width = out.shape[:2]
    if photo.bloom > 0:
        small = cv2.resize(np.minimum(out, 8), (width // 8, height // 8), interpolation=cv2.INTER_AREA)
        halo = cv2.GaussianBlur(np.maximum(small - 0.9, 0), (0, 0), 4) + 0.15 * cv2.GaussianBlur(small, (0, 0), 14)
        out = out + photo.bloom * cv2.resize(halo, (width, height), interpolation=cv2.INTER_LINEAR)
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None]
    fall = 1 - np.float32(photo.vignette) * (x * x + y * y) * 0.5
    if photo.flicker > 0:
        fall = fall * (1 + photo.flicker * np.sin(y * np.pi * (2 + 20 * photo.vignette) + photo.shake_deg))
    return np.asarray(out * fall[..., None], np.float32)


def _sensor(rng: Rng, light: Array, photo: Photo) -> Array:
    """8 bit picture of light through a mosaic of colour cells with shot and read noise."""
    height, width = light.shape[:2]
    gains = np.array([photo.white[0], 1.0, photo.white[1]], np.float32)
    raw = np.empty((height, width), np.float32)
    raw[0::2, 0::2], raw[1::2, 1::2] = light[0::2, 0::2, 0], light[1::2, 1::2, 2]
    raw[0::2, 1::2], raw[1::2, 0::2] = light[0::2, 1::2, 1], light[1::2, 0::2, 1]
    shot, read = 0.012 * photo.noise, 0.022 * photo.noise
    spread = np.sqrt(np.maximum(raw, 0) * (shot * shot * 8) + read * read)
    raw = np.clip(raw + rng.standard_normal(raw.shape, np.float32) * spread, 0, 1)
    # OpenCV names the pattern by its second row: first row B G, second G R is "RG" for BGR output
    linear = cv2.cvtColor((raw * 65535).astype(np.uint16), cv2.COLOR_BayerRG2BGR)
    table = np.arange(65536, dtype=np.float32) / 65535
    out = np.empty((height, width, 3), np.uint8)
    for c in range(3):
        bright = to_display(table[::16] * gains[c])
        curve = bright + photo.contrast * (bright * bright * (3 - 2 * bright) - bright)
        out[..., c] = (np.clip(curve, 0, 1) * 255 + 0.5).astype(np.uint8)[linear[..., c] >> 4]
    return out


def _software(picture: Array, photo: Photo) -> Array:
    out = picture
    ycc = cv2.cvtColor(out, cv2.COLOR_BGR2YCrCb)
    y, cr, cb = cv2.split(ycc)
    if photo.smooth > 0:
        y = cv2.addWeighted(y, 1 - 0.6 * photo.smooth, cv2.medianBlur(y, 3), 0.6 * photo.smooth, 0)
        cr, cb = cv2.blur(cr, (5, 5)), cv2.blur(cb, (5, 5))
    k = 0.0 if photo.grey else photo.colour
    cr, cb = cv2.convertScaleAbs(cr, alpha=k, beta=128 * (1 - k)), cv2.convertScaleAbs(cb, alpha=k, beta=128 * (1 - k))
    if photo.sharpening > 0:
        soft = cv2.GaussianBlur(y, (0, 0), 1.3)
        y = cv2.addWeighted(y, 1 + photo.sharpening, soft, -photo.sharpening, 0)
    return np.asarray(cv2.cvtColor(cv2.merge([y, cr, cb]), cv2.COLOR_YCrCb2BGR))


def take(rng: Rng, light: Array, photo: Photo) -> Array:
    """The 8 bit BGR picture (height, width, 3) that the camera makes of linear light (1 is white)."""
    height, width = light.shape[:2]
    out = _software(_sensor(rng, _lens(light, photo) * np.float32(2**photo.ev), photo), photo)
    if photo.shrink < 1:
        small = cv2.resize(
            out, (round(width * photo.shrink), round(height * photo.shrink)), interpolation=cv2.INTER_AREA
        )
        out = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if photo.jpeg_first:
        data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, photo.jpeg_first])[1]
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return np.asarray(out, np.uint8)
