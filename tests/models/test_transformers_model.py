"""How requests are put into batches and failures are told apart; the weights themselves are in tests/long."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import perimetry.models.transformers_model as module
from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.models.local.generation import conversation
from perimetry.models.registry import ModelContext
from perimetry.models.rendering import ImagePolicy
from perimetry.models.request import Decoding, ImagePart, Part, Prompt, Request, TextPart, Usage
from perimetry.models.transformers_model import TransformersModel


@dataclass(frozen=True)
class Plain:
    """A grey picture."""

    digest: str = "p"
    name: str = "p"

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        return np.full((20, 40), 9, dtype=np.uint8)

    def encoded(self) -> None:
        return None


class NoMemory(Exception):
    """Stands for the device's own."""


class Weights:
    """Stands for loaded weights: says what batches it was given, and fails as its script says."""

    device, dtype = "cpu", "float32"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.freed = 0

    def is_out_of_memory(self, error: Exception) -> bool:
        return isinstance(error, NoMemory)

    def free_memory(self) -> None:
        self.freed += 1


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> Weights:
    made = Weights()

    def generate(
        loaded: Weights, batch: Sequence[Request], policy: ImagePolicy, _fields: Mapping[str, Any]
    ) -> list[Any]:
        loaded.batches.append([request.id for request in batch])
        texts = [request.prompt.text for request in batch]
        if len(batch) > 2 and "large" in texts:
            raise NoMemory("2 GiB")
        for text in texts:
            if text == "broken":
                raise ImageError("cannot be read")
            if text == "defect":
                raise ValueError("a defect")
            if text == "huge":
                raise NoMemory("900 GiB")
        return [(text.upper(), "stop", Usage(1, 2), 0.1) for text in texts]

    monkeypatch.setattr(module, "load", lambda *args, **more: made)
    monkeypatch.setattr(module, "generate", generate)
    return made


GREEDY = Decoding()


def request(text: str, images: int = 0, decoding: Decoding = GREEDY) -> Request:
    parts: tuple[Part, ...] = (*(ImagePart(Image(Plain())) for _ in range(images)), TextPart(text))
    return Request(f"{text}-{images}", text, "mine", "real", 0, 1, Prompt(parts), decoding)


def test_requests_of_one_image_count_and_decoding_go_together(weights: Weights) -> None:
    model = TransformersModel("folder", ModelContext(batch_size=3))
    requests = [request(f"q{number}", number % 2) for number in range(8)]
    assert [response.request_id for response in model.answer(requests)] == [each.id for each in requests]
    assert weights.batches == [["q0-0", "q2-0", "q4-0"], ["q6-0"], ["q1-1", "q3-1", "q5-1"], ["q7-1"]]


def test_requests_that_sample_go_alone(weights: Weights) -> None:
    model = TransformersModel("folder")
    list(model.answer([request(f"q{number}", decoding=Decoding(9, 0.7)) for number in range(3)]))
    assert weights.batches == [["q0-0"], ["q1-0"], ["q2-0"]]


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("broken", "unreadable_image", "cannot be read"),
        ("defect", "crashed", "ValueError: a defect"),
        ("huge", "out_of_memory", "900 GiB"),
    ],
)
def test_a_failure_belongs_to_its_request(weights: Weights, text: str, kind: str, words: str) -> None:
    texts = ["a", "b", text, "c", "d"]
    responses = list(TransformersModel("folder").answer([request(each) for each in texts]))
    assert [response.text for response in responses] == ["A", "B", None, "C", "D"]
    assert responses[2].failure is not None
    assert responses[2].failure.kind == kind
    assert words in responses[2].failure.message
    assert (weights.freed > 0) is (kind == "out_of_memory")


def test_memory_that_runs_out_halves_the_batch(weights: Weights) -> None:
    responses = list(TransformersModel("folder").answer([request(each) for each in ("a", "large", "b", "c")]))
    assert [response.text for response in responses] == ["A", "LARGE", "B", "C"]
    assert weights.batches == [["a-0", "large-0", "b-0", "c-0"], ["a-0", "large-0"], ["b-0", "c-0"]]


def test_too_many_images_never_reach_the_weights(weights: Weights) -> None:
    model = TransformersModel("folder", policy=ImagePolicy(max_count=1))
    responses = list(model.answer([request("a", 2), request("b", 1)]))
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "unaskable"
    assert responses[1].text == "B"
    assert weights.batches == [["b-1"]]


def test_messages_keep_the_order_and_pictures_are_rgb() -> None:
    prompt = Prompt((TextPart("before"), ImagePart(Image(Plain())), TextPart("after")), system="Be brief.")
    system, user = conversation(Request("r", "1", "mine", "real", 0, 1, prompt), ImagePolicy(max_edge=20))
    assert system == {"role": "system", "content": [{"type": "text", "text": "Be brief."}]}
    assert [part["type"] for part in user["content"]] == ["text", "image", "text"]
    picture = user["content"][1]["image"]
    assert (picture.mode, picture.size, picture.getpixel((3, 3))) == ("RGB", (20, 10), (9, 9, 9))


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    own = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ImportError(f"No module named {name!r}")
        return own(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("torch", "transformers")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(UsageError, match=r"pip install 'perimetry\[hf\]'"):
        list(TransformersModel("folder").answer([request("a")]))


def test_a_hub_model_without_a_revision_says_so() -> None:
    assert "no revision is pinned" in TransformersModel("org/name").describe()["warnings"][0]
    pinned = TransformersModel("org/name", ModelContext(revision="abc")).describe()
    assert (pinned["revision"], pinned["warnings"]) == ("abc", [])
