"""Draw the sprite: six mooncakes, six dice, a cloud, all as SVG symbols with light from the upper left.

Run once whenever the drawing changes (needs fonttools and brotli): python web_ui/art/make_sprite.py
The mould's characters are outlines of the brush faces that already lie in static/fonts, one sprite a script.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

WEB_UI = Path(__file__).resolve().parent.parent
FONTS = WEB_UI / "static" / "fonts"
TEMPLATES = WEB_UI / "templates"
# sprite: face, and the relief where it differs from CAKES
SCRIPTS: dict[str, tuple[str, dict[str, str]]] = {
    "sprite.svg": ("brush.woff2", {}),
    "sprite.hant.svg": ("brush.hant.woff2", {"红": "紅", "进": "進", "举": "舉"}),
}

# tier: relief, lobes of the scalloped edge, the relief's size; small cakes have fewer and deeper lobes
CAKES = {
    "zhuangyuan": ("元", 24, 78),
    "duitang": ("堂", 20, 78),
    "sanhong": ("红", 18, 80),
    "sijin": ("进", 16, 82),
    "erju": ("举", 14, 86),
    "yixiu": ("秀", 12, 88),
}
# pips on the unit square, u to the right and v towards the viewer
PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-0.52, -0.52), (0.52, 0.52)],
    3: [(-0.58, -0.58), (0, 0), (0.58, 0.58)],
    4: [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)],
    5: [(-0.58, -0.58), (0.58, -0.58), (0, 0), (-0.58, 0.58), (0.58, 0.58)],
    6: [(-0.48, -0.64), (0.48, -0.64), (-0.48, 0), (0.48, 0), (-0.48, 0.64), (0.48, 0.64)],
}
# the face towards the viewer, as on a real die (opposite faces add up to seven)
FRONT = {1: 2, 2: 3, 3: 5, 4: 5, 5: 6, 6: 3}

DEFS = """<defs>
<radialGradient id="g-shadow"><stop offset=".62" stop-color="#000" stop-opacity=".55"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
<linearGradient id="g-side" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#E9BE6C"/><stop offset=".5" stop-color="#A9682A"/><stop offset="1" stop-color="#5A2F0D"/></linearGradient>
<radialGradient id="g-crust" cx=".34" cy=".28" r=".85"><stop offset="0" stop-color="#F6DA98"/><stop offset=".42" stop-color="#DFAA54"/><stop offset=".78" stop-color="#BD7D33"/><stop offset="1" stop-color="#8F551B"/></radialGradient>
<linearGradient id="g-well" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#B97A31"/><stop offset=".45" stop-color="#D9A24C"/><stop offset="1" stop-color="#EFC77C"/></linearGradient>
<radialGradient id="g-glaze" cx=".5" cy=".5" r=".5"><stop offset="0" stop-color="#FFF8E2" stop-opacity=".6"/><stop offset="1" stop-color="#FFF8E2" stop-opacity="0"/></radialGradient>
<linearGradient id="g-ivory" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#FFFEF8"/><stop offset="1" stop-color="#ECE3CB"/></linearGradient>
<linearGradient id="g-ivory-front" x1="0" y1="0" x2="0" y2="1"><stop offset=".62" stop-color="#DDD2B6"/><stop offset="1" stop-color="#A2957A"/></linearGradient>
<radialGradient id="g-red" cx=".42" cy=".36" r=".7"><stop offset="0" stop-color="#A3201B"/><stop offset=".7" stop-color="#C8322B"/><stop offset="1" stop-color="#DB4A3F"/></radialGradient>
<radialGradient id="g-ink" cx=".42" cy=".36" r=".7"><stop offset="0" stop-color="#0E0D0C"/><stop offset=".75" stop-color="#23211E"/><stop offset="1" stop-color="#4A463F"/></radialGradient>
</defs>
"""


def scallop(radius: float, lobes: int, depth: float, digits: int, cx: float = 100, cy: float = 100) -> str:
    """A closed path of outward arcs around (cx, cy): the edge of a moulded cake."""
    foot = radius * (1 - depth)
    points = [
        (cx + foot * math.cos(a), cy + foot * math.sin(a)) for a in (2 * math.pi * k / lobes for k in range(lobes))
    ]
    chord = 2 * foot * math.sin(math.pi / lobes)
    sagitta = radius - foot * math.cos(math.pi / lobes)
    arc = (chord * chord / 4 + sagitta * sagitta) / (2 * sagitta)
    start = f"M{points[0][0]:.{digits}f} {points[0][1]:.{digits}f}"
    rest = "".join(f"A{arc:.1f} {arc:.1f} 0 0 1 {x:.{digits}f} {y:.{digits}f}" for x, y in [*points[1:], points[0]])
    return f"{start}{rest}Z"


def petals(lobes: int, inner: float, outer: float, digits: int) -> str:
    """One open arch for each lobe between two radii: the mould's flower."""
    path = []
    half = math.pi / lobes * 0.78
    for k in range(lobes):
        a = 2 * math.pi * (k + 0.5) / lobes
        x0, y0 = 100 + inner * math.cos(a - half), 100 + inner * math.sin(a - half)
        x1, y1 = 100 + inner * math.cos(a + half), 100 + inner * math.sin(a + half)
        cx0, cy0 = 100 + outer * math.cos(a - half * 0.8), 100 + outer * math.sin(a - half * 0.8)
        cx1, cy1 = 100 + outer * math.cos(a + half * 0.8), 100 + outer * math.sin(a + half * 0.8)
        arch = (x0, y0, cx0, cy0, cx1, cy1, x1, y1)
        path.append("M{} {}C{} {} {} {} {} {}".format(*(f"{v:.{digits}f}" for v in arch)))
    return "".join(path)


