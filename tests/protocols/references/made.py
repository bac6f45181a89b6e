"""Made-up reports in the form of public releases, with alternatives by small rules of their own."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SENTENCES = (
    "the lungs are clear",
    "no pleural effusion",
    "no pneumothorax",
    "heart size is normal",
    "there is cardiomegaly",
    "small left pleural effusion",
    "possible right basilar atelectasis",
    "a 5 mm nodule in the right upper lobe",
    "mediastinal contours are unremarkable",
    "degenerative changes of the spine",
    "stable cardiomediastinal silhouette",
    "mild interstitial edema may be present",
)
SWAPS = (("pleural effusion", "fluid in the pleural space"), ("cardiomegaly", "an enlarged heart"), ("clear", "free"))
NORMAL = ("the lungs", "no ", "heart size", "mediastinal", "stable")


def joined(sentences: list[str]) -> str:
    return " . ".join(sentences) + " ."


def studies(count: int, seed: int, systems: tuple[str, ...]) -> list[dict[str, str]]:
    """Rows of references and systems; systems keep, lose and add sentences, each in its own measure."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        said = draw.sample(SENTENCES, draw.randint(2, 6))
        row = {"id": f"s{seed}-{number:03d}", "group": f"p{seed}-{number // 2:03d}", "findings": joined(said)}
        for place, system in enumerate(systems):
            kept = [each for each in said if draw.random() < 0.75 - 0.12 * place]
            row[system] = joined(kept + draw.sample(SENTENCES, 1 + place % 2))
        rows.append(row)
    return rows


def alternatives(rows: list[dict[str, str]]) -> list[dict[str, object]]:
    """Three variations; where one is not possible the row says so."""
    found: list[dict[str, object]] = []
    for row in rows:
        said = row["findings"].removesuffix(" .").split(" . ")
        minimal = [each for each in said if not each.startswith(NORMAL)]
        other = row["findings"]
        for old, new in SWAPS:
            other = other.replace(old, new)
        for target, text in (
            ("findings_scope:minimal", joined(minimal) if minimal and minimal != said else None),
            ("terminology:alternative", other if other != row["findings"] else None),
            ("structure:structured", " ".join(f"{n} . {each} ." for n, each in enumerate(said, 1))),
        ):
            found.append(
                {
                    "id": row["id"],
                    "target": target,
                    "status": "infeasible" if text is None else "accepted",
                    "original": {"findings": row["findings"], "impression": ""},
                    "alternative": None if text is None else {"findings": text, "impression": ""},
                }
            )
    return found


def write_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def one_set(
    folder: Path, count: int = 40, seed: int = 1, systems: tuple[str, ...] = ("one", "two", "three")
) -> dict[str, Any]:
    """Files of one data set: studies, systems, alternatives."""
    rows = studies(count, seed, systems)
    own = [{"id": row["id"], "group": row["group"], "findings": row["findings"]} for row in rows]
    theirs = [{"id": row["id"], **{system: row[system] for system in systems}} for row in rows]
    return {
        "rows": rows,
        "alternatives": alternatives(rows),
        "data": f"table:{write_lines(folder / 'studies.jsonl', own)},name=set{seed}",
        "systems": f"{write_lines(folder / 'systems.jsonl', theirs)}:{','.join(systems)}",
        "folder": write_lines(folder / "rewritten" / "alternatives.jsonl", alternatives(rows)).parent,
    }
