"""Loading: specs, filters that are counted, limits that are the same everywhere, and what cannot be used."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from perimetry.cases import DataError, Dataset, Question, Registry, UnknownNameError, UsageError, load
from perimetry.cases import load as load_function
from perimetry.cases.png import encode_png
from perimetry.cases.spec import DataSpec

GOOD = [
    {"id": f"q{n:03d}", "question": f"Is finding {n} there?", "answer": "yes" if n % 3 else "a mass"} for n in range(60)
]

PINNED = ["q003", "q012", "q035"]


def write(tmp_path, rows, name="rows.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return f"table:{path}"


def steps(loaded):
    return {step.reason: (step.removed, step.examples) for step in loaded.funnel.steps}


def test_specs(tmp_path, monkeypatch):
    assert DataSpec.parse("phantom") == DataSpec("phantom")
    assert DataSpec.parse("phantom:n=5,form=open").settings == {"n": "5", "form": "open"}
    spec = DataSpec.parse("slake:/data/a,b/slake,lang=zh,x=")
    assert (str(spec.path), spec.settings) == ("/data/a,b/slake", {"lang": "zh", "x": ""})
    assert str(DataSpec.parse("table:/data/n=5/rows.csv").path) == "/data/n=5/rows.csv"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n=5").mkdir()
    assert DataSpec.parse("slake:n=5").path is not None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert DataSpec.parse("slake:~/slake").path == tmp_path / "slake"
    assert DataSpec.parse("vqav2:hub=owner/name").settings == {"hub": "owner/name"}
    with pytest.raises(UsageError, match="gives the setting 'n' twice"):
        DataSpec.parse("phantom:n=5,n=6")
    with pytest.raises(UsageError, match="names no data set"):
        DataSpec.parse(":/data")


def test_what_cannot_be_used_is_left_out_and_counted(tmp_path):
    options = {"A": "lung", "B": "heart"}
    rows = [
        {"id": "good", "question": "Which?", "options": options, "answer": "B"},
        {"id": "by text", "question": "Which?", "options": options, "answer": "Heart"},
        {"id": "good", "question": "Another?", "options": options, "answer": "A"},
        {"id": "no answer", "question": "Which?", "options": options, "answer": None},
        {"id": "blank answer", "question": "Which?", "answer": "  "},
        {"id": "elsewhere", "question": "Which?", "options": options, "answer": "C"},
        {"id": "no options", "question": "Which?", "answer": "A", "answer_type": "choice"},
        {"id": "one option", "question": "Which?", "options": ["lung"], "answer": "A"},
        {
            "id": "twins",
            "question": "Which?",
            "options": [{"label": "A", "text": "x"}, {"label": "A", "text": "y"}],
            "answer": "A",
        },
        {"id": "no stem", "question": "", "answer": "yes"},
        {"id": "odd type", "question": "Which?", "answer": "yes", "answer_type": "multiple"},
        {"id": "odd options", "question": "Which?", "answer": "A", "options": "lung or heart"},
    ]
    loaded = load(write(tmp_path, rows))
    assert [(case.id, case.answer, case.stem) for case in loaded.questions] == [
        ("good", "B", "Which?"),
        ("by text", "B", "Which?"),
    ]
    assert steps(loaded) == {
        "duplicate id (the first one is kept)": (1, ("good",)),
        "no answer": (2, ("no answer", "blank answer")),
        "answer not among the options": (1, ("elsewhere ('C' of A, B)",)),
        "fewer than two options": (2, ("no options (0)", "one option (1)")),
        "an option label occurs twice": (1, ("twins (A, A)",)),
        "neither a question text nor an image": (1, ("no stem",)),
        "a field that cannot be understood": (
            2,
            (
                "odd type: answer_type is 'multiple'; one of closed, open, choice was expected",
                'odd options: options: a list was expected, found \'lung or heart\'. Write ["lung", "heart"], or lung '
                "| heart, or one option a line",
            ),
        ),
    }
    assert loaded.funnel.entered == 12
    assert loaded.funnel.kept == 2


def test_nothing_usable_is_an_error_that_says_why(tmp_path):
    with pytest.raises(DataError, match=r"no usable case was found\. 1 records entered; left out: 1 no answer \(q\)"):
        load(write(tmp_path, [{"id": "q", "question": "Which?", "answer": ""}]))


def test_limits_do_not_depend_on_the_order_of_the_file(tmp_path):
    loaded = load(write(tmp_path, GOOD), limit=10)
    shuffled = GOOD.copy()
    random.Random(1).shuffle(shuffled)
    other = load(write(tmp_path, shuffled, "shuffled.jsonl"), limit=10)
    assert {case.id for case in loaded.questions} == {case.id for case in other.cases}
    # Loader order is kept, and the pool is what there was before the limit.
    assert [case.id for case in loaded.questions] == sorted(case.id for case in loaded.questions)
    order = [row["id"] for row in shuffled]
    assert [case.id for case in other.cases] == sorted((case.id for case in other.cases), key=order.index)
    assert [case.id for case in loaded.pool] == [row["id"] for row in GOOD]
    assert steps(loaded)["beyond the limit of 10 (seed 42)"][0] == 50
    assert loaded.funnel.kept == 10


def test_limits_are_pinned_and_nested(tmp_path):
    spec = write(tmp_path, GOOD)
    taken = {limit: {case.id for case in load(spec, limit=limit).cases} for limit in (3, 10, 59, 60, 100)}
    assert taken[3] < taken[10] < taken[59] < taken[60] == taken[100]
    assert {case.id for case in load(spec, limit=10, seed=7).cases} != taken[10]
    # The same three on every machine and with every numpy.
    assert sorted(taken[3]) == PINNED


def test_limits_are_no_favour_to_the_head_of_the_file(tmp_path):
    """Over many seeds every item is taken about equally often."""
    spec = write(tmp_path, GOOD[:20])
    counts = dict.fromkeys((row["id"] for row in GOOD[:20]), 0)
    for seed in range(200):
        for case in load(spec, limit=5, seed=seed).cases:
            counts[case.id] += 1
    # Binomial(200, 1/4): mean 50, SD 6.1; five SD either way.
    assert all(20 <= count <= 80 for count in counts.values())


def test_answer_types_are_filtered_before_the_limit(tmp_path):
    loaded = load(write(tmp_path, GOOD), answer_type="closed", limit=7)
    assert len(loaded.cases) == 7
    assert len(loaded.pool) == 40
    assert {case.answer_type for case in loaded.questions} == {"closed"}
    assert steps(loaded)["not a closed question"][0] == 20
    assert loaded.funnel.kept == 7


@pytest.mark.parametrize("limit", [0, -3])
def test_odd_limits(tmp_path, limit):
    with pytest.raises(UsageError, match="at least 1 was expected"):
        load(write(tmp_path, GOOD), limit=limit)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("vqa-rd:x", UnknownNameError, "no data set called 'vqa-rd'. Did you mean vqa-rad"),
        ("vqa-rad", UsageError, "vqa-rad needs a path: vqa-rad:PATH, where PATH holds 'VQA_RAD Dataset Public.json'"),
        (
            "vqa-rad:/no/such",
            DataError,
            "there is no /no/such. Expected there: 'VQA_RAD .* The folder /no does not exist",
        ),
        ("table:rows.jsonl", DataError, "there is no rows.jsonl"),
    ],
)
def test_wrong_specs(spec, error, message):
    with pytest.raises(error, match=message):
        load(spec)


def test_wrong_settings_and_splits(tmp_path, shared_data):
    spec = write(tmp_path, GOOD)
    with pytest.raises(UsageError, match=r"table has no setting 'colour'\. Its settings: name, data_use"):
        load(f"{spec},colour=red")
    with pytest.raises(UsageError, match="data_use=secret is not one of open, restricted, credentialed"):
        load(f"{spec},data_use=secret")
    with pytest.raises(UsageError, match=r"slake has no split 'dev'; its splits: train, validation, test, all"):
        load(f"slake:{shared_data / 'slake'}", split="dev")
    with pytest.raises(UsageError, match="lang=fr is not one of en, zh, all"):
        load(f"slake:{shared_data / 'slake'},lang=fr")


def test_a_table_may_have_a_name_and_a_class_of_its_own(tmp_path):
    spec = write(tmp_path, GOOD)
    loaded = load(f"{spec},name=clinic,data_use=credentialed")
    assert (loaded.name, loaded.data_use) == ("clinic", "credentialed")
    assert {case.dataset for case in loaded.questions} == {"clinic"}
    assert load(spec).data_use == "open"


def test_loaders_from_outside_may_count_only_what_they_leave_out(monkeypatch):
    def outside(path, options, funnel):
        funnel.leave_out("drawn badly", "x")
        yield Question("1", "outside", "g", "Why?", "so", "open")
        yield Question("1", "outside", "g", "Why?", "so", "open")

    entry = Dataset("outside", "Outside", "", "", "open", outside, "all", (), needs_path=False)
    module = __import__(load_function.__module__, fromlist=["load"])
    monkeypatch.setattr(module, "datasets", lambda: Registry("data set", "none", lambda: {"outside": entry}))
    loaded = load("outside")
    assert (loaded.funnel.entered, loaded.funnel.kept) == (3, 1)


def test_missing_images_are_noted_and_do_not_stop_a_load(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(encode_png(np.zeros((2, 2), np.uint8)))
    rows = [{**GOOD[n], "image": name} for n, name in enumerate(["a.png", "b.png", "a.png", "b.png"])]
    loaded = load(write(tmp_path, rows))
    assert len(loaded.cases) == 4
    assert loaded.funnel.notes[0].startswith("1 of 2 image files are missing (looked in ")
    assert loaded.questions[0].images[0].pixels().shape == (2, 2)
    assert loaded.questions[0].images[0] is loaded.questions[2].images[0]
    assert [case.group for case in loaded.questions] == ["a.png", "b.png", "a.png", "b.png"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b.png").write_bytes((tmp_path / "images" / "a.png").read_bytes())
    loaded = load(write(tmp_path, rows), images=elsewhere)
    assert loaded.questions[1].images[0].pixels().shape == (2, 2)
    with pytest.raises(DataError, match=r"There is no image folder .*nowhere"):
        load(write(tmp_path, rows), images=tmp_path / "nowhere")


def test_an_open_question_has_the_right_article(tmp_path):
    rows = [{"id": str(n), "question": "Where?", "answer": "left" if n else "yes"} for n in range(2)]
    assert steps(load(write(tmp_path, rows), answer_type="open")).keys() == {"not an open question"}
