"""Single reports on which another wording of the reference moves a score most."""

from __future__ import annotations

import polars as pl

from perimetry.protocols.references.findings import Findings
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.reports import Passage, PassageGroup, PassagesBlock, number_text
from perimetry.reports.charts.references import condition_name

__all__ = ["examples"]

PER_VARIATION = 2


def examples(findings: Findings) -> PassagesBlock:
    """For every variation the reports that move most, over all metrics in standard deviations of their shifts."""
    moved = _moved(findings)
    sets = {one.name: one for one in findings.material.sets}
    groups = []
    for variation in findings.material.variations:
        here = moved.filter(pl.col("condition") == variation).sort(
            "size", "id", "system", descending=[True, False, False]
        )
        seen: set[str] = set()
        for row in here.iter_rows(named=True):
            if len(seen) == PER_VARIATION:
                break
            if row["id"] in seen:
                continue
            seen.add(row["id"])
            one = sets[row["dataset"]]
            place = one.reports.ids.index(row["id"])
            facts = tuple(
                (each.label, " → ".join(number_text(row.get(f"{each.label}{end}"), 3) for end in ("", "_after")))
                for each in findings.metrics
            )
            groups.append(
                PassageGroup(
                    row["id"],
                    f"{condition_name(variation)}, {row['system']}",
                    (
                        Passage("Reference", one.reports.references[place], reference=True),
                        Passage("Alternative", one.alternatives.written[variation][place], reference=True),
                        Passage(row["system"], one.reports.systems[row["system"]][place], facts=facts),
                    ),
                )
            )
    caption = "Scores of the system's report: against the reference → against the alternative."
    return PassagesBlock(tuple(groups), caption, "Side by side", opened=2)


def _moved(findings: Findings) -> pl.DataFrame:
    keys = ["dataset", "id", "system", "condition"]
    joined: pl.DataFrame | None = None
    for one in findings.metrics:
        before = one.scores.filter(pl.col("condition") == ORIGINAL).select("dataset", "id", "system", "value")
        after = one.scores.filter(pl.col("condition") != ORIGINAL).select(*keys, pl.col("value").alias("after"))
        both = after.join(before, on=["dataset", "id", "system"], how="inner")
        gap = (pl.col("after") - pl.col("value")).abs()
        table = both.select(
            *keys,
            pl.col("value").alias(one.label),
            pl.col("after").alias(f"{one.label}_after"),
            (gap / (gap.std() + 1e-12)).fill_null(0.0).alias(f"{one.label} size"),
        )
        joined = table if joined is None else joined.join(table, on=keys, how="left")
    assert joined is not None
    sizes = [pl.col(f"{one.label} size").fill_null(0.0).fill_nan(0.0) for one in findings.metrics]
    return joined.with_columns(pl.sum_horizontal(sizes).round(9).alias("size"))
