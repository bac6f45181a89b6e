"""Charts of guessers and subsets: what is drawn is what the table says, and odd names are drawn, too."""

import pytest

from perimetry.reports.charts.export import chart_images, chart_specification
from perimetry.reports.charts.guessers import guesser_accuracy, guesser_option_counts
from perimetry.reports.charts.subset import subset_accuracy
from perimetry.runs.estimates import Estimate, estimate_frame

ODD = "set \"x\" 'y' <b> \\ ü"


def rows(dataset, protocol="guess"):
    def row(model, value, metric="accuracy", comparator="", stratum="all", condition=""):
        interval = (value - 0.05, value + 0.05)
        return Estimate(
            protocol, dataset, model, metric, condition, comparator, stratum, value, *interval, n=100, groups=100
        )

    if protocol == "subset":
        return [
            row("chance", 0.2, stratum="kept"),
            *(
                row("guesser:options", value, stratum=it)
                for it, value in (("all", 0.4), ("kept", 0.2), ("random", 0.39))
            ),
            *(row("org/m", 0.5, "accuracy_of_choosers", stratum=it, condition="full") for it in ("all", "kept")),
        ]
    return [
        row("chance", 0.2),
        row("guesser:options", 0.3),
        row("guesser:options", 0.1, comparator="chance"),
        row("guesser:options", 0.21, "accuracy_shuffled_keys"),
        *(row("guesser:options", 0.1, comparator="chance", stratum=f"options={count}") for count in (10, 4)),
    ]


def drawn(block):
    specification = chart_specification(block.chart)
    svg, png = chart_images(specification)
    assert svg.startswith("<svg")
    assert len(png) > 1000
    (values,) = specification["datasets"].values()
    return values


def test_guessers_stand_beside_shuffled_keys_and_chance():
    block = guesser_accuracy(estimate_frame(rows("d")))
    marks = {(mark["row"], mark["series"]): mark["value"] for mark in drawn(block)}
    assert marks == {
        ("chance", "chance"): 20.0,
        ("options", "keys as they are"): 30.0,
        ("options", "shuffled keys"): 21.0,
    }
    assert "d, options: 30.0 [25.0, 35.0]" in block.alt
    assert "chance on d: 20.0" in block.alt


def test_the_mean_over_data_sets_is_drawn_only_where_there_are_several():
    alone = [*rows("d"), *rows("macro")]
    assert {mark["dataset"] for mark in drawn(guesser_accuracy(estimate_frame(alone)))} == {"d"}
    several = [*rows("d"), *rows(ODD), *rows("macro")]
    assert {mark["dataset"] for mark in drawn(guesser_accuracy(estimate_frame(several)))} == {"d", ODD, "macro"}


def test_numbers_of_options_stand_in_their_order():
    block = guesser_option_counts(estimate_frame(rows("d")))
    assert block is not None
    assert {mark["row"] for mark in drawn(block)} == {"4 options", "10 options"}
    assert guesser_option_counts(estimate_frame(rows("d")[:2])) is None


@pytest.mark.parametrize("name", ["d", ODD])
def test_a_subset_before_and_after(name):
    frame = estimate_frame(rows(name, "subset"))
    block = subset_accuracy(frame, "accuracy", name="a", title="Before and after")
    assert block is not None
    marks = {mark["series"]: mark["value"] for mark in drawn(block)}
    assert marks == {"all items": 40.0, "kept": 20.0, "random filter": 39.0, "chance": 20.0}
    chosen = subset_accuracy(frame, "accuracy_of_choosers", name="b", title="Those that chose")
    assert chosen is not None
    assert {mark["row"] for mark in drawn(chosen)} == {"org/m (full)", "chance"}


def test_nobody_who_reports_is_no_chart():
    frame = estimate_frame(rows("d", "subset")[:1])
    assert subset_accuracy(frame, "accuracy", name="a", title="Before and after") is None
