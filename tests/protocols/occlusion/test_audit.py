"""Whole audits of made-up models whose habits are known: verdict, page, requests, resuming."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.protocols.occlusion.auditing import analysed, prepared
from tests.protocols.occlusion.oracles import Oracle, disturbed, grounded, noisy, steadfast

import perimetry
from perimetry.cases import Image, Study
from perimetry.cases.errors import UsageError
from perimetry.cases.examined import spill as spill_of
from perimetry.cases.sources import FileSource
from perimetry.inference import RequestStore, Settings
from perimetry.protocols.audit import dry_run
from perimetry.protocols.occlusion import OCCLUSION
from perimetry.protocols.occlusion.cautions import cautions
from perimetry.protocols.occlusion.estimates import estimate
from perimetry.runs.asked import Asked
from perimetry.runs.preparation import load_case_sets

DATA = "phantom-studies:n=90,cooccurrence=0.8"
FEW: dict[str, Any] = {
    "strengths": "0,100",
    "classes": "Cardiomegaly,Atelectasis,Pleural Effusion,Edema",
    "min_images": 3,
}


def silent(shown, covered, share, request):
    """Nothing at all where something is covered."""
    return " " if share else sorted(shown)


def failing(shown, covered, share, request):
    """As grounded, with a failure now and then."""
    return (
        None if request.condition == "oco@100" and int(request.id[0], 16) < 4 else grounded(shown, covered, 0, request)
    )


MODELS = {
    "oracle:grounded": Oracle("grounded", grounded),
    "oracle:steadfast": Oracle("steadfast", steadfast),
    "oracle:noisy": Oracle("noisy", noisy),
    "oracle:disturbed": Oracle("disturbed", disturbed(0.1)),
    "oracle:silent": Oracle("silent", silent),
    "oracle:failing": Oracle("failing", failing),
}


@pytest.fixture(autouse=True, scope="module")
def _oracles():
    from perimetry.models import resolve_model

    def resolve(spec, context=None):
        return MODELS.get(spec) or resolve_model(spec, context)

    patch = pytest.MonkeyPatch()
    patch.setattr("perimetry.runs.preparation.resolve_model", resolve)
    patch.setattr("perimetry.protocols.audit.resolve_model", resolve)
    yield
    patch.undo()


def audit(out, *names, data=DATA, **own):
    models = [f"oracle:{name}" for name in names]
    return perimetry.audit("occlusion", data=data, models=models, out=out, **{**FEW, **own}).run


def value(run, model, metric, condition="", stratum="all"):
    rows = run.estimates.filter(
        (pl.col("model") == f"oracle:{model}") & (pl.col("metric") == metric) & (pl.col("stratum") == stratum),
        (pl.col("dataset") == "macro") & ~pl.col("comparator").fill_null("").str.starts_with("model:"),
    )
    return rows.filter(pl.col("condition") == condition)["value"].item() if condition else rows["value"].item()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return audit(tmp_path_factory.mktemp("run"), "grounded", "steadfast", "noisy")


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Readers with odd habits, on findings larger than what a random cover takes in."""
    own = {"data": "phantom-studies:n=180", "classes": "Cardiomegaly"}
    return audit(tmp_path_factory.mktemp("odd"), "disturbed", "silent", "failing", **own)


