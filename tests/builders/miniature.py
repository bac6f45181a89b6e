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
from collections.abc import Mapping, Sequence
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


def finding(sentence: str, *labels: str, boxes: Sequence[Any] = (), **more: Any) -> dict[str, Any]:
    """One sentence of a PadChest-GR report."""
    return {
        "sentence_en": sentence,
        "sentence_es": f"({sentence})",
        "abnormal": "normal" not in labels,
        "boxes": [list(box) if isinstance(box, tuple) else box for box in boxes],
        "extra_boxes": [],
        "labels": list(labels),
        "locations": [],
        "progression": None,
        **more,
    }


def padchest_records() -> list[dict[str, Any]]:
    """Ten studies; see `padchest_folder`."""
    good, half = (0.25, 0.5, 0.75, 1.0), (0.0, 0.0, 0.5, 0.5)

    def study(number: int, *findings: dict[str, Any]) -> dict[str, Any]:
        return {
            "StudyID": f"st{number}",
            "ImageID": f"img{number}.png",
            "PreviousStudyID": "st0" if number == 1 else None,
            "PreviousImageID": None,
            "findings": list(findings),
        }

    return [
        study(
            1,
            finding("There is a small left pleural effusion.", "pleural effusion", boxes=[good]),
            finding("The heart is enlarged.", "cardiomegaly", boxes=[half]),
        ),
        study(2, finding("Right pleural effusion.", "pleural effusion", boxes=[good, half])),
        # The sentence denies what the label says.
        study(3, finding("No pleural effusion is seen.", "pleural effusion", boxes=[good])),
        # A known label without a class, and one that nobody knows.
        study(4, finding("Scoliosis.", "scoliosis", boxes=[good]), finding("Odd.", "gossypiboma", boxes=[half])),
        # No box at all.
        study(5, finding("Normal chest.", "normal")),
        # Boxes that cannot be: pixels, no area, wrong way round, three numbers, outside.
        study(
            6,
            finding(
                "Left pleural effusion.",
                "pleural effusion",
                boxes=[
                    (10, 20, 300, 400),
                    (0.5, 0.5, 0.5, 0.7),
                    (0.6, 0.2, 0.4, 0.3),
                    (0.1, 0.2, 0.3),
                    (-0.5, 0, 0, 1),
                ],
            ),
        ),
        # Its image is missing.
        study(7, finding("Cardiomegaly.", "cardiomegaly", boxes=[good])),
        # Not in the master table.
        study(8, finding("Cardiomegaly.", "cardiomegaly", boxes=[good])),
        # Air and fluid: both classes, of which the sentence states one.
        study(9, finding("Small right pneumothorax.", "hydropneumothorax", boxes=[good])),
        {"StudyID": "st10", "ImageID": "img10.png"},
    ]


MASTER_HEADER = ("StudyID", "ImageID", "label", "label_group", "split", "PatientID")


def padchest_folder(root: Path, *, zipped: bool = False) -> Path:
    """PadChest-GR: ten records of which seven studies load, in 16-bit images of 40 x 20.

    Boxes: 13 in studies that load, of which 5 cannot be; of the 8 left, 2 have no class, 1 has a sentence that does
    not state it. With --min-images 2 only Pleural Effusion (studies 1 and 2) is left: 3 boxes.
    """
    end = ".gz" if zipped else ""
    write_json(root / f"grounded_reports_20240819.json{end}", padchest_records())
    rows = [
        (f"st{number}", f"img{number}.png", label, "", "test" if number == 2 else "train", f"pat{number % 3}")
        for number in (1, 2, 3, 4, 5, 6, 7, 9, 10)
        for label in ("one", "two")
    ]
    write_csv(root / f"master_table.csv{end}", MASTER_HEADER, rows)
    for number in (1, 2, 3, 4, 5, 6, 8, 9, 10):
        deep_png(root / "PadChest_GR" / f"img{number}.png", 40, 20)
    return root


MIMIC_ROWS = (
    # dicom, study, subject, split, view
    ("d1", "50000001", "10000001", "test", "PA"),
    ("d1lat", "50000001", "10000001", "test", "LATERAL"),
    ("d2", "50000002", "10000001", "test", "AP"),
    ("d3", "50000003", "10000002", "test", "AP"),
    ("d4", "50000004", "10000003", "test", "PA"),
    ("d5", "50000005", "10000004", "test", "PA"),
    ("d6", "50000006", "10000005", "test", "PA"),
    ("d7", "50000007", "10000006", "test", "PA"),
    ("d8", "50000008", "10000007", "test", "PA"),
    ("d9", "50000009", "10000008", "train", "PA"),
)
CHEXPERT_COLUMNS = (
    *("Atelectasis", "Cardiomegaly", "Consolidation", "Edema", "Enlarged Cardiomediastinum", "Fracture"),
    *("Lung Lesion", "Lung Opacity", "No Finding", "Pleural Effusion", "Pleural Other", "Pneumonia"),
    *("Pneumothorax", "Support Devices"),
)
MIMIC_LABELS = {
    "50000001": {"Pleural Effusion": "1.0", "Cardiomegaly": "1.0", "Pneumonia": "-1.0", "Pneumothorax": "0.0"},
    "50000002": {"Pleural Effusion": "1.0"},
    "50000003": {"No Finding": "1.0"},
    "50000004": {"Pneumonia": "1.0"},
    "50000005": {"Edema": "1.0"},
    "50000006": {"Pneumothorax": "0.0"},
    "50000007": {"Edema": "1.0"},
    "50000009": {"Edema": "1.0"},
}
REPORT = """                                 FINAL REPORT
 EXAMINATION:  CHEST (PA AND LAT)

 INDICATION:  ___-year-old with cough  // fluid?

 TECHNIQUE:  Chest PA and lateral

 COMPARISON:  None.

 FINDINGS:

 Moderate left pleural effusion.
 The heart is enlarged.

 IMPRESSION:

 Effusion and cardiomegaly.
"""


