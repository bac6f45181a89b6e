"""What the audit takes, how it is spelled, and what it says of what it cannot take."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.bad_input import command, one_error

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.png import encode_png
from perimetry.protocols.occlusion import OcclusionOptions, region_conditions
from perimetry.protocols.occlusion.asking import read_options
from perimetry.protocols.occlusion.family import families_of

STUDIES = "phantom-studies:n=30"


def test_options_come_back_from_their_spelling():
    options = OcclusionOptions(
        "rules", "report", ("Edema",), 3, 0.2, 0.5, False, ("bleu_2", "rouge_l(beta=1.2,stem=false)")
    )
    assert OcclusionOptions.of(options.pairs) == options
    assert OcclusionOptions.of(OcclusionOptions().pairs) == OcclusionOptions()


def test_conditions_of_strengths_and_fill():
    assert region_conditions("0,100", {"fill": "black"})[2:4] == ("oco@0(fill=black)", "oco@100(fill=black)")
    assert len(region_conditions()) == 2 + 4 * 6
    assert region_conditions([100, 20, 100])[2:4] == ("oco@20", "oco@100")
    named, _ = read_options({}, ("real", "oco@60"))
    assert named == ("real", "oco@60")


def test_classes_are_taken_in_any_spelling():
    assert OcclusionOptions.of({"classes": "edema, pleural_effusion,EDEMA"}).classes == ("Edema", "Pleural Effusion")


@pytest.mark.parametrize(
    "given", [("fullnoise",), ("shuffle",), ("oco@100",), ("oco@100,ro@100",), ("textonly",), ("oco@100", "--dry-run")]
)
def test_without_the_image_as_it_is_nothing_is_asked(given, tmp_path):
    asked = ("--data", STUDIES, "--model", "reader:grounded", "--out", tmp_path / "run", "--conditions", *given)
    one_error(command("audit", "occlusion", *asked), 2, "real is not among them", f"--conditions real,{given[0]}")
    assert not (tmp_path / "run").exists()


def test_families_keep_fills_apart():
    found = families_of(["real", "oco@100", "oco@50", "ro@100", "oco@100(fill=black)"])
    assert [(one.name, [strength for strength, _ in one.members]) for one in found] == [
        ("oco", [50.0, 100.0]),
        ("ro", [100.0]),
        ("oco(fill=black)", [100.0]),
    ]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"labeller": "chexpert"}, UsageError, "labeller is 'chexpert'; expected rules or chexbert:PATH"),
        ({"truth": "boxes"}, UsageError, "truth is 'boxes'; expected box or report"),
        ({"classes": "Oedema"}, UnknownNameError, "Did you mean Edema"),
        ({"min_images": 0}, UsageError, "min_images is 0; expected 1 or more"),
        ({"max_spill": 1.5}, UsageError, "max_spill is 1.5; expected a number from 0 to 1"),
        ({"min_images": "many"}, UsageError, "min_images is 'many'; expected a number"),
        ({"strengths": "0,101"}, UsageError, "strengths has 101; expected percent"),
        ({"strengths": ""}, UsageError, "strengths is empty; give percent from 0 to 100"),
        ({"fill": "gold"}, UsageError, "gold"),
        ({"max_spil": 0.1}, UnknownNameError, "Did you mean max_spill"),
    ],
)
def test_what_cannot_be_taken_is_named(given, error, said):
    with pytest.raises(error, match=said):
        read_options(given, None)


def test_strengths_beside_conditions_are_refused():
    with pytest.raises(UsageError, match="strengths is given beside conditions"):
        read_options({"strengths": "100"}, ("real", "oco@100"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("occlusion", "--data", "phantom:n=4"), ("is a question", "--data phantom-studies")),
        (("counterfactual", "--data", STUDIES), ("is a study", "this audit asks questions")),
        (("occlusion", "--data", STUDIES), ("No class can be examined", "--min-images")),
        (("occlusion", "--data", STUDIES, "--labeller", "chexbert:/nowhere.pth"), ("does not exist", "CheXbert")),
        (
            ("occlusion", "--data", STUDIES, "--model", "baseline:majority"),
            ("fitted on questions", "baseline:majority"),
        ),
        (("occlusion", "--data", STUDIES, "--model", "baseline:majority", "--dry-run"), ("fitted on questions",)),
        (("occlusion", "--data", STUDIES, "--metrics", "green_judge"), ("asks a judge model", "perimetry score")),
        (("occlusion", "--data", STUDIES, "--metrics", "blue"), ("blue", "Did you mean")),
        (("occlusion", "--data", STUDIES, "--conditions", "oco"), ("strength", "missing")),
    ],
)
def test_one_error_that_says_what_to_do(tmp_path, arguments, words):
    ended = command("audit", *arguments, "--model", "reader:blind", "--out", tmp_path / "run")
    one_error(ended, 2, *words)
    assert not (tmp_path / "run").exists()


def test_classes_left_out_are_told_and_shown(tmp_path):
    ended = command(
        *("audit", "occlusion", "--data", "phantom-studies:n=60", "--min-images", 5, "--strengths", "100"),
        *(
            "--model",
            "reader:constant",
            "--out",
            tmp_path / "run",
            "--classes",
            "Edema,Fracture,Pneumonia,Cardiomegaly",
        ),
    )
    assert ended.code == 0, ended.err
    assert "classes left out for too few images: " in ended.err
    page = (tmp_path / "run" / "report" / "index.html").read_text(encoding="utf-8")
    assert "classes that too few images show, left out: " in page


def test_a_run_that_ended_before_its_second_model_has_pages_all_the_same(tmp_path):
    run = tmp_path / "run"
    asked = ("--data", "phantom-studies:n=12", "--min-images", 2, "--strengths", "0,50", "--out", run)
    models = ("--model", "reader:grounded", "--model", "reader:blind")
    assert command("audit", "occlusion", *asked, *models).code == 0
    for path in (run / "outcomes.parquet", run / "report" / "index.html", *run.glob("responses/*blind*")):
        path.unlink()
    reported = command("report", run)
    assert reported.code == 3 and (run / "report" / "index.html").is_file()
    assert "nobody asked reader:blind yet" in reported.err
    page = (run / "report" / "index.html").read_text(encoding="utf-8")
    assert "No cover is complete: the highest strength is that of oco@50" in page
    assert "are asked when the audit command is given again" in reported.err


def test_reference_reports_that_are_not_there_are_told_before_anything_is_asked(tmp_path):
    grey = encode_png(np.full((40, 40), 90, np.uint8))
    (tmp_path / "a.png").write_bytes(grey)
    box = {"image": 0, "x": 5, "y": 5, "width": 9, "height": 9, "classes": ["EDEMA"]}
    rows = [{"id": f"s{n}", "image": "a.png", "boxes": [box], "labels": {"edema": 1}} for n in range(3)]

    def audited(*more):
        (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
        asked = ("--data", f"table:{tmp_path / 'rows.jsonl'}", "--model", "reader:blind", "--out", tmp_path / "run")
        return command("audit", "occlusion", *asked, "--min-images", 1, "--dry-run", *more)

    one_error(audited("--truth", "report"), 2, "none of the 3 examined cases of table has one", "--truth box")
    assert audited("--truth", "box").code == 0
    rows[0]["findings"] = "Edema."
    ended = audited("--truth", "report")
    assert ended.code == 0 and "2 of 3 examined cases have no reference report" in ended.err
