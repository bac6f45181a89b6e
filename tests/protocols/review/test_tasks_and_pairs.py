"""Questions from a file, and pairs from tables and from what rewriting leaves."""

import json

import polars as pl
import pytest
from tests.protocols.review.made_up import fill, sheets, write_pairs

from perimetry.cases.errors import DataError, UsageError
from perimetry.protocols.review import export_review, import_ratings, read_pairs, read_task, summarise
from perimetry.protocols.review.task import SHIPPED

TASK = """
name = "stem_kept"
title = "Edited stems"
question = "Is the item still answerable?"
shows = "alternative"
[[ratings]]
value = "yes"
score = 1
[[ratings]]
value = "no"
score = 0
"""


def test_shipped_tasks_are_those_of_the_paper():
    realism, equivalence = (read_task(name) for name in SHIPPED)
    assert realism.scores == {"3": 3.0, "2": 2.0, "1": 1.0}
    assert (realism.shows, equivalence.shows) == ("each", "pair")
    assert equivalence.values == ("equivalent", "minor", "major")


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_question_of_ones_own_runs_from_end_to_end(tmp_path, suffix):
    import tomllib

    file = tmp_path / f"task.{suffix}"
    file.write_text(TASK if suffix == "toml" else json.dumps(tomllib.loads(TASK)))
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["d"], ["stem"], 4)
    export_review(pairs, tmp_path / "review", tasks=[str(file)], raters=["ann", "bob"])
    sheet = (tmp_path / "review" / "round-1" / "ann" / "stem_kept.csv").read_text()
    assert "Normal heart" in sheet
    assert "Heart size" not in sheet
    import_ratings(tmp_path / "review", [fill(one, lambda *_: "yes") for one in sheets(tmp_path / "review")])
    result = summarise(tmp_path / "review", resamples=20)
    rows = {(row.metric, row.condition): row.value for row in result.estimates if row.stratum == "all"}
    assert rows["stem_kept=yes", "alternative"] == 1.0
    # Without an order there is neither a mean score nor a weighted kappa.
    assert not {"stem_kept", "kappa_linear"} & {metric for metric, _ in rows}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("stem_kept", "Stem kept", "name: found 'Stem kept', expected lower-case"),
        ('shows = "alternative"', 'shows = "both"', "shows: found 'both', expected one of each, alternative, pair"),
        ('title = "Edited stems"', "", "title: found 'None', expected a text"),
        ("score = 1", 'score = "high"', "rating 1, score: found 'high', expected a number"),
        ("score = 0", "score = 2", "do not fall. Put the best rating first"),
        ("score = 0", "score = nan", "expected a finite number"),
        ('value = "no"', 'value = "YES"', "rating 2: 'yes' names 'yes' already"),
        ('shows = "alternative"', 'colour = "red"', "unknown fields colour; expected name, title"),
        ('[[ratings]]\nvalue = "no"\nscore = 0', "", "ratings: found 1, expected a list of two or more"),
        ('shows = "alternative"', 'ordered = "yes"', "ordered: found 'yes', expected true or false"),
        ('shows = "alternative"', "guide = 3", "guide: found 3, expected a list of texts"),
        ("name =", "name", "cannot be read as TOML"),
    ],
)
def test_a_task_file_with_a_fault_is_named(tmp_path, old, new, told):
    file = tmp_path / "task.toml"
    assert old in TASK
    file.write_text(TASK.replace(old, new))
    with pytest.raises(DataError, match=told) as raised:
        read_task(str(file))
    assert "task.toml" in str(raised.value)


def test_a_task_that_is_neither_shipped_nor_a_file(tmp_path):
    with pytest.raises(UsageError, match="Did you mean equivalence"):
        read_task("equivalent")
    with pytest.raises(DataError, match="There is no task file"):
        read_task(str(tmp_path / "none.toml"))


def test_pairs_of_a_rewriting(tmp_path):
    from perimetry.editing.edit import Edit, Task
    from perimetry.editing.references.alternative import Alternative, row
    from perimetry.editing.references.report import ReportText
    from perimetry.editing.references.taxonomy import targets

    original = ReportText("Lungs are clear.", "Normal.")
    (target,) = targets("hedging")
    edit = Edit(Task("s1", target.spelling, original), (), "infeasible", "rules", "no hedge")
    left = row(Alternative("s1", "iu-xray", "p1", (target,), original, (edit,)))
    kept = left | {"id": "s2", "status": "accepted", "alternative": {"findings": "Clear lungs.", "impression": ""}}
    (tmp_path / "alternatives.jsonl").write_text(f"{json.dumps(left)}\n{json.dumps(kept)}\n")
    (pair,), out = read_pairs(tmp_path)
    assert (pair.dataset, pair.case_id, pair.variation, pair.group) == ("iu-xray", "s2", "hedging:alternative", "p1")
    assert pair.original == "FINDINGS:\nLungs are clear.\n\nIMPRESSION:\nNormal."
    assert pair.alternative == "FINDINGS:\nClear lungs."
    assert "verdicts" in pair.more
    assert [(one.reason, one.count, one.examples) for one in out] == [("status infeasible", 1, ("s1",))]


def test_sections_in_columns_of_their_own(tmp_path):
    frame = pl.DataFrame(
        {
            "id": ["1"],
            "target": ["hedging:alternative"],
            "original_findings": ["a"],
            "original_impression": [None],
            "alternative_findings": ["b"],
            "alternative_impression": ["c"],
        }
    )
    frame.write_parquet(tmp_path / "alternatives.parquet")
    (pair,), _ = read_pairs(tmp_path)
    assert (pair.original, pair.alternative) == ("FINDINGS:\na", "FINDINGS:\nb\n\nIMPRESSION:\nc")
    assert pair.more == {}


def test_axis_and_variation_in_two_columns(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("case,axis,variation,original,alternative\n1,hedging,alternative,a,b\n2,negation,,a,b\n")
    pairs, _ = read_pairs(file)
    assert [pair.variation for pair in pairs] == ["hedging:alternative", "negation"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("id,target,original\n1,x,a\n", "has no column 'alternative'; it has id, target, original"),
        ("id,target,original,alternative\n,x,a,b\n", "record 1, id: found nothing"),
        ("id,target,original,alternative\n1,x,a,b\n1,x,a,c\n", "record 2: 1 has a second alternative under 'x'"),
        (
            "id,target,original,alternative\n1,x,a,a\n2,x,,b\n",
            "no pair to rate: 1 of alternative is the original; 1 of no",
        ),
    ],
)
def test_tables_that_hold_no_pairs(tmp_path, content, told):
    (tmp_path / "pairs.csv").write_text(content)
    with pytest.raises(DataError, match=told):
        read_pairs(tmp_path / "pairs.csv")


def test_a_folder_without_pairs(tmp_path):
    with pytest.raises(DataError, match=r"has none of alternatives.jsonl.*is empty"):
        read_pairs(tmp_path)
