"""Metrics of CORAL section 3.3 on a cube small enough to work out by hand, and against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from tests.audited import outcomes

from perimetry.protocols.counterfactual.metrics import cell_statistics
from perimetry.runs.cube import Cube

CONDITIONS = ["real", "retest", "shuffle", "blank", "noimage", "hardneg"]

# Four items, gold A. Columns as CONDITIONS.
BY_HAND = {
    "real": ["A", "A", "B", None],
    "retest": ["A", "B", "B", None],
    "shuffle": ["A", "B", "A", None],
    "blank": ["A", "B", "B", "A"],
    "noimage": ["B", "A", "B", "A"],
    "hardneg": ["B", "B", "B", "B"],
}


def cube_of(answers, golds, **more) -> Cube:
    nested = {name: [[answer] for answer in given] for name, given in answers.items()}
    return Cube.from_outcomes(outcomes(nested, golds, **more), list(answers))


def values(cube: Cube) -> dict[tuple[str, str], float]:
    return {
        (one.metric, one.condition): one.numerator.sum() / one.denominator.sum()
        for one in cell_statistics(cube)
        if one.denominator.sum()
    }


def test_worked_out_by_hand():
    got = values(cube_of(BY_HAND, ["A"] * 4))
    assert got["accuracy", "real"] == 0.5
    assert got["accuracy", "shuffle"] == 0.5
    assert got["unparsed", "real"] == 0.25
    assert got["vrs", "shuffle"] == 0.0
    assert got["bd", "blank"] == 0.0
    assert got["hn_gap", "hardneg"] == 0.5
    assert got["accuracy_gap", "noimage"] == 0.0
    assert got["is_pred", "shuffle"] == 0.25  # items 0 only: a missing answer equals nothing
    assert got["is_raw", "shuffle"] == 0.5  # the two unreadable texts are the same text
    assert got["vbr", "noimage"] == 0.25
    assert got["vhr", "shuffle"] == 0.25
    assert got["retest_agreement", "retest"] == 0.5
    assert got["is_excess", "shuffle"] == 0.25
    assert got["flip_excess", "hardneg"] == 0.25


def test_a_failed_request_leaves_every_contrast_that_needs_it():
    cube = cube_of(BY_HAND, ["A"] * 4, failed=[(1, "shuffle", 0)])
    got = {(one.metric, one.condition): one for one in cell_statistics(cube)}
    assert got["accuracy", "real"].denominator.tolist() == [1, 1, 1, 1]
    for key in (("vrs", "shuffle"), ("is_pred", "shuffle"), ("vhr", "shuffle"), ("is_excess", "shuffle")):
        assert got[key].denominator.tolist() == [1, 0, 1, 1], key
        assert got[key].numerator[1] == 0
        assert got[key].missing.tolist() == [False, True, False, False]
    assert got["bd", "blank"].denominator.tolist() == [1, 1, 1, 1]


def test_a_condition_that_does_not_apply_is_not_missing():
    cube = cube_of(BY_HAND, ["A"] * 4, inapplicable=[(0, "hardneg")])
    gap = next(one for one in cell_statistics(cube) if one.metric == "hn_gap")
    assert gap.denominator.tolist() == [0, 1, 1, 1]
    assert not gap.missing.any()


@pytest.mark.parametrize("seed", range(5))
def test_repeats_are_paired_by_index_and_averaged(seed):
    rng = np.random.default_rng(seed)
    golds = [str(rng.choice(["A", "B"])) for _ in range(12)]
    answers = {
        name: [[str(rng.choice(["A", "B", "C"])) if rng.random() > 0.2 else None for _ in range(3)] for _ in golds]
        for name in CONDITIONS
    }
    failed = [
        (item, name, repeat) for item in range(12) for name in CONDITIONS for repeat in range(3) if rng.random() < 0.1
    ]
    cube = Cube.from_outcomes(outcomes(answers, golds, failed=failed), CONDITIONS)
    got = values(cube)

    def mean(condition, statistic, others=("real",)):
        """A plain loop over items and repeats."""
        cells = []
        for item, gold in enumerate(golds):
            seen = []
            for repeat in range(3):
                names = (*others, condition)
                if any((item, name, repeat) in failed for name in names):
                    continue
                seen.append(statistic({name: answers[name][item][repeat] for name in names}, gold))
            if seen:
                cells.append(sum(seen) / len(seen))
        return sum(cells) / len(cells)

    def same(a, b):
        return a is not None and a == b

    def right(a, gold):
        return a == gold

    expected = {
        ("accuracy", "shuffle"): mean("shuffle", lambda a, g: right(a["shuffle"], g), ()),
        ("vrs", "shuffle"): mean("shuffle", lambda a, g: right(a["real"], g) - right(a["shuffle"], g)),
        ("is_pred", "shuffle"): mean("shuffle", lambda a, g: same(a["real"], a["shuffle"])),
        ("vbr", "noimage"): mean("noimage", lambda a, g: right(a["real"], g) and not right(a["noimage"], g)),
        ("vhr", "shuffle"): mean("shuffle", lambda a, g: right(a["shuffle"], g) and not right(a["real"], g)),
        ("flip_excess", "blank"): mean(
            "blank", lambda a, g: same(a["real"], a["retest"]) - same(a["real"], a["blank"]), ("real", "retest")
        ),
    }
    for key, value in expected.items():
        assert got[key] == pytest.approx(value, abs=1e-12), key


def test_without_real_only_single_conditions_are_measured():
    cube = cube_of({name: BY_HAND[name] for name in ("blank", "shuffle")}, ["A"] * 4)
    assert {one.metric for one in cell_statistics(cube)} == {"accuracy", "unparsed"}