def test_each_habit_is_found_and_said_first(made):
    said = {name.removeprefix("oracle:"): entry["verdict"] for name, entry in made.verdicts.items()}
    assert said == {
        "grounded": "grounded in the regions",
        "steadfast": "rests on priors",
        "noisy": "set off by noise",
    }
    page = made.page.read_text(encoding="utf-8")
    assert page.index("grounded in the regions") < page.index("<h2>What each cover costs")
    assert "oracle:noisy: covered regions make it state what is not there" in page
    assert "Not measured here: f1_radgraph, green." in page
    assert (made.path / "report" / "pictures" / "montage.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_that_are_known(made):
    assert value(made, "grounded", "mu_f1", "real") == 1.0
    assert value(made, "grounded", "delta_oco") == 1.0
    assert value(made, "grounded", "delta_oco_matched") == 1.0
    assert value(made, "grounded", "delta_doco") == 0.0
    assert value(made, "grounded", "delta_fn_14") > 0.9
    assert value(made, "steadfast", "delta_fn_14") == 0.0
    for finding in ("Atelectasis", "Pleural Effusion"):
        assert value(made, "steadfast", "false_statement_rate", "oco@100", finding) == 1.0
        assert value(made, "steadfast", "f1", "oco@100", finding) == 1.0
        assert value(made, "steadfast", "balanced_accuracy", "real", finding) == 0.5
    assert value(made, "steadfast", "false_statement_rate", "real", "Edema") == 0.0


def test_equal_recipes_are_one_request_and_senseless_trials_are_none(made):
    plan = made.plan.filter(pl.col("model") == "oracle:grounded")
    study = pl.col("case_id").str.split("#").list.first()
    real = plan.filter(pl.col("condition").is_in(["real", "oco@0", "ro@0"])).group_by(study)
    assert (real.agg(pl.col("request_id").n_unique())["request_id"] == 1).all()
    plain = plan.filter(~pl.col("case_id").str.contains("#"))
    assert set(plain["condition"]) == {"real", "fullnoise"}
    assert set(plan.filter(pl.col("case_id").str.contains("#"))["condition"]) == {
        "real",
        *(f"{region}@{strength}" for region in ("oco", "doco", "ro", "romatched") for strength in (0, 100)),
    }
    lacking = plan.filter(pl.col("request_id").is_null())
    assert set(lacking["condition"]) <= {"doco@0", "doco@100"}
    assert not set(plain["case_id"]) & set(lacking["case_id"])


def test_the_dry_run_counts_what_is_asked(made, tmp_path):
    counted = dry_run(OCCLUSION, made.asked, tmp_path / "none")
    assert counted.requests == 3 * made.plan["request_id"].drop_nulls().n_unique()


def test_a_run_that_was_broken_off_goes_on_and_is_rebuilt_alike(made, tmp_path):
    def some(limit):
        settings = Settings(max_requests=limit, shard_size=50)
        return perimetry.audit("occlusion", data=DATA, models="oracle:grounded", out=tmp_path, settings=settings, **FEW)

    assert some(130).run.pending > 0
    whole = some(None)
    assert whole.summaries[0].stored == 130
    alone = whole.run
    mine = pl.col("model").is_in(["oracle:grounded", ""]) & ~pl.col("comparator").str.starts_with("model:")
    numbers = ["metric", "condition", "stratum", "dataset", "value", "ci_low", "ci_high", "n"]
    assert alone.estimates.select(numbers).equals(made.estimates.filter(mine).select(numbers))
    before = (tmp_path / "estimates.csv").read_bytes()
    alone.report()
    assert (tmp_path / "estimates.csv").read_bytes() == before
    with pytest.raises(UsageError, match=r"other settings: --truth box, now --truth report"):
        audit(tmp_path, "grounded", truth="report")


def test_a_reader_that_any_cover_disturbs_is_found_by_the_two_controls(odd):
    assert value(odd, "disturbed", "delta_oco") > 0.5
    assert abs(value(odd, "disturbed", "delta_oco_matched")) < 0.05
    assert odd.verdicts["oracle:disturbed"]["verdict"] == "disturbed by any cover"
    assert "oracle:disturbed: the two controls disagree." in odd.page.read_text(encoding="utf-8")
    reached = odd.estimates.filter(
        (pl.col("metric") == "area_reached") & (pl.col("dataset") == "macro") & (pl.col("stratum") == "all")
    )
    areas = dict(zip(reached["condition"], reached["value"], strict=True))
    assert areas["ro@100"] < 0.6
    assert areas["romatched@100"] == pytest.approx(1.0, abs=0.02)


def test_silence_is_not_rewarded(odd):
    assert value(odd, "silent", "mu_f1", "oco@100") == 0.0
    assert value(odd, "silent", "balanced_accuracy", "oco@100") == 0.0
    assert value(odd, "silent", "balanced_accuracy", "real") == 1.0
    assert value(odd, "silent", "false_statement_rate", "oco@100") is None
    assert "of its responses hold no report" in odd.page.read_text(encoding="utf-8")


def test_failed_requests_leave_what_needs_them_and_are_counted(odd):
    rows = odd.estimates.filter(
        (pl.col("model") == "oracle:failing") & (pl.col("dataset") == "macro") & (pl.col("stratum") == "all"),
        ~pl.col("comparator").str.starts_with("model:"),
    )
    delta = rows.filter(pl.col("metric") == "delta_oco").to_dicts()[0]
    real = rows.filter((pl.col("metric") == "mu_f1") & (pl.col("condition") == "real")).to_dicts()[0]
    assert delta["missing"] > 0
    assert delta["n"] + delta["missing"] == real["n"]
    assert "made to fail" in odd.page.read_text(encoding="utf-8")


def test_overlap_shows_its_spill_and_can_be_left_out(tmp_path):
    data = "phantom-studies:n=120,cooccurrence=0.8,overlap=true"
    own: dict[str, Any] = {"classes": "Lung Opacity,Lung Lesion,Edema", "strengths": "100"}
    analysis = analysed(tmp_path, prepared(tmp_path, data, **own), MODELS["oracle:grounded"])
    rows = estimate(analysis, resamples=500)
    (spill,) = (row for row in rows if (row.metric, row.dataset, row.stratum) == ("spill", "macro", "all"))
    assert spill.ci_low > 0.01
    assert any("Boxes of other findings cover" in text for text in cautions(analysis, rows))
    clean = prepared(tmp_path, data, max_spill=0, **own)
    assert len(clean.cases) < len(analysis.preparation.cases)
    examined = [case.examined for case in clean.cases if isinstance(case, Study) and case.examined]
    assert examined
    assert all(spill_of(one) == 0 for one in examined)


def test_run_toml_holds_what_only_this_audit_takes(made):
    asked = made.asked
    assert dict(asked.options)["classes"] == "Cardiomegaly,Atelectasis,Pleural Effusion,Edema"
    assert Asked.from_dict(asked.to_dict()) == asked


def test_answers_that_somebody_has_already_give_the_same_numbers(made, tmp_path):
    """Rows as another pipeline would write them: one a trial, ``STUDY`` or ``STUDY#CLASS`` and the condition."""
    texts = RequestStore(made.path / "responses").responses("oracle:grounded").select("request_id", "text").collect()
    rows = made.plan.filter(pl.col("model") == "oracle:grounded").join(texts, on="request_id")
    file = tmp_path / "mine.jsonl"
    rows.select("case_id", "condition", response="text").write_ndjson(file)
    run = perimetry.audit("occlusion", data=DATA, models=f"recorded:{file}", out=tmp_path / "run", **FEW).run
    assert run.unanswered == 0
    wanted = ["metric", "condition", "stratum", "dataset", "value", "ci_low"]
    theirs = run.estimates.filter(pl.col("model") == "recorded:mine").select(wanted)
    ours = made.estimates.filter(pl.col("model") == "oracle:grounded").select(wanted)
    assert theirs.equals(ours)


def test_an_image_that_is_not_there_fails_alone(tmp_path, monkeypatch):
    """The plan is made all the same; its trials fail by that name, and everything else is as without it."""

    def without_one(asked):
        (loaded,) = load_case_sets(asked)
        first = loaded.cases[0]
        lost = replace(first, images=(Image(FileSource(tmp_path / "none.png"), view="PA"),))
        return (replace(loaded, cases=(lost, *loaded.cases[1:])),)

    monkeypatch.setattr("perimetry.protocols.audit.load_case_sets", without_one)
    own: dict[str, Any] = {
        "data": "phantom-studies:n=30,size=64",
        "classes": "Cardiomegaly,Atelectasis",
        "min_images": 2,
    }
    run = perimetry.audit(
        "occlusion", models="reader:grounded", out=tmp_path / "run", strengths="100", metrics="rouge_l", **own
    ).run
    asked = run.outcomes.filter(pl.col("request_id").is_not_null())
    failed = asked.filter(~pl.col("answered"))
    assert failed["study"].unique().to_list() == ["phantom-42-00000"]
    assert asked.filter(pl.col("study") == "phantom-42-00000").height == failed.height
    assert set(failed["failure_kind"]) == {"unreadable_image"}
    assert "none.png does not exist" in run.page.read_text(encoding="utf-8")
