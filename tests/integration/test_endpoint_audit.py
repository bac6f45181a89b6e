"""An audit through a real HTTP endpoint: every byte that leaves is looked at."""

from __future__ import annotations

import base64
import io
from collections import Counter

import numpy as np
import pytest
from PIL import Image as Picture
from tests.models.loopback import LoopbackServer

import perimetry
from perimetry.cases import Question
from perimetry.conditions import DEFAULT_CONDITIONS, Surroundings, parse_condition
from perimetry.conditions.neighbours import build_neighbours

DATA = "phantom:n=8,size=64,seed=3"


def pixels(url: str) -> np.ndarray:
    head, data = url.split(",", 1)
    assert head == "data:image/png;base64"
    return np.asarray(Picture.open(io.BytesIO(base64.b64decode(data))))


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    with LoopbackServer("Answer: yes") as server:
        result = perimetry.audit(
            data=DATA, models=f"openai:some/model name@{server.url}", out=tmp_path_factory.mktemp("endpoint") / "run"
        )
        requests = list(server.requests)
        again = perimetry.audit(data=DATA, models=f"openai:some/model name@{server.url}", out=result.run.path)
        assert server.count == len(requests), "nothing is asked twice"
        assert again.summaries[0].asked == 0
    return result, requests


def test_every_trial_is_answered_once(audited):
    result, requests = audited
    assert result.run.unanswered == 0
    assert result.run.plan.height == 8 * len(DEFAULT_CONDITIONS)
    # hardneg and mismatch may meet in one image: then they are one request.
    assert len(requests) == result.run.plan["request_id"].n_unique()
    assert len(requests) > 8 * (len(DEFAULT_CONDITIONS) - 1)


def test_the_bytes_of_every_image_are_those_of_its_condition(audited):
    _, requests = audited
    cases = perimetry.load(DATA).questions
    conditions = [parse_condition(name) for name in DEFAULT_CONDITIONS]
    around = Surroundings(42, {"phantom": build_neighbours(cases, cases, conditions)})
    expected: Counter[tuple[str, bytes]] = Counter()
    for case in cases:
        recipes = {(condition.repeat_stream, condition.recipe(case, around)): condition for condition in conditions}
        for condition in recipes.values():
            shown = condition.apply(case, around)
            assert isinstance(shown, Question)
            image = shown.images[0].pixels().tobytes() if shown.shown.images else b""
            expected[case.stem, image] += 1
    sent: Counter[tuple[str, bytes]] = Counter()
    for request in requests:
        assert len(request.images) <= 1
        image = pixels(request.images[0]).tobytes() if request.images else b""
        sent[request.text.splitlines()[0], image] += 1
    assert sent == expected


def test_without_image_means_no_image_part(audited):
    _, requests = audited
    bare = [request for request in requests if not request.images]
    assert len(bare) == 8
    for request in bare:
        assert b"image" not in request.raw.replace(b"image-", b"")


def test_retest_is_asked_again_under_another_seed(audited):
    _, requests = audited
    seeds: dict[tuple[str, tuple[str, ...]], set[int]] = {}
    for request in requests:
        seeds.setdefault((request.text, tuple(request.images)), set()).add(request.body["seed"])
    assert sum(len(found) == 2 for found in seeds.values()) == 8
    assert max(len(found) for found in seeds.values()) == 2


def test_decoding_is_greedy_and_bounded(audited):
    _, requests = audited
    for request in requests:
        assert request.body["temperature"] == 0
        assert request.body["max_tokens"] == 2048
        assert request.body["model"] == "some/model name"
