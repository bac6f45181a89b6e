"""What a run tells before it asks anybody."""

from __future__ import annotations

import logging

import pytest

from perimetry.cases.errors import UsageError
from perimetry.models.request import Decoding
from perimetry.protocols.registry import find_protocol
from perimetry.runs.asked import Asked
from perimetry.runs.preparation import TrainingSplits, _tell_embedding, load_case_sets, prepare
from perimetry.runs.sizes import shown_sizes

HEADER = "id,question,answer,split\n"


def asked_of(spec: str, split: str = "") -> Asked:
    return Asked("counterfactual", (spec,), ("reader:blind",), ("real", "blank"), split=split, decoding=Decoding())


@pytest.mark.parametrize(("use", "example"), [("open", " (2)"), ("restricted", "")])
def test_what_was_left_out_is_told(tmp_path, caplog, use, example):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + "1,Is it?,yes,test\n2,Is it?,,test\n3,Is it?,no,train\n")
    with caplog.at_level(logging.WARNING, "perimetry"):
        load_case_sets(asked_of(f"table:{path},name=ward,data_use={use}", "test"))
    told = [record.getMessage() for record in caplog.records]
    assert told[0] == f"ward: 1 of 3 records left out: 1 no answer{example}"
    assert any("data_use=open" in line for line in told) == (use == "restricted")


def test_a_baseline_without_training_rows_says_how_to_give_them(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,question,answer\n1,Is it?,yes\n")
    with pytest.raises(UsageError, match=r"fitted on training rows.*no column split.*column split with train and test"):
        TrainingSplits(asked_of(f"table:{path}"), ("table",))("table")
    path.write_text(HEADER + "1,Is it?,yes,test\n")
    with pytest.raises(UsageError, match=r"fitted on training rows.*left out: 1 of the split test"):
        TrainingSplits(asked_of(f"table:{path}"), ("table",))("table")
    path.write_text(HEADER + "1,Is it?,yes,test\n2,Is it?,no,train\n")
    assert [one.id for one in TrainingSplits(asked_of(f"table:{path}"), ("table",))("table")] == ["2"]


def test_a_large_pool_is_heard_of_and_a_small_one_is_not(caplog):
    with caplog.at_level(logging.WARNING, "perimetry"):
        for done in range(1, 101):
            _tell_embedding(done, 100)
        assert not caplog.records
        for done in range(1, 4002):
            _tell_embedding(done, 4001)
    told = [record.getMessage() for record in caplog.records]
    assert told == [
        "hard negatives: 4,001 images are read and compared",
        *(f"hard negatives: {done:,} of 4,001 images are read" for done in (1000, 2000, 3000)),
    ]


def test_sizes_of_a_sample_stand_for_all():
    asked = asked_of("phantom:n=40")
    preparation = prepare(asked, load_case_sets(asked), find_protocol("counterfactual").design)
    requests = preparation.requests()
    prompts = [requests.build(index).prompt for index in range(len(requests))]
    characters = sum(len(prompt.text) + len(prompt.system) for prompt in prompts)
    images = sum(len(prompt.images) for prompt in prompts)
    assert shown_sizes(preparation) == (characters, images)
    few = shown_sizes(preparation, sampled=10)
    assert few[1] == images
    assert few[0] == pytest.approx(characters, rel=0.1)
