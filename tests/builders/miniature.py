"""Small made-up folders in the official layouts, whose funnels are known by construction.

Nothing in them is real: images are flat greys with a bright square, names and reports are invented here.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perimetry.cases.png import encode_jpeg, encode_png


def grey_png(path: Path, width: int, height: int, tone: int = 90) -> None:
    """An 8-bit grey PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(np.full((height, width), tone, np.uint8)))


def deep_png(path: Path, width: int, height: int, tone: int = 30_000) -> None:
    """A 16-bit grey PNG, written chunk by chunk."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + b"".join(struct.pack(">H", tone + 7 * column) for column in range(width))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * height))
        + chunk(b"IEND", b"")
    )


def grey_jpeg(path: Path, width: int, height: int, tone: int = 90) -> None:
    """An 8-bit grey JPEG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_jpeg(np.full((height, width), tone, np.uint8)))


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A CSV file; gzipped where its name ends in .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    data = file.getvalue().encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_json(path: Path, value: Any) -> None:
    """A JSON file; gzipped where its name ends in .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(value).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


BOX_HEADER = "Image Index,Finding Label,Bbox [x,y,w,h],,,\n"
ENTRY_HEADER = (
    "Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position,"
    "OriginalImage[Width,Height],OriginalImagePixelSpacing[x,y],\n"
)


def nih_folder(root: Path) -> Path:
    """NIH ChestX-ray14: five images with boxes, one of them missing, one damaged; nine boxes, of which four fall.

    - 1_000 (1024): an effusion that reaches beyond the edge, a nodule without area, a finding nobody knows
    - 2_000 (512): an infiltrate in coordinates of 1024; not in the table of labels
    - 3_000: cardiomegaly, the image is missing
    - 4_000 (1024): a mass outside the image, a pneumonia in fractions
    - 5_000: the file is no image
    - 6_000 (1024): labelled, without a box
    """
    root.mkdir(parents=True, exist_ok=True)
    (root / "BBox_List_2017.csv").write_text(
        BOX_HEADER
        + "00000001_000.png,Effusion,900,700.5,200,100,,,\n"
        + "00000001_000.png,Nodule,10,10,0,5,,,\n"
        + "00000001_000.png,Gossypiboma,10,10,5,5,,,\n"
        + "00000002_000.png,Infiltrate,100.25,200,300,400,,,\n"
        + "00000003_000.png,Cardiomegaly,1,2,3,4,,,\n"
        + "00000004_000.png,Mass,2000,10,50,50,,,\n"
        + "00000004_000.png,Pneumonia,0.1,0.1,0.4,0.4,,,\n"
        + "00000004_000.png,Atelectasis,225.084745762712,547.019216763771,86.7796610169491,79.1864406779661,,,\n"
        + "00000005_000.png,Mass,1,2,3,4,,,\n"
    )
    (root / "Data_Entry_2017_v2020.csv").write_text(
        ENTRY_HEADER
        + "00000001_000.png,Effusion|Emphysema,0,1,57,M,PA,2682,2749,0.143,0.143,\n"
        + "00000003_000.png,Cardiomegaly,0,3,57,M,PA,2682,2749,0.143,0.143,\n"
        + "00000004_000.png,Consolidation|Pleural_Thickening,0,4,57,M,AP,2682,2749,0.143,0.143,\n"
        + "00000005_000.png,Mass,0,5,57,M,AP,2682,2749,0.143,0.143,\n"
        + "00000006_000.png,No Finding,0,1,58,M,AP,2682,2749,0.143,0.143,\n"
    )
    grey_png(root / "images_001" / "images" / "00000001_000.png", 1024, 1024)
    grey_png(root / "images_001" / "images" / "00000002_000.png", 512, 512)
    grey_png(root / "images_012" / "images" / "00000004_000.png", 1024, 1024)
    grey_png(root / "images_012" / "images" / "00000006_000.png", 1024, 1024)
    (root / "images_012" / "images" / "00000005_000.png").write_bytes(b"no image")
    return root