def outline(font: Any, char: str, size: float) -> str:
    """A character's outline as a path, its ink centred on (100, 100) and `size` high or wide, whichever is larger."""
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(char)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    x0, y0, x1, y1 = bounds.bounds
    scale = size / max(x1 - x0, y1 - y0)
    pen = SVGPathPen(glyphs, lambda v: f"{v:.1f}".rstrip("0").rstrip("."))
    shift = (100 - scale * (x0 + x1) / 2, 100 + scale * (y0 + y1) / 2)
    glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, *shift)))
    return str(pen.getCommands())


def cake(font: Any, tier: str, other: dict[str, str]) -> str:
    """One tier's cake, 200 by 200: shadow, side, crust, flower, well, relief, glaze."""
    char, lobes, size = CAKES[tier]
    depth = 0.045 + 0.35 / lobes / 2
    relief = outline(font, other.get(char, char), size)
    # only the champion's cake is ever drawn larger than its grid of 200
    digits = 1 if tier == "zhuangyuan" else 0
    flower = petals(lobes, 61, 84, digits)
    # 状元 alone is stamped in lacquer red, as bakers do; the others are pressed into the crust
    body, lit = ("#A3201B", "#FFE9B0") if tier == "zhuangyuan" else ("#5B2F0C", "#FBE3A6")
    return (
        f'<symbol id="cake-{tier}" viewBox="0 0 200 200">'
        '<circle cx="107" cy="112" r="92" fill="url(#g-shadow)"/>'
        f'<path d="{scallop(92, lobes, depth, 1)}" fill="url(#g-side)"/>'
        f'<path d="{scallop(86, lobes, depth, 1, 98.5, 98)}" fill="url(#g-crust)"/>'
        # each outline stands once: light from the upper left is the same path drawn again, a little apart
        f'<defs><path id="f-{tier}" d="{flower}"/><path id="r-{tier}" d="{relief}"/></defs>'
        f'<g fill="none" stroke-width="3.2" stroke-linecap="round"><use href="#f-{tier}" stroke="#FFE8B4" stroke-opacity=".7" transform="translate(-1.2 -1.6)"/>'
        f'<use href="#f-{tier}" stroke="#7A4213" stroke-opacity=".75" transform="translate(.8 .8)"/></g>'
        '<circle cx="99" cy="99" r="59" fill="url(#g-well)"/>'
        '<circle cx="99" cy="99" r="59" fill="none" stroke="#7A4213" stroke-opacity=".65" stroke-width="3"/>'
        '<circle cx="97.6" cy="97.4" r="61.5" fill="none" stroke="#FFECBC" stroke-opacity=".55" stroke-width="2"/>'
        f'<use href="#r-{tier}" fill="{lit}" fill-opacity=".95" transform="translate(1.4 1.9)"/>'
        f'<use href="#r-{tier}" fill="{body}" transform="translate(-.9 -.9)"/>'
        '<ellipse cx="66" cy="52" rx="34" ry="20" transform="rotate(-38 66 52)" fill="url(#g-glaze)"/>'
        "</symbol>\n"
    )