def region(name: str, *said: Sequence[str], phrases: Sequence[str] = ()) -> dict[str, Any]:
    """What a scene graph says of one region."""
    return {name: True, "bbox_name": name, "attributes": [list(group) for group in said], "phrases": list(phrases)}


def scene_graph(dicom: str, places: Mapping[str, Sequence[float]], *regions: dict[str, Any]) -> dict[str, Any]:
    """A scene graph with corners in pixels of the original image."""
    objects = [
        {
            "object_id": f"{dicom}_{name}",
            "bbox_name": name,
            "name": name.title(),
            **dict(zip(("x1", "y1", "x2", "y2"), (1, 1, 2, 2), strict=True)),
            **dict(zip(("original_x1", "original_y1", "original_x2", "original_y2"), corners, strict=True)),
            "original_width": corners[2] - corners[0],
            "original_height": corners[3] - corners[1],
        }
        for name, corners in places.items()
    ]
    return {"image_id": dicom, "viewpoint": "PA", "objects": objects, "attributes": list(regions), "relationships": []}


def mimic_folders(root: Path, *, zipped: bool = False) -> tuple[Path, Path]:
    """MIMIC-CXR-JPG and Chest ImaGenome: nine test images, of which eight are frontal.

    - d1: effusion and an enlarged heart, both affirmed; a denied pneumothorax, an unknown attribute, an affirmed edema
      that is no positive label; one region has no box, one a box outside the image
    - d2: the effusion is only denied, an atelectasis affirmed instead
    - d3: No Finding
    - d4: no scene graph
    - d5: a scene graph of another release
    - d6: no positive label at all
    - d7: affirmed edema, no report, the image is missing
    - d8: not in the table of labels
    - d9: of the split train
    """
    jpg, imagenome = root / "mimic-cxr-jpg", root / "chest-imagenome"
    end = ".gz" if zipped else ""
    write_csv(
        jpg / f"mimic-cxr-2.0.0-split.csv{end}",
        ("dicom_id", "study_id", "subject_id", "split"),
        [row[:4] for row in MIMIC_ROWS],
    )
    write_csv(
        jpg / f"mimic-cxr-2.0.0-metadata.csv{end}",
        ("dicom_id", "subject_id", "study_id", "ViewPosition", "Rows", "Columns"),
        [(dicom, subject, study, view, 60, 80) for dicom, study, subject, _, view in MIMIC_ROWS],
    )
    subjects = {study: subject for _, study, subject, _, _ in MIMIC_ROWS}
    write_csv(
        jpg / f"mimic-cxr-2.0.0-chexpert.csv{end}",
        ("subject_id", "study_id", *CHEXPERT_COLUMNS),
        [
            (subjects[study], study, *(values.get(name, "") for name in CHEXPERT_COLUMNS))
            for study, values in MIMIC_LABELS.items()
        ],
    )
    for dicom, study, subject, _, _ in MIMIC_ROWS:
        folder = jpg / "files" / f"p{subject[:2]}" / f"p{subject}"
        if dicom != "d7":
            grey_jpeg(folder / f"s{study}" / f"{dicom}.jpg", 80, 60)
            (folder / f"s{study}.txt").write_text(REPORT)
    graphs = imagenome / "silver_dataset" / "scene_graph"
    for dicom, graph in mimic_graphs().items():
        write_json(graphs / f"{dicom}_SceneGraph.json", graph)
    return jpg, imagenome


def mimic_graphs() -> dict[str, Any]:
    """Scene graphs by image; see `mimic_folders`."""
    yes_effusion, no_effusion = ["anatomicalfinding|yes|pleural effusion"], ["anatomicalfinding|no|pleural effusion"]
    lung, heart = "left costophrenic angle", "cardiac silhouette"
    everywhere = {lung: (40, 30, 70, 55), heart: (20, 20, 60, 50), "spine": (500, 0, 600, 40)}
    return {
        "d1": scene_graph(
            "d1",
            everywhere,
            region(
                lung,
                [*yes_effusion, "severity|yes|moderate", "laterality|yes|left"],
                ["anatomicalfinding|no|pneumothorax"],
                phrases=["Moderate left pleural effusion.", "No pneumothorax."],
            ),
            region(
                heart,
                ["anatomicalfinding|yes|enlarged cardiac silhouette", "nlp|yes|abnormal"],
                phrases=["The heart is enlarged."],
            ),
            region("right lung", yes_effusion),
            region("spine", ["anatomicalfinding|yes|spinal fracture"]),
            region("trachea", ["disease|yes|gossypiboma"], ["anatomicalfinding|yes|scoliosis"]),
        ),
        "d1lat": scene_graph("d1lat", everywhere, region(lung, yes_effusion)),
        "d2": scene_graph(
            "d2", everywhere, region(lung, no_effusion), region(heart, ["anatomicalfinding|yes|atelectasis"])
        ),
        "d3": scene_graph("d3", everywhere, region(lung, ["nlp|yes|normal"])),
        "d5": {"image_id": "d5", "objects": []},
        "d6": scene_graph("d6", everywhere, region(lung, no_effusion)),
        "d7": scene_graph("d7", everywhere, region(lung, ["anatomicalfinding|yes|pulmonary edema/hazy opacity"])),
        "d8": scene_graph("d8", everywhere, region(lung, yes_effusion)),
        "d9": scene_graph("d9", everywhere, region(lung, ["disease|yes|fluid overload/heart failure"])),
    }
