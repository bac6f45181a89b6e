"""The folder of a screening, the command, and the page."""

import json
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from PIL import Image as Picture

from perimetry.cli import main
from perimetry.screening.finding import Finding, Region
from perimetry.screening.item_browser import drawn
from perimetry.screening.output import screen
from perimetry.screening.run import screen_cases
from perimetry.screening.screen import Screen

ROWS = [
    {
        "id": f"q{number}",
        "stem": f"A Chinese farmer with sarcoid {'<b>x</b>' if number == 3 else 'x'} limps. What is shown?",
        "answer": "A" if number % 3 else "B",
        "options": ["Sarcoid of the long proximal femur, always seen in such men", "gout", f"tear {number}"],
    }
    for number in range(12)
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in [*ROWS, {**ROWS[0], "id": "bad", "answer": "Z"}]))
    return path


def test_the_command_writes_everything_and_says_what_matters(table, tmp_path, capsys):
    code = main(["screen", "--data", f"table:{table},name=ward", "--out", str(tmp_path / "out")])
    shown = capsys.readouterr()
    assert code == 0
    assert "ward: 1 of 13 records left out: 1 answer not among the options" in shown.err
    assert "12 with options that can be compared, random 33.33%" in shown.out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        *("candidates.parquet", "candidates.csv", "prevalence.parquet", "prevalence.csv", "cues.parquet", "cues.csv"),
        "items.parquet",
        *("estimates.parquet", "estimates.csv", "funnel.json", "checklist.md", "screen.toml", "report"),
    }


def test_candidates_name_evidence_tier_and_who_decided(table, tmp_path):
    screen([f"table:{table},name=ward"], out=tmp_path / "out")
    candidates = pl.read_parquet(tmp_path / "out" / "candidates.parquet")
    assert pl.read_csv(tmp_path / "out" / "candidates.csv").height == candidates.height
    row = candidates.filter((pl.col("case_id") == "q1") & (pl.col("cue") == "absolute-word")).to_dicts()[0]
    assert (row["options"], row["key"], row["key_has_cue"], row["singles_out_key"]) == ("A", "A", True, True)
    assert (row["tier"], row["decided_by"], row["severity"]) == ("candidate", "screen absolute-word v1", "high")
    ((field, start, end, _),) = json.loads(row["spans"])
    assert ROWS[1]["options"]["ABC".index(field)][start:end] == "always"
    context = candidates.filter((pl.col("case_id") == "q1") & (pl.col("cue") == "context-occupation")).to_dicts()[0]
    assert context["key_has_cue"] is None and context["options"] == ""


def test_estimates_have_the_tidy_form(table, tmp_path):
    from perimetry.runs.estimates import ESTIMATE_SCHEMA

    screen([f"table:{table},name=ward"], out=tmp_path / "out")
    estimates = pl.read_parquet(tmp_path / "out" / "estimates.parquet")
    assert estimates.columns == list(ESTIMATE_SCHEMA)
    row = estimates.filter(pl.col("stratum") == "absolute-word").to_dicts()[0]
    assert (row["protocol"], row["dataset"], row["metric"], row["n"]) == ("screens", "ward", "odds_ratio", 12)
    # 8 of 12 keys are A, which alone is absolute: odds of 8 * 2 / (4 * 1).
    assert row["value"] == pytest.approx(4.0)


