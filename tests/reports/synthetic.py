"""A made-up estimates table in the form that scoring writes, and browser cases to go with it."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from PIL import Image

from perimetry.reports import BrowserAnswer, BrowserCase, Flag

SCHEMA = {
    "protocol": pl.String, "dataset": pl.String, "model": pl.String, "metric": pl.String, "condition": pl.String,
    "comparator": pl.String, "stratum": pl.String, "value": pl.Float64, "ci_low": pl.Float64, "ci_high": pl.Float64,
    "level": pl.Float64, "n": pl.Int64, "groups": pl.Int64, "missing": pl.Int64, "p_value": pl.Float64,
    "p_holm": pl.Float64, "p_positive": pl.Float64, "direction": pl.String, "version": pl.String,
    "method": pl.String, "seed": pl.Int64,
}  # fmt: skip

CONDITIONS = ("real", "retest", "hardneg", "mismatch", "blank", "shuffle", "noimage")
SHARES = ("is_pred", "retest_agreement", "vbr", "vhr")
LOWER = ("is_pred", "vhr")


def estimates(
    models: Sequence[str], datasets: Sequence[str], holes: Sequence[tuple[str, str, str]] = ()
) -> pl.DataFrame:
    """Estimates of every metric; `holes` are (model, dataset, metric) whose value is missing."""
    rows: list[dict[str, Any]] = []
    for d, dataset in enumerate([*datasets, "macro"]):
        width = 0.05 if dataset != "macro" else 0.05 / math.sqrt(len(datasets))
        for m, model in enumerate(models):
            use = 0.28 * (1 - m / max(1, len(models) - 1)) - 0.02 + 0.03 * math.sin(3 * m + 2 * d)
            base = 0.42 + 0.02 * m + 0.04 * math.cos(d)
            values = {
                ("accuracy", c): base + use * share
                for c, share in zip(CONDITIONS, (1, 0.98, 0.4, 0.3, 0.1, 0, 0.05), strict=True)
            }
            values |= {("vrs", ""): use, ("bd", ""): use * 0.9, ("hn_gap", ""): use * 0.6, ("is_excess", ""): use * 0.8}
            values |= {
                ("is_pred", ""): 0.9 - use,
                ("retest_agreement", ""): 0.93,
                ("vbr", ""): 0.1 + use / 2,
                ("vhr", ""): 0.1,
            }
            for (metric, condition), value in values.items():
                rows.append(row(dataset, model, metric, condition, "", value, width, holes))
            if m:
                for metric, condition in values:
                    delta = values[metric, condition] - 0.45
                    rows.append(
                        row(
                            dataset,
                            model,
                            metric,
                            condition or f"model:{model}",
                            f"model:{models[0]}",
                            delta,
                            width,
                            holes,
                        )
                    )
        rows.append(row(dataset, "", "majority", "", "", 0.47, width, holes))
        rows.append(row(dataset, "", "chance", "", "", 0.4, width, holes))
    return pl.DataFrame(rows, schema=SCHEMA)


def row(dataset, model, metric, condition, comparator, value, width, holes) -> dict[str, Any]:
    hole = (model, dataset, metric) in holes
    return {
        "protocol": "counterfactual", "dataset": dataset, "model": model or None, "metric": metric,
        "condition": condition or None, "comparator": comparator or None, "stratum": "all",
        "value": None if hole else value,
        "ci_low": None if hole else value - width, "ci_high": None if hole else value + width,
        "level": 0.95, "n": 451, "groups": 203, "missing": 3, "p_value": 0.012, "p_holm": None, "p_positive": 0.99,
        "direction": "lower" if metric in LOWER else "higher", "version": "1", "method": "bootstrap", "seed": 42,
    }  # fmt: skip


def picture(seed: int, size: tuple[int, int] = (300, 260)) -> bytes:
    """A grey PNG with a soft disc."""
    y, x = np.mgrid[0 : size[0], 0 : size[1]]
    disc = 200 * np.exp(-(((x - 90 - seed % 80) / 60) ** 2 + ((y - 130) / 80) ** 2)) + (x * 7 + y * 3 + seed) % 23
    out = io.BytesIO()
    Image.fromarray(disc.clip(0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def answer(model: str, condition: str, said: str, parsed: bool, text: str, length: int) -> BrowserAnswer:
    """One answer whose key is A."""
    output = f"{text}The answer is {said}. " + "Because of the opacity. " * length
    if not parsed:
        return BrowserAnswer(model, condition, output, None, "none", None)
    return BrowserAnswer(model, condition, output, said, "phrase", said == "A")


def browser_cases(models: Sequence[str], count: int, dataset: str = "vqa_rad", text: str = ""):
    """Yield cases one by one."""
    conditions = ("real", "hardneg", "blank", "shuffle", "noimage")
    for i in range(count):
        answers = [
            answer(model, condition, "B" if (i + m + c) % 3 else "A", (i + c) % 7 > 0, text, 60 if c == 0 else 3)
            for m, model in enumerate(models)
            for c, condition in enumerate(conditions)
        ]
        yield BrowserCase(
            f"case-{i:03d}",
            dataset if i % 2 else f"{dataset}_b",
            f"{text}Is there an effusion on the left side in image number {i}?",
            "A",
            (("A", f"{text}yes"), ("B", "no")),
            {c: (picture(i * 10 + k),) for k, c in enumerate(conditions) if c != "noimage"},
            tuple(answers),
            (Flag("right only with shuffle", models[i % len(models)]),) if i % 3 == 0 else (),
        )
