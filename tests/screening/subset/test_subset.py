"""Subsets of planted data: what is removed and why, before and after, the random filter, the card."""

import hashlib
import json

import numpy as np
import polars as pl
import pytest
from tests.screening.guessers.planted import drawn_items, planted_ids, with_cue
from tests.screening.tiers import folders

from perimetry.cases.errors import UsageError
from perimetry.screening.guessers import guess
from perimetry.screening.subset import make_subset, random_filter
from perimetry.statistics import uniform


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A fifth of 300 items has a cue on the key; a model answers these from text, and guesses the others.

    Screens found the cue, as `perimetry screen` would write it down.
    """
    home = tmp_path_factory.mktemp("planted")
    items = drawn_items(300)
    cued = planted_ids(items, 0.2)
    items = [with_cue(item, "word") if item.id in cued else item for item in items]
    rows = [
        {
            "id": item.id,
            "image": f"{item.id}.png",
            "question": item.stem,
            "options": [text for _, text in item.options],
            "answer": item.keys[0],
            "group": item.group,
        }
        for item in items
    ]
    table = home / "mine.jsonl"
    table.write_text("\n".join(json.dumps(row) for row in rows))
    guess(f"table:{table},name=d", out=home / "guesses", shuffles=0, resamples=100)
    folders.screens(
        home / "screens", [{"case_id": it, "cue": "classical-words", "severity": "high"} for it in sorted(cued)]
    )
    answers = []
    for repeat in range(4):
        lucky = uniform(1, "lucky", repeat, size=len(items)) < 0.2
        answers += [
            {
                "case_id": item.id,
                "group": item.group,
                "condition": condition,
                "repeat": repeat,
                "correct": item.id in cued or bool(luck),
            }
            for item, luck in zip(items, lucky, strict=True)
            for condition in ("textonly", "optionsonly")
        ]
    folders.outcomes(home / "run", answers)
    return home, cued


@pytest.fixture(scope="module")
def made(planted):
    home, _ = planted
    return make_subset(
        [home / "guesses", home / "screens", home / "run"],
        out=home / "subset",
        resamples=2000,
        command="perimetry subset",
    )


def row(made, who, setting, *, chose=False):
    return next(
        it for it in made.card["accuracy"] if (it["who"], it["setting"], it["chose_items"]) == (who, setting, chose)
    )


def test_planted_items_are_removed_and_the_rest_is_kept(planted, made):
    _, cued = planted
    out = set(made.items.filter(~pl.col("kept"))["case_id"])
    assert cued <= out
    # Two of two lucky answers have a probability of 4%, in either of two settings.
    assert len(out - cued) < 0.12 * 240


def test_every_removal_has_a_reason_with_its_evidence(planted, made):
    _, cued = planted
    removed = made.items.filter(~pl.col("kept"))
    assert (removed["reasons"] != "").all()
    assert (made.items.filter("kept")["reasons"] == "").all()
    reasons = made.choice.reasons.filter(pl.col("case_id").is_in(cued) & (pl.col("rule") == "cue with evidence"))
    assert set(reasons["case_id"]) == cued
    assert set(reasons["cue"]) == {"classical-words"}
    assert reasons["evidence"].str.starts_with("ablation-supported by").all()


def test_before_and_after_come_from_answers_that_did_not_choose(planted, made):
    home, _ = planted
    held = row(made, "m", "textonly")
    # Recomputed from the run: repeats 0 and 1 choose, 2 and 3 report.
    answers = pl.read_parquet(home / "run" / "outcomes.parquet").filter(
        (pl.col("condition") == "textonly") & (pl.col("repeat") >= 2)
    )
    kept = made.items.filter("kept")["case_id"]
    assert held["before"][0] == pytest.approx(answers["correct"].to_numpy().mean())
    after = answers.filter(pl.col("case_id").is_in(kept.implode()))["correct"].to_numpy().mean()
    assert held["after"][0] == pytest.approx(after)
    assert held["change"][0] == pytest.approx(after - answers["correct"].to_numpy().mean())
    assert held["change"][2] < 0
    # Chance of the kept items, since what led beyond it is gone.
    assert held["after"][1] < 0.2 < held["after"][2]
    # Of the answers that chose, lucky ones are gone too: they fall below chance, and are shown apart.
    assert row(made, "m", "textonly", chose=True)["after"][0] < held["after"][0]


def test_a_random_filter_of_the_same_size_shows_no_drop(made):
    kept = made.choice.kept.to_numpy()
    chosen = random_filter(made.inputs.items["dataset"].to_list(), kept, 42, 0)
    assert chosen.sum() == kept.sum()
    for it in made.card["accuracy"]:
        if it["who"] != "chance" and not it["chose_items"]:
            assert it["random"][1] <= 0 <= it["random"][2]
            assert it["p_random"] < 0.01


def test_a_filter_that_is_random_is_told_from_no_other(planted, tmp_path):
    home, _ = planted
    table = pl.read_parquet(home / "guesses" / "predictions.parquet")
    # Images are taken from a fifth of the items by lot: the rule removes them whatever they are.
    lot = pl.Series(uniform(5, "lot", size=300) < 0.2)
    by_item = table.filter(pl.col("guesser") == "options").select("case_id").with_columns(lot.alias("bare"))
    bare = table.join(by_item, on="case_id", maintain_order="left")
    images = pl.when("bare").then(0).otherwise(1).cast(pl.Int64).alias("images")
    folders.written(tmp_path / "guesses", "predictions", bare.with_columns(images).drop("bare"), "guess.toml")
    rules = tmp_path / "rules.toml"
    rules.write_text('version = 1\nname = "bare"\n[[rule]]\nname = "no image"\nwhen = "images"\n')
    made = make_subset([tmp_path / "guesses", home / "run"], rules=rules, resamples=500)
    assert made.card["counts"]["removed"] == int(lot.sum())
    for it in made.card["accuracy"]:
        if it["who"] != "chance":
            assert it["change"][1] <= 0 <= it["change"][2]
            assert it["p_random"] > 0.05


def test_the_random_filter_is_the_mean_of_many_with_their_range(made):
    held = row(made, "m", "textonly")
    rows = made.inputs.answers.filter((pl.col("setting") == "textonly") & (pl.col("repeat") >= 2))
    means = rows.group_by("case_id").agg(pl.col("correct").mean())
    correct = made.inputs.items.join(means, on="case_id", how="left", maintain_order="left")["correct"].to_numpy()
    kept = made.choice.kept.to_numpy().astype(bool)
    # By the formula of sampling without replacement, not by drawing.
    spread = np.sqrt(correct.var(ddof=1) * (1 / kept.sum() - 1 / len(kept)))
    assert abs(held["random"][0]) < 4 * spread / np.sqrt(1000)
    assert held["random"][1] == pytest.approx(-1.96 * spread, rel=0.15)
    assert held["random"][2] == pytest.approx(1.96 * spread, rel=0.15)


def test_few_kept_items_are_marked(tmp_path):
    rows = [{"case_id": f"{n}", "correct": True, "images": int(n < 2)} for n in range(40)]
    folders.guesses(tmp_path / "guesses", rows)
    made = make_subset([tmp_path / "guesses"], out=tmp_path / "subset", resamples=100)
    assert any(it.startswith("d: only 2 items are kept, fewer than 30") for it in made.card["notes"])
    assert row(made, "guesser:options", "optionsonly")["items_after"] == 2
    assert "(2 items only)" in (tmp_path / "subset" / "card.md").read_text()


def test_enough_kept_items_are_not_marked(planted, made):
    home, _ = planted
    assert not any("only" in it for it in made.card["notes"])
    assert "items only)" not in (home / "subset" / "card.md").read_text()


def test_random_filters_keep_as_many_of_each_data_set():
    datasets = ["a"] * 50 + ["b"] * 30
    kept = np.arange(80) % 3 == 0
    first, second = (random_filter(datasets, kept, 42, draw) for draw in (1, 2))
    for chosen in (first, second):
        assert (chosen[:50].sum(), chosen[50:].sum()) == (kept[:50].sum(), kept[50:].sum())
    assert (first != second).any()
    alone = random_filter(datasets[:50], kept[:50], 42, 1)
    assert (alone == first[:50]).all()


def test_the_card_says_why_and_what_is_left(planted, made):
    home, _ = planted
    path = home / "subset"
    card = json.loads((path / "card.json").read_text())
    assert "not free of shortcuts" in card["status"]
    by_rule = {it["rule"]: it["items"] for it in card["removed_by"]}
    counted = made.choice.reasons.filter(pl.col("action") == "exclude").select("case_id", "rule").unique()
    assert {rule: count for rule, count in by_rule.items() if count} == dict(counted.group_by("rule").len().iter_rows())
    assert card["validation"]["status"] == "not validated by experts"
    assert any(it.startswith("experts") for it in card["missing_evidence"])
    assert card["sources"][0]["redistribution"].startswith(("open", "not known"))
    text = (path / "card.md").read_text()
    for told in (
        "Why items were removed",
        "classical-words",
        "Residual risks",
        "For human review",
        "not free of shortcuts",
    ):
        assert told in text
    page = (path / "report" / "index.html").read_text()
    assert "Why items were removed" in page
    # No text of an item leaves its source.
    assert "as classically described" not in text + page + (path / "items.csv").read_text()


def test_croissant_names_every_column_and_the_digest_of_every_file(planted, made):
    home, _ = planted
    path = home / "subset"
    told = json.loads((path / "croissant.json").read_text())
    fields = [field["name"] for field in told["recordSet"][0]["field"]]
    assert fields == pl.read_csv(path / "items.csv").columns
    for file in told["distribution"]:
        assert file["sha256"] == hashlib.sha256((path / file["contentUrl"]).read_bytes()).hexdigest()


def test_reviewers_can_exclude_and_flag(planted, tmp_path):
    home, cued = planted
    items = sorted(set(made_items(home)) - cued)[:2]
    file = tmp_path / "decisions.csv"
    file.write_text(
        "dataset,case_id,cue,tier,by,disposition\n"
        f"d,{items[0]},splint,shortcut-risk,surgeon B,exclude\n"
        f"d,{items[1]},tube,shortcut-risk,surgeon B,residual risk\n"
    )
    made = make_subset([home / "guesses"], decisions=file, resamples=100)
    table = {row["case_id"]: row for row in made.items.iter_rows(named=True)}
    assert table[items[0]]["reasons"] == "decided by a reviewer"
    assert table[items[1]]["flags"] == "residual risk"
    assert table[items[1]]["validation"] == "surgeon B"
    assert made.card["validation"]["decided_by"] == ["surgeon B"]


def made_items(home):
    return pl.read_parquet(home / "guesses" / "predictions.parquet")["case_id"].to_list()


def test_rules_that_leave_nothing_are_refused(planted, tmp_path):
    home, _ = planted
    rules = tmp_path / "all.toml"
    rules.write_text('version = 1\nname = "all"\n[[rule]]\nname = "many"\nwhen = "images"\nfewer_than = 9\n')
    with pytest.raises(UsageError, match=r"remove all 300 items.*'many' \(300\)"):
        make_subset([home / "guesses"], rules=rules, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sureness_does_not_depend_on_the_number_of_options(tmp_path):
    rows = [{"case_id": f"{n}", "options": 2, "chance": 0.5, "p_answer": 0.55 + 0.3 * (n == 3)} for n in range(6)]
    folders.guesses(tmp_path / "guesses", rows)
    made = make_subset([tmp_path / "guesses"], resamples=100)
    assert made.items.filter(~pl.col("kept"))["case_id"].to_list() == ["3"]
