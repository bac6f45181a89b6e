"""What raters get: blinded, seeded, dealt evenly, and escaped."""

import csv
import json
import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from tests.protocols.review.made_up import VARIATIONS, fill, places, sheets, write_pairs

from perimetry.cases.errors import UsageError
from perimetry.protocols.review import export_next, export_review, import_ratings, read_study


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handed")
    pairs = write_pairs(folder / "pairs.jsonl", ["iu-xray", "mimic-cxr"], VARIATIONS[:6], 4)
    export_review(pairs, folder / "review", raters=["ann", "bob", "cy"])
    return folder / "review"


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_that_raters_get_tells_what_was_changed(handed):
    given = files(handed / "round-1")
    assert {name.rpartition(".")[2] for name in given} == {"csv", "html", "json", "xml"}
    for name, data in given.items():
        text = data.decode().replace("Which of the two is the original is not told", "")
        text = text.replace("Original and rewritten reports come in a mixed order", "")
        for secret in ("iu-xray", "mimic-cxr", *(part for it in VARIATIONS for part in it.split(":") if "_" in part)):
            assert secret not in text, (name, secret)
        assert not re.search("original|alternative", text, re.I), name


def test_sides_and_order_are_mixed(handed):
    shown = places(handed, "equivalence")
    assert 12 <= sum(first == "original" for _, first in shown.values()) <= 36
    order = [place for place, _ in shown.values()]
    assert sorted(order) == list(range(48))
    assert order != sorted(order)


def test_original_and_alternative_are_far_apart(handed):
    at = {place: number for number, place in enumerate(places(handed, "realism").values())}
    assert all(abs(at[place, "original"] - at[place, "alternative"]) > 24 for place in range(48))
    assert 0 < sum(at[place, "original"] < at[place, "alternative"] for place in range(48)) < 48


