"""The charts of the occlusion audit draw, carry their values, and say nothing where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perimetry.reports import PictureBlock, Section, Site, build_site
from perimetry.reports.charts import occlusion
from perimetry.reports.charts.export import chart_images, chart_specification
from perimetry.runs.estimates import Estimate, estimate_frame

MODELS = ("m", 'two "names" <b>')
STRENGTHS = {"oco@0": ("oco", 0.0), "oco@100": ("oco", 100.0), "ro@0": ("ro", 0.0), "ro@100": ("ro", 100.0)}
TOPS = {"real": "real", "oco@100": "oco", "ro@100": "ro"}


def row(model, metric, condition="", comparator="", stratum="all", value=0.5):
    return Estimate(
        "occlusion", "d", model, metric, condition, comparator, stratum, value, value - 0.1, value + 0.1, n=9, groups=9
    )


def frame():
    rows = []
    for model in MODELS:
        rows += [row(model, "mu_f1", condition) for condition in STRENGTHS]
        rows += [row(model, f"delta_{name}", "oco@100", "ro@100") for name in ("oco", "oco_matched", "doco")]
        rows += [row(model, "false_statement_rate", condition) for condition in TOPS]
        rows += [row(model, "f1", condition, stratum=name) for condition in TOPS for name in ("Edema", "Fracture")]
        rows += [row(model, "flip_rate", "oco@100", "real", "Edema>Fracture", 0.8)]
        rows += [row(model, "delta_oco", "oco@100", "model:m", value=0.3)]
    return estimate_frame(rows)


@pytest.mark.parametrize(
    "draw",
    [
        lambda table: occlusion.strength_curves(table, STRENGTHS),
        occlusion.delta_forest,
        lambda table: occlusion.class_bars(table, TOPS),
        lambda table: occlusion.false_statements(table, TOPS),
        occlusion.flip_matrix,
    ],
)
def test_every_chart_draws_all_models_and_nothing_of_an_empty_table(draw):
    block = draw(frame())
    specification = drawn(block)
    svg, png = chart_images(specification)
    assert svg.startswith("<svg")
    assert png.startswith(b"\x89PNG")
    for model in MODELS:
        assert model in str(specification)
    assert "50.0 [40.0, 60.0]" in block.alt or "80.0 [70.0, 90.0]" in block.alt or "+50.0" in block.alt
    assert draw(estimate_frame([])) is None


def marks(specification):
    """Names of all marks of a specification."""
    found = []
    if isinstance(specification, dict):
        if "mark" in specification:
            found.append(specification["mark"]["type"])
        for value in specification.values():
            found += marks(value)
    elif isinstance(specification, list):
        for value in specification:
            found += marks(value)
    return found


def data_of(specification):
    """The rows of the one table that a specification carries."""
    (values,) = specification["datasets"].values()
    return values


def drawn(block):
    """The specification of a block's chart; the block has to be there."""
    assert block is not None
    return chart_specification(block.chart)


def test_two_strengths_are_dots_and_three_are_lines():
    two = drawn(occlusion.strength_curves(frame(), STRENGTHS))
    assert "line" not in marks(two)
    assert "area" not in marks(two)
    more = estimate_frame([row(model, "mu_f1", condition) for model in MODELS for condition in (*STRENGTHS, "oco@50")])
    three = drawn(occlusion.strength_curves(more, {**STRENGTHS, "oco@50": ("oco", 50.0)}))
    assert {"line", "area"} <= set(marks(three))


def test_equal_models_stand_beside_each_other():
    values = data_of(drawn(occlusion.strength_curves(frame(), STRENGTHS)))
    places = {(one["model"], one["p"]): one["at"] for one in values}
    assert len(set(places.values())) == len(places) == 4
    assert sum(places.values()) == pytest.approx(sum(p for _, p in places))


def test_a_class_that_is_never_stated_has_a_dot_and_an_equal_area_cover_is_drawn():
    rows = [row("m", "f1", name, stratum="Edema", value=0.0) for name in ("real", "romatched@100")]
    block = occlusion.class_bars(estimate_frame(rows), {"real": "real", "romatched@100": "romatched"})
    specification = drawn(block)
    assert "point" in marks(specification)
    assert [one["covered"] for one in data_of(specification)] == ["nothing", occlusion.REGION_NAMES["romatched"]]


@pytest.mark.parametrize(("n", "few"), [(9, True), (10, False)])
def test_cells_of_few_studies_are_marked_and_all_carry_their_number(n, few):
    one = replace(row("m", "flip_rate", "oco@100", "real", "Edema>Fracture", 0.8), n=n)
    (cell,) = data_of(drawn(occlusion.flip_matrix(estimate_frame([one]))))
    assert cell["few"] is few
    assert cell["dark"] is not few
    assert cell["count"] == f"n {n}"


def test_deltas_of_nothing_have_an_axis_with_room():
    rows = [replace(row("m", "delta_oco", "oco@100", "ro@100", value=0.0), ci_low=0.0, ci_high=0.0)]
    assert "[-5.0, 5.0]" in str(drawn(occlusion.delta_forest(estimate_frame(rows))))


def test_one_strength_is_no_curve():
    assert occlusion.strength_curves(frame(), {"oco@100": ("oco", 100.0)}) is None


def test_a_picture_becomes_a_file_of_its_own(tmp_path: Path):
    pixels = np.zeros((4, 6, 3), np.uint8)
    blocks = (PictureBlock(pixels, "A picture.", "one", "black", "<i>"),)
    page = build_site(tmp_path, Site("T", sections=(Section("S", blocks=blocks),)))
    html = page.read_text(encoding="utf-8")
    assert 'src="pictures/one.png"' in html
    assert "&lt;i&gt;" in html
    assert (page.parent / "pictures" / "one.png").read_bytes().startswith(b"\x89PNG")
