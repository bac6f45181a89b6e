"""The paper's consensus rules on hand-worked cases, from hand-out to estimates."""

import polars as pl
import pytest
from tests.protocols.review.made_up import fill, places, sheets, write_pairs

from perimetry.cases.errors import UsageError
from perimetry.protocols.review import export_next, export_review, import_ratings, summarise

# Ratings in the order asked, the consensus and how it came about, worked out by hand from section 2.3.
CASES: list[tuple[list[str | None], str | None, str]] = [
    (["equivalent", "equivalent"], "equivalent", "unanimous"),
    (["major", "major"], "major", "unanimous"),
    (["equivalent", "minor", "equivalent"], "equivalent", "majority"),
    (["equivalent", "minor", "minor"], "minor", "majority"),
    (["major", "equivalent", "major"], "major", "majority"),
    (["equivalent", "minor", "major", "minor"], "minor", "adjudicated"),
    (["minor", "major", "equivalent", "major"], "major", "adjudicated"),
    (["major", "equivalent", "minor", "equivalent"], "equivalent", "adjudicated"),
    (["equivalent", "minor"], None, "needs third"),
    (["equivalent", "minor", "major"], None, "needs fourth"),
    (["equivalent"], None, "needs second"),
    ([None, "equivalent"], None, "needs second"),
    ([], None, "needs first"),
]


def rated(folder, script, adjudicators=("dave",)):
    """Run a study by a script: pair's place to its ratings in the order asked."""
    order = {"ann": 0, "bob": 1, "carol": 2, "dave": 3}
    pair_of = places(folder, "equivalence")

    def answer(item, rater):
        said = script[pair_of[item][0]]
        return said[order[rater]] if order[rater] < len(said) else None

    for number, step in enumerate([None, {"raters": ["carol"]}, {"adjudicators": adjudicators}], start=1):
        if step is not None:
            try:
                export_next(folder, **step)
            except UsageError:
                continue
        import_ratings(folder, [fill(sheet, answer) for sheet in sheets(folder, number)])


def test_hand_worked_cases(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], each=len(CASES))
    folder = tmp_path / "review"
    export_review(pairs, folder, tasks=["equivalence"], raters=["ann", "bob"])
    rated(folder, [said for said, _, _ in CASES])
    settled = summarise(folder, resamples=20).settled
    found = {each.item.pair: (each.value, each.how) for each in settled}
    assert [found[place] for place in range(len(CASES))] == [(value, how) for _, value, how in CASES]


def test_third_and_fourth_go_only_to_what_is_disputed(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], each=len(CASES))
    folder = tmp_path / "review"
    export_review(pairs, folder, tasks=["equivalence"], raters=["ann", "bob"])
    rated(folder, [said for said, _, _ in CASES], adjudicators=["dave"])
    pair_of = places(folder, "equivalence")
    asked: dict[str, set[int]] = {step: set() for step in ("third", "fourth")}
    for deal in summarise(folder, resamples=20).study.deals:
        if deal.step in asked:
            asked[deal.step] |= {pair_of[item][0] for item in deal.items}
    both = [place for place, (said, _, _) in enumerate(CASES) if len(said) > 1 and None not in said[:2]]
    assert asked["third"] == {place for place in both if CASES[place][0][0] != CASES[place][0][1]}
    assert asked["fourth"] == {place for place in both if len(set(CASES[place][0][:3])) == 3}


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """480 pairs rated so that the counts are those of section 4.1."""
    folder = tmp_path_factory.mktemp("paper")
    review = folder / "review"
    export_review(write_pairs(folder / "pairs.jsonl"), review, raters=["ann", "bob"])
    plan = {}
    values = ["3"] * 960
    for place in range(35):  # 35 alternatives are rated lower than their originals: 445 of 480 are not
        values[2 * place + 1] = "2"
    hows = ["unanimous"] * 567 + ["majority"] * 345 + ["adjudicated"] * 48
    for item, (place, side) in places(review, "realism").items():
        number = 2 * place + (side == "alternative")
        plan[item] = ratings_for(values[number], hows[number], ["3", "2", "1"])
    values = ["major"] * 6 + ["minor"] * 45 + ["equivalent"] * 429
    hows = ["adjudicated"] * 11 + ["majority"] * 140 + ["unanimous"] * 329
    for item, (place, _) in places(review, "equivalence").items():
        plan[item] = ratings_for(values[place], hows[place], ["equivalent", "minor", "major"])
    order = {"ann": 0, "bob": 1, "carol": 2, "dave": 3}

    def answer(item, rater):
        return plan[item][order[rater]]

    import_ratings(review, [fill(sheet, answer) for sheet in sheets(review)])
    export_next(review, raters=["carol"])
    import_ratings(review, [fill(sheet, answer) for sheet in sheets(review, 2)])
    export_next(review, adjudicators=["dave"])
    import_ratings(review, [fill(sheet, answer) for sheet in sheets(review, 3)])
    return summarise(review, resamples=200, release=True), plan