def die(value: int) -> str:
    """A die, 100 by 112, from slightly above: its result lies on the upper face, a neighbour is seen foreshortened below."""
    pips = []
    for u, v in PIPS[value]:
        x, y = 50 + u * (36.5 + 3.5 * v), 43 + v * 34
        red = value in (1, 4)
        r = 17.5 if value == 1 else 10.2 if red else 8.6
        fill = "g-red" if red else "g-ink"
        pips.append(f'<ellipse cx="{x + 0.9:.1f}" cy="{y + 1.2:.1f}" rx="{r:.1f}" ry="{r * 0.93:.1f}" fill="#FFF"/>')
        pips.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{r:.1f}" ry="{r * 0.93:.1f}" fill="url(#{fill})"/>')
    front = FRONT[value]
    for u, v in PIPS[front]:
        color = "#8E3A32" if front in (1, 4) else "#6B6252"
        pips.append(f'<ellipse cx="{50 + u * 38:.1f}" cy="{95.5 + v * 7.5:.1f}" rx="6" ry="1.9" fill="{color}"/>')
    return (
        f'<symbol id="die-{value}" viewBox="0 0 100 112">'
        '<path d="M20 4H80Q92 4 93 16L98 90Q98 108 82 108H18Q2 108 2 90L7 16Q8 4 20 4Z" fill="url(#g-ivory-front)"/>'
        '<path d="M21 4H79Q91 4 92 15L96.5 70Q97 83 84 83H16Q3 83 3.500 70L8 15Q9 4 21 4Z" fill="url(#g-ivory)"/>'
        '<path d="M21 5.200H79Q90 5.200 91 16M21 5.200Q10 5.200 9 16L4.800 70" fill="none" stroke="#FFF" stroke-width="2"/>'
        f"{''.join(pips)}</symbol>\n"
    )


def curl(x: float, y: float, r: float, turn: int) -> str:
    """A spiral of half circles that rises from (x, y); turn 1 rolls to the right, -1 to the left."""
    path, sweep = f"M{x} {y}", 1 if turn > 0 else 0
    for k, shrink in enumerate((1, 0.74, 0.5, 0.3)):
        x += turn * (1 if k % 2 == 0 else -1) * 2 * r * shrink
        path += f"A{r * shrink:.1f} {r * shrink:.1f} 0 0 {sweep} {x:.1f} {y}"
    return path


def cloud() -> str:
    """An auspicious cloud in one line, 300 by 100: three curls that lean on one another over long tails."""
    heads = [curl(112, 56, 30, 1), curl(113, 62, 19, -1), curl(173, 62, 19, 1)]
    tails = ["M113 62Q112 80 92 80H8", "M211 62Q212 80 232 80H296", "M60 92H250", "M124 80H200"]
    return (
        '<symbol id="cloud" viewBox="0 0 300 100"><path d="' + "".join(heads + tails) + '" fill="none" '
        'stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></symbol>\n'
    )


def main() -> None:
    """Write a sprite for each script."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" class="sprite" aria-hidden="true">'
    for name, (face, other) in SCRIPTS.items():
        font = TTFont(FONTS / face)
        body = "".join([*(cake(font, tier, other) for tier in CAKES), *(die(v) for v in PIPS), cloud()])
        (TEMPLATES / name).write_text(f"{head}\n{DEFS}{body}</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
