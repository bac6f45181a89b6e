"""Which reports are shown: those that differ most, whatever the order of rows."""

from __future__ import annotations

import numpy as np
import polars as pl
from tests.protocols.score.standins import Overlap, Words

from perimetry.protocols.score.examples import choose_examples, standings
from perimetry.protocols.score.reports import read_reports
from perimetry.protocols.score.running import named_metrics, run_metrics


def scored_of(table, metrics, systems=("a", "b")):
    reports = read_reports(table, reference="gold", systems=list(systems), id_column="id")
    return run_metrics(reports, named_metrics(metrics))


def table_of(rows=30):
    gold = ["there is edema and the heart is large"] * rows
    a = list(gold)
    b = list(gold)
    b[4] = "nothing to say at all"  # the systems differ here
    a[9] = b[9] = "there is and the heart is large"  # words are near, the finding is lost
    return pl.DataFrame({"id": [f"{row:02d}" for row in range(rows)], "gold": gold, "a": a, "b": b})


def test_standings_run_from_worst_to_best():
    placed = standings(scored_of(table_of(), [Overlap()]))["overlap"]
    assert placed.shape == (2, 30)
    assert placed.min() == placed[1, 4]
    assert ((placed >= 0) & (placed <= 1)).all()


def test_lower_is_better_turns_standings():
    up = standings(scored_of(table_of(), [Overlap()]))["overlap"]
    down = standings(scored_of(table_of(), [Overlap(direction="lower")]))["overlap"]
    assert np.allclose(up, 1 - down)


def test_the_systems_differ_and_the_metrics_differ():
    scored = scored_of(table_of(), [Overlap(), Words()])
    chosen = choose_examples(scored, per_kind=1)
    assert [(scored.reports.ids[one.row], one.note.partition(":")[0]) for one in chosen] == [
        ("04", "the systems differ"),
        ("09", "the metrics differ"),
    ]
    assert "a best, b worst" in chosen[0].note
    assert "by overlap, in the lower" in chosen[1].note


def test_the_order_of_rows_decides_nothing():
    table = table_of()
    there = scored_of(table, [Overlap(), Words()])
    back = scored_of(table.reverse(), [Overlap(), Words()])
    chosen = [[(scored.reports.ids[one.row], one.note) for one in choose_examples(scored)] for scored in (there, back)]
    assert chosen[0] == chosen[1]
    assert len({identity for identity, _ in chosen[0]}) == len(chosen[0])


def test_one_system_shows_its_best_and_worst():
    table = table_of().with_columns(b=pl.Series([f"there {'is ' * (row % 2)}x{row}" for row in range(30)]))
    notes = [one.note for one in choose_examples(scored_of(table, [Overlap()], ["b"]))]
    assert {note.split(" over")[0] for note in notes} == {"among the worst", "among the best"}


def test_nothing_to_choose_by_shows_the_first():
    same = pl.DataFrame({"id": ["1", "2"], "gold": ["x", "x"], "a": ["x", "x"], "b": ["x", "x"]})
    assert [one.row for one in choose_examples(scored_of(same, [Overlap()]))] == [0, 1]
