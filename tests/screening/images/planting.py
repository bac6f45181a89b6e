"""Text and marks laid on phantoms and on smoothed radiographs at places, in fonts and colours drawn at random."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from perimetry.phantoms.radiograph import RadiographSpec
from perimetry.phantoms.source import PhantomSource
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.screening.images.reading import Frame
from perimetry.statistics.streams import uniform

WORDS = [
    "PORTABLE",
    "SUPINE",
    "Pneumothorax",
    "effusion",
    "Fig",
    "mass",
    "cyst",
    "Axial",
    "T2",
    "FLAIR",
    "CT",
    "head",
    "contrast",
    "Lateral",
    "View",
    "Coronal",
    "Sagittal",
    "Series",
    "Image",
    "tumor",
    "abscess",
    "fracture",
    "Right",
    "Left",
    "kidney",
    "Liver",
    "Case",
    "EDH",
    "SAH",
    "MRI",
    "Radiology",
    "edema",
    "nodule",
    "Erect",
    "lung",
    "heart",
    "2019",
    "infarct",
]
COLOURS = ((255, 0, 0), (255, 255, 0), (0, 255, 0), (0, 128, 255), (255, 0, 255), (0, 255, 255), (255, 140, 0))
CONTRAST = 60
FOLDERS = ("dejavu", "liberation")


@dataclass(frozen=True)
class Planted:
    pixels: np.ndarray
    frame: Frame
    text: str = ""
    what: str = ""


def fonts() -> list[Path]:
    """Fonts of the machine; Pillow's own comes on top of them."""
    root = Path("/usr/share/fonts/truetype")
    found = sorted(path for folder in FOLDERS for path in (root / folder).glob("*.ttf"))
    return [path for path in found if "Math" not in path.name and "ExtraLight" not in path.name]


def phantom(number: int, size: int = 0) -> np.ndarray:
    chance = uniform(0, "planting/phantom", number, size=6)
    names = [FINDINGS[int(value * len(FINDINGS))] for value in chance[2 : 2 + int(chance[1] * 3)]]
    side = size or (256, 320, 512, 768, 1024)[int(chance[0] * 5)]
    return PhantomSource(RadiographSpec(tuple(dict.fromkeys(names))), side, 1000 + number).read().copy()


def smoothed(path: Path) -> np.ndarray:
    """A radiograph without the text and the marks that it has."""
    with Image.open(path) as opened:
        grey = opened.convert("L")
    return np.asarray(grey.filter(ImageFilter.GaussianBlur(max(grey.size) / 100 + 2))).copy()


