"""The same audit on 20 real questions, through a real server and in this process: equal greedy answers."""

from __future__ import annotations

import polars as pl
import pytest
from tests.long.test_llava_server import folder, server  # noqa: F401 - fixtures

import perimetry
from perimetry.models.request import Decoding

pytestmark = pytest.mark.long


def test_endpoint_and_process_give_equal_answers(server, folder, shared_data, tmp_path):  # noqa: F811
    result = perimetry.audit(
        data=f"vqa-rad:{shared_data / 'vqa_rad'}",
        split="test",
        limit=20,
        models=(f"openai:{folder}@{server}", f"hf:{folder}"),
        out=tmp_path / "run",
        decoding=Decoding(max_new_tokens=24),
    )
    run = result.run
    assert run.unanswered == 0
    responses = pl.read_parquet(str(run.path / "responses" / "part-*.parquet"))
    assert responses["text"].null_count() == 0
    assert responses["model"].n_unique() == 2
    by_request = responses.group_by("request_id").agg(pl.col("text").n_unique().alias("texts"), pl.len())
    assert by_request.filter((pl.col("len") != 2) | (pl.col("texts") != 1)).is_empty()
    assert by_request.height == 20 * 7
    assert run.page.is_file()