def test_json_is_one_document(table, tmp_path, capsys):
    assert main(["screen", "--data", f"table:{table}", "--out", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert {row["cue"] for row in told["prevalence"]} >= {"valid", "random", "large-gap"}
    assert told["funnel"][0]["options_comparable"] == 12


def test_the_page_escapes_and_marks(table, tmp_path):
    page = screen([f"table:{table},name=ward"], out=tmp_path / "out").page
    assert page is not None
    html = page.read_text()
    assert "Which cues could lead to the key?" in html and "<b>x</b>" not in html
    cases = "".join(path.read_text() for path in sorted((page.parent / "assets").glob("cases-*.js")))
    assert "\\u003cb\\u003ex" in cases
    assert re.search(r'\["always","[^"]*Absolute word', cases)
    assert '"l":[' in cases


def test_texts_of_a_restricted_set_stay_out_of_the_page(table, tmp_path):
    page = screen([f"table:{table},name=ward,data_use=restricted"], out=tmp_path / "out").page
    assert page is not None
    everything = "".join(path.read_text() for path in page.parent.rglob("*") if path.suffix in (".html", ".js", ".csv"))
    assert "farmer with sarcoid" not in everything and "proximal femur" not in everything


def test_the_same_items_give_the_same_bytes(table, tmp_path):
    for name in ("one", "two"):
        screen([f"table:{table},name=ward"], out=tmp_path / name)
    for file in ("candidates.csv", "prevalence.csv", "cues.csv", "estimates.csv", "funnel.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_folder_is_screened_again(table, tmp_path):
    screen([f"table:{table}"], out=tmp_path / "out")
    screen([f"table:{table}"], out=tmp_path / "out", screens=["clang"])
    cues = pl.read_csv(tmp_path / "out" / "cues.csv")
    assert cues["cue"].to_list() == ["clang"]


def test_an_unknown_screen_suggests_near_ones(table, tmp_path, capsys):
    assert main(["screen", "--data", f"table:{table}", "--out", str(tmp_path / "out"), "--screen", "large-gab"]) == 2
    assert "Did you mean large-gap" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_help_has_an_example(capsys):
    assert main(["screen", "--help"]) == 0
    assert "Example: perimetry screen --data" in " ".join(capsys.readouterr().out.split())


def test_importing_the_screens_needs_no_heavy_library():
    code = """
import sys, perimetry.screening
perimetry.screening.screens().names()
print(sorted({"torch", "altair", "sklearn"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_survey_of_images_reaches_screens_of_pixels_and_their_regions_are_outlined(tmp_path):
    from perimetry.cases import load

    Picture.fromarray(np.zeros((40, 60), np.uint8)).save(tmp_path / "a.png")
    row = {**ROWS[0], "image": "a.png"}
    (tmp_path / "mine.jsonl").write_text(json.dumps(row))

    def bright(item, known):
        assert known.images == {"q0": 1}
        return Finding((), (), "medium", regions=(Region(0, 10, 10, 20, 15, "mark"),))

    pixels = Screen("bright", "Bright mark", "image", "item", "nothing", bright, "ours", options=False)
    screening = screen_cases(
        load(f"table:{tmp_path / 'mine.jsonl'}"),
        screens=[pixels],
        survey=lambda items: {item.id: len(item.images) for item in items()},
    )
    from perimetry.screening.item_browser import item_browser

    browser = item_browser([screening], screening.candidates)
    assert browser is not None
    (case,) = browser.cases
    (outlined,) = case.images["marked"]
    assert isinstance(outlined, np.ndarray)
    assert outlined.shape == (40, 60, 3)
    assert (outlined[17, 9] == (213, 94, 0)).all() and not outlined[17, 20].any()


def test_boxes_at_the_edge_are_cut_to_the_image():
    boxed = drawn(np.zeros((20, 20), np.uint8), [(-5, -5, 40, 40), (15, 15, 30, 2)])
    assert boxed.shape == (20, 20, 3) and (boxed[0, 10] == (213, 94, 0)).all()


def test_a_cue_that_rests_on_few_items_is_shown_and_not_tested(tmp_path):
    """Nine keys of nine "all of the above" look resolved by an approximation; ten are tested."""
    for count, tested in ((9, False), (10, True)):
        rows = [
            {"id": str(n), "stem": "What is shown?", "answer": "C", "options": ["gout", "node", "All of the above"]}
            for n in range(count)
        ]
        path = tmp_path / f"{count}.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows))
        result = screen([f"table:{path}"], screens=["all-of-the-above"])
        (row,) = result.cues.to_dicts()
        assert row["informative"] == count and row["key_has_cue"] == count
        assert (row["p_holm"] is not None) is tested