def backgrounds(count: int, data: Path | None = None) -> list[np.ndarray]:
    """Phantoms, and every other one a smoothed radiograph where the data are there; one in five of these from NIH."""
    if data is None:
        return [phantom(number) for number in range(count)]
    radiographs = sorted((data / "vqa_rad" / "VQA_RAD Image Folder").glob("*.jpg"))
    chests = sorted((data / "nih_cxr14" / "images").glob("*.png"))
    made = []
    for number in range(count):
        chance = uniform(3, "planting/real", number, size=1)[0]
        if number % 2 == 0:
            made.append(phantom(number))
        elif number % 10 == 1:
            made.append(smoothed(chests[number // 10 % len(chests)]))
        else:
            made.append(smoothed(radiographs[int(chance * len(radiographs))]))
    return made


def _phrase(chance: np.ndarray) -> str:
    parts = [WORDS[int(value * len(WORDS))] for value in chance[1 : 2 + int(chance[0] * 2.2)]]
    if sum(letter.isalpha() for part in parts for letter in part) < 3:
        parts.append("head")
    text = " ".join(parts)
    return text.upper() if chance[5] < 0.3 else text


def plant_text(under: np.ndarray, number: int, text: str = "", stream: str = "text") -> Planted:
    """Text whose ink is 10 to 40 pixels high and differs by 60 grey levels from 95% of the pixels under it."""
    faces = fonts()
    height, width = under.shape
    for attempt in range(1000):
        chance = uniform(7, f"planting/{stream}", number, attempt, size=16)
        wanted = text or _phrase(chance)
        high = 10 + chance[8] * 30
        place = int(chance[9] * (len(faces) + 2))
        scale = high

        def face(scale, place=place):
            return ImageFont.load_default(scale) if place >= len(faces) else ImageFont.truetype(faces[place], scale)

        for _ in range(3):
            left, top, right, bottom = face(scale).getbbox(wanted)
            scale *= high / max(1, bottom - top)
        left, top, right, bottom = face(scale).getbbox(wanted)
        wide, tall = int(right - left), int(bottom - top)
        if not 10 <= tall <= 40 or wide > 0.95 * width:
            continue
        x, y = int(chance[10] * (width - wide)), int(chance[11] * (height - tall))
        level = int(chance[12] * 256)
        apart = np.abs(under[y : y + tall, x : x + wide].astype(int) - level)
        if np.percentile(apart, 5) < CONTRAST:
            continue
        picture = Image.fromarray(under)
        ImageDraw.Draw(picture).text((x - left, y - top), wanted, font=face(scale), fill=level)
        return Planted(np.asarray(picture).copy(), Frame(x, y, wide, tall), wanted, f"font {place}, {tall} px")
    raise AssertionError(f"no place for text on background {number}")


def plant_mark(under: np.ndarray, number: int, kind: str) -> Planted | None:
    """A mark, drawn smooth or not, every other time saved as JPEG; None where white would not show on what is there."""
    height, width = under.shape
    chance = uniform(11, "planting/mark", kind, number, size=16)
    smooth = 2 if chance[0] < 0.5 else 1
    line = (1 + int(chance[1] * 4)) if kind == "colour" else (2 + int(chance[1] * 3))
    shape = ("box", "circle", "arrow", "line")[int(chance[7] * 4)] if kind == "colour" else kind
    fill = COLOURS[int(chance[8] * len(COLOURS))] if kind == "colour" else (255, 255, 255)
    layer = Image.new("L", (width * smooth, height * smooth), 0)
    draw = ImageDraw.Draw(layer)
    if shape in ("box", "circle"):
        wide = int(16 + chance[2] * width * 0.3)
        tall = max(14, min(int(wide * (0.6 + chance[3] * 0.8)), height - 12))
        x, y = _corner(width, height, wide, tall, chance)
        corners = [x * smooth, y * smooth, (x + wide) * smooth, (y + tall) * smooth]
        (draw.rectangle if shape == "box" else draw.ellipse)(corners, outline=255, width=line * smooth)
    else:
        _pointer(draw, shape, line, smooth, (width, height), chance)
    layer = layer.resize((width, height), Image.Resampling.BOX)
    drawn = np.asarray(layer) > 128
    if kind != "colour" and float(np.median(255.0 - under[drawn])) < CONTRAST:
        return None
    picture = Image.fromarray(np.dstack([under] * 3))
    picture.paste(fill, (0, 0), layer)
    if chance[12] < 0.5:
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=90)
        picture = Image.open(file).convert("RGB")
    rows, columns = np.nonzero(drawn)
    x, y = int(columns.min()), int(rows.min())
    frame = Frame(x, y, int(columns.max()) - x + 1, int(rows.max()) - y + 1)
    return Planted(np.asarray(picture).copy(), frame, what=f"{shape}, line {line}")


def _corner(width, height, wide, tall, chance):
    return 4 + int(chance[4] * max(1, width - wide - 8)), 4 + int(chance[5] * max(1, height - tall - 8))


def _pointer(draw, shape, line, smooth, size, chance):
    length, angle = 20 + chance[2] * 60, chance[3] * 2 * math.pi
    x, y = _corner(size[0], size[1], 2 * length, 2 * length, chance)
    x, y, across, down = x + length, y + length, math.cos(angle), math.sin(angle)
    tip = (x + across * length, y + down * length)
    head = 3 * line + 3 + chance[9] * 6
    wing = head * (0.35 + chance[10] * 0.25)
    base = (tip[0] - across * head, tip[1] - down * head)
    wings = [(base[0] - side * down * wing, base[1] + side * across * wing) for side in (-1, 1)]

    def scaled(*points):
        return [(a * smooth, b * smooth) for a, b in points]

    if shape == "line":
        draw.line(scaled((x, y), tip), fill=255, width=line * smooth)
    elif chance[11] < 0.7:
        draw.line(scaled((x, y), base), fill=255, width=line * smooth)
        draw.polygon(scaled(tip, *wings), fill=255)
    else:
        draw.line(scaled((x, y), tip), fill=255, width=line * smooth)
        for end in wings:
            draw.line(scaled(tip, end), fill=255, width=line * smooth)