def ratings_for(value, how, known):
    other = next(each for each in known if each != value)
    return {"unanimous": [value, value], "majority": [value, other, value], "adjudicated": [*known, value]}[how]


def cell(result, metric, condition, comparator=None, stratum="all"):
    table = pl.read_parquet(result.path / "estimates.parquet")
    found = table.filter(
        (pl.col("metric") == metric)
        & (pl.col("condition") == condition)
        & (pl.col("comparator") == (comparator or ""))
        & (pl.col("dataset") == "pooled")
        & (pl.col("stratum") == stratum)
    )
    assert found.height == 1
    return found.row(0, named=True)


@pytest.mark.parametrize(
    ("metric", "condition", "comparator", "value"),
    [
        ("realism_no_worse", "alternative", "original", 445 / 480),
        ("realism", "alternative", "original", -35 / 480),
        ("realism=3", "original", None, 1.0),
        ("realism=2", "alternative", None, 35 / 480),
        ("agreement_unanimous", "realism", None, 567 / 960),
        ("agreement_majority", "realism", None, 345 / 960),
        ("agreement_adjudicated", "realism", None, 48 / 960),
        ("equivalence=equivalent", "pair", None, 429 / 480),
        ("equivalence=minor", "pair", None, 45 / 480),
        ("equivalence=major", "pair", None, 6 / 480),
        ("agreement_unanimous", "equivalence", None, 329 / 480),
        ("agreement_majority", "equivalence", None, 140 / 480),
        ("agreement_adjudicated", "equivalence", None, 11 / 480),
    ],
)
def test_a_study_with_the_papers_counts_gives_its_shares(paper, metric, condition, comparator, value):
    row = cell(paper[0], metric, condition, comparator)
    assert row["value"] == pytest.approx(value, abs=1e-12)
    assert row["ci_low"] <= row["value"] <= row["ci_high"]
    assert row["missing"] == 0


def test_every_variation_has_its_own_row(paper):
    result, _ = paper
    consensus = pl.read_parquet(result.path / "consensus.parquet")
    wide = consensus.filter(pl.col("task") == "equivalence")
    for (variation,), rows in wide.group_by("variation"):
        share = (rows["consensus"] == "minor").mean()
        row = cell(result, "equivalence=minor", "pair", stratum=variation)
        assert row["value"] == pytest.approx(share)
        assert row["n"] == 40


def test_kappa_is_that_of_scikit_learn(paper):
    from sklearn.metrics import cohen_kappa_score

    result, plan = paper
    for task, known in (("realism", ["3", "2", "1"]), ("equivalence", ["equivalent", "minor", "major"])):
        both = [said[:2] for item, said in plan.items() if item.startswith(task)]
        left, right = zip(*both, strict=True)
        plain = cohen_kappa_score(left, right, labels=known)
        weighted = cohen_kappa_score(left, right, labels=known, weights="linear")
        assert cell(result, "kappa", task)["value"] == pytest.approx(plain)
        assert cell(result, "kappa_linear", task)["value"] == pytest.approx(weighted)
        assert cell(result, "agreement_first_two", task)["value"] == pytest.approx(
            sum(a == b for a, b in both) / len(both)
        )


def test_a_share_of_nothing_or_all_has_wilsons_interval(paper):
    row = cell(paper[0], "realism=3", "original")
    # 40 groups: four data sets of ten studies, each under every variation.
    assert (row["groups"], row["ci_high"]) == (40, 1.0)
    assert row["ci_low"] == pytest.approx(40 / (40 + 1.959964**2), abs=1e-5)
    assert "Wilson" in row["method"]


def test_the_released_set_holds_texts_verdicts_and_ratings_without_names(paper):
    result, _ = paper
    rows = pl.read_ndjson(result.released).to_dicts()
    assert len(rows) == 480
    one = rows[0]
    assert one["original"].startswith("Heart size")
    assert one["verdicts"] == [{"by": "rules"}]
    assert {(each["task"], each["side"]) for each in one["ratings"]} == {
        ("realism", "original"),
        ("realism", "alternative"),
        ("equivalence", "pair"),
    }
    text = result.released.read_text()
    assert not any(name in text for name in ("ann", "bob", "carol", "dave"))


def test_two_raters_are_compared_on_undisputed_and_disputed_items_alike(paper):
    result, _ = paper
    twos = {(row.model, row.comparator) for row in result.estimates if row.comparator.startswith("model:")}
    # Third and fourth raters saw disputed items only: their agreement with the others would say nothing.
    assert twos == {("rater:ann", "model:rater:bob")}
