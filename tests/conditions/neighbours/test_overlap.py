"""Overlap of training and evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from perimetry.cases.image import Image, Pixels
from perimetry.cases.question import Question
from perimetry.conditions.neighbours import overlap


def test_same_twin_and_new(
    make_question: Callable[..., Question], image_of: Callable[[Pixels], Image], broken_image: Image
) -> None:
    base = np.random.default_rng(3).integers(0, 200, (40, 40), dtype=np.uint8)
    train = [make_question(1), make_question(2), make_question(3, images=(image_of(base),))]
    evaluation = [
        make_question(11, images=train[0].images),
        make_question(12, images=train[0].images),
        make_question(13, images=(image_of(base + np.uint8(20)),)),
        make_question(14, images=(image_of((base + np.arange(40)).astype(np.uint8)),)),  # similar, no twin
        make_question(15, images=()),
        make_question(16, images=(broken_image, train[1].images[0])),
    ]
    table = overlap(train, evaluation)
    assert (table.train_images, table.images, table.questions) == (3, 5, 5)
    assert (table.same, table.twins) == (2, 1)
    assert (table.questions_same, table.questions_twin) == (3, 1)
    assert table.share == 0.6
    assert list(table.unreadable) == ["broken.png"]
    counts = {row["overlap"]: row for row in table.counts().iter_rows(named=True)}
    assert [counts[kind]["images"] for kind in ("same", "twin", "none")] == [2, 1, 2]
    assert [counts[kind]["questions"] for kind in ("same", "twin", "none")] == [3, 1, 1]
    assert counts["same"]["image_share"] == 0.4
    rows = {row["case"]: row for row in table.table().iter_rows(named=True)}
    assert rows["q011"]["questions"] == 2
    assert (rows["q011"]["kind"], rows["q011"]["train_case"]) == ("same", "q001")
    assert (rows["q013"]["kind"], rows["q013"]["train_case"]) == ("twin", "q003")
    assert rows["q013"]["cosine"] >= 0.999
    assert overlap(train[::-1], evaluation[::-1]) == table


def test_nothing_in_common(make_question: Callable[..., Question]) -> None:
    table = overlap([make_question(1)], [make_question(2), replace(make_question(2), id="again")])
    assert (table.same, table.twins, table.images, table.questions) == (0, 0, 1, 2)
    assert table.table().height == 0
    empty = overlap([], [])
    assert np.isnan(empty.share)
    assert empty.counts()["image_share"].null_count() == 3
