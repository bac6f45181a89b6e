"""A made-up annotation study: pairs, and raters whose answers are written down beforehand."""

import csv
import json
from pathlib import Path

from perimetry.protocols.review import read_study

VARIATIONS = (
    "structure:structured",
    "structure:free_text",
    "section_assignment:alternative",
    "findings_scope:exhaustive",
    "findings_scope:minimal",
    "anatomical_granularity:high",
    "anatomical_granularity:low",
    "quantitative_granularity:low",
    "terminology:alternative",
    "hedging:alternative",
    "negation:explicit",
    "negation:implicit",
)
DATASETS = ("iu-xray", "mimic-cxr", "chexpert-plus", "rexgradient")


def write_pairs(path: Path, datasets=DATASETS, variations=VARIATIONS, each=10) -> Path:
    lines = [
        {
            "dataset": dataset,
            "case_id": f"{dataset}/{n}",
            "variation": variation,
            "original": f"Heart size {number}-{n} normal.",
            "alternative": f"Normal heart {number}-{n}.",
            "verdicts": [{"by": "rules"}],
        }
        for number, (dataset, variation) in enumerate((d, v) for d in datasets for v in variations)
        for n in range(each)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def sheets(folder: Path, number: int = 1) -> list[Path]:
    return sorted((folder / f"round-{number}").glob("*/*.csv"))


def fill(sheet: Path, answer) -> Path:
    """Write ratings into a sheet: `answer(item, rater)` gives a rating, or a rating and a comment, or nothing."""
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        said = answer(row["item"], row["rater"]) or ""
        row["rating"], row["comment"] = said if isinstance(said, tuple) else (said, "")
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return sheet


def places(folder: Path, task: str) -> dict[str, tuple[int, str]]:
    """Item to its pair's place and the side shown (first)."""
    return {item.id: (item.pair, item.first) for item in read_study(folder).task(task).items}