def test_every_item_has_two_raters_and_each_as_many(handed):
    for task, count in (("realism", 96), ("equivalence", 48)):
        dealt = read_study(handed).dealt(task)
        assert len(dealt) == count
        assert all(len(set(names)) == 2 for names in dealt.values())
        assert set(Counter(name for names in dealt.values() for name in names).values()) == {count * 2 // 3}


def test_the_same_seed_gives_the_same_bytes_in_any_input_order(handed, tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu-xray", "mimic-cxr"], VARIATIONS[:6], 4)
    lines = pairs.read_text().splitlines()
    pairs.write_text("\n".join(reversed(lines)))
    export_review(pairs, tmp_path / "same", raters=["ann", "bob", "cy"])
    export_review(pairs, tmp_path / "other", raters=["ann", "bob", "cy"], seed=43)
    assert files(tmp_path / "same") == files(handed)
    assert files(tmp_path / "other") != files(handed)


def test_a_draw_takes_so_many_of_each_data_set_and_variation(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["a", "b"], VARIATIONS[:3], 5)
    assert export_review(pairs, tmp_path / "review", per_variation=2).pairs == 12
    drawn = Counter((pair.dataset, pair.variation) for pair in read_study(tmp_path / "review").pairs)
    assert set(drawn.values()) == {2}


def hostile(folder):
    line = {
        "case_id": "1",
        "variation": "hedging",
        "original": {"findings": "=cmd|' /C calc'!A0 </script><script>x</script>", "impression": ""},
        "alternative": '- Clear & <b>"dry"</b> $report_b {{ 7*7 }}',
    }
    (folder / "pairs.jsonl").write_text(json.dumps(line))
    return folder / "pairs.jsonl"


def test_texts_of_reports_stay_texts(tmp_path):
    export_review(hostile(tmp_path), tmp_path / "review", tasks=["equivalence"], raters=["ann", "bob"])
    where = tmp_path / "review" / "round-1" / "ann"
    page = (where / "equivalence.html").read_text()
    assert page.count("<script>") == 1
    assert "&lt;b&gt;" in page
    assert "{{ 7*7 }}" in page
    cells = [cell for row in csv.reader((where / "equivalence.csv").open(newline="")) for cell in row]
    assert not any(cell.startswith(("=", "-", "+", "@")) for cell in cells)
    data = json.loads((where / "label_studio" / "equivalence.json").read_text())[0]["data"]
    assert sorted([data["report_a"], data["report_b"]])[0].startswith("- Clear & <b>")
    config = ElementTree.fromstring((where / "label_studio" / "equivalence.xml").read_text())
    assert [each.get("value") for each in config.iter("Text")] == ["$report_a", "$report_b"]
    assert [each.get("alias") for each in config.iter("Choice")] == ["equivalent", "minor", "major"]


def test_the_fourth_rater_reads_what_three_said_but_not_who(tmp_path):
    export_review(hostile(tmp_path), tmp_path / "review", tasks=["equivalence"], raters=["ann", "bob"])
    folder = tmp_path / "review"
    said = {"ann": ("minor", "<i>side</i>"), "bob": ("major", "=1+1"), "carol": ("equivalent", "")}
    import_ratings(folder, [fill(sheet, lambda _, rater: said[rater]) for sheet in sheets(folder)])
    export_next(folder, raters=["carol"])
    third = sheets(folder, 2)
    assert "earlier" not in third[0].read_text()
    import_ratings(folder, [fill(sheet, lambda _, rater: said[rater]) for sheet in third])
    export_next(folder, adjudicators=["dave"])
    where = folder / "round-3" / "dave"
    page = (where / "equivalence-fourth.html").read_text()
    for text in ("Minor discrepancy: &lt;i&gt;side&lt;/i&gt;", "Major discrepancy: =1+1"):
        assert text in page
    sheet = (where / "equivalence-fourth.csv").read_text()
    assert "Rater 2: Major discrepancy (=1+1)" in sheet
    assert not any(name in page + sheet for name in ("ann,", "bob", "carol"))
    assert 'name="earlier"' in (where / "label_studio" / "equivalence-fourth.xml").read_text()


def test_nobody_rates_twice(handed, tmp_path):
    export_review(hostile(tmp_path), tmp_path / "review", tasks=["equivalence"], raters=["ann", "bob"])
    folder = tmp_path / "review"
    said = {"ann": "minor", "bob": "major"}
    import_ratings(folder, [fill(sheet, lambda _, rater: said[rater]) for sheet in sheets(folder)])
    with pytest.raises(UsageError, match="ann, bob have seen them already"):
        export_next(folder, raters=["ann", "bob"])
    with pytest.raises(UsageError, match=r"a third rating \(--rater names nobody\)"):
        export_next(folder)


def test_what_was_left_open_goes_to_somebody_else(tmp_path):
    export_review(hostile(tmp_path), tmp_path / "review", tasks=["equivalence"], raters=["ann", "bob"])
    folder = tmp_path / "review"
    import_ratings(folder, [fill(sheets(folder)[0], lambda *_: "minor")])
    with pytest.raises(UsageError, match="--fill"):
        export_next(folder, raters=["carol"])
    assert not (folder / "round-2").exists()
    handed = export_next(folder, raters=["carol", "cy"], fill=True)
    assert [(deal.rater, deal.step) for deal in handed.deals] == [("carol", "first")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"raters": ["ann"]}, "every item needs two"),
        ({"raters": ["ann", "Ann"]}, "named twice"),
        ({"raters": ["../x", "bob"]}, "cannot be a file name"),
        ({"tasks": ["realism", "realism"]}, "two tasks are called 'realism'"),
        ({"tasks": []}, "no task was given"),
        ({"tasks": ["realsm"]}, "Did you mean realism"),
    ],
)
def test_what_cannot_be_handed_out(options, told, tmp_path):
    with pytest.raises(UsageError, match=told):
        export_review(hostile(tmp_path), tmp_path / "review", **options)
    assert not (tmp_path / "review").exists()


def test_a_folder_in_use_is_refused(tmp_path):
    pairs = hostile(tmp_path)
    with pytest.raises(UsageError, match="is not empty"):
        export_review(pairs, tmp_path)


@pytest.mark.parametrize(
    ("told", "asked", "found"),
    [("credentialed", "open", "credentialed"), ("open", "restricted", "restricted"), ("open", "", "open")],
)
def test_terms_of_the_data_stay(tmp_path, told, asked, found):
    pairs = hostile(tmp_path)
    (tmp_path / "funnel.json").write_text(json.dumps({"data_use": told}))
    handed = export_review(pairs, tmp_path / "review", tasks=["equivalence"], data_use=asked)
    assert read_study(tmp_path / "review").data_use == found
    page = (tmp_path / "review" / "round-1" / "everybody" / "equivalence.html").read_text()
    assert ("only people whom their terms allow" in page) == bool(handed.warning) == (found != "open")
