"""A real server and a model in process, asked the same: a tiny LLaVA behind ``transformers serve`` and in ``hf:``."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tiny_llava import build_tiny_llava

from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.study import Study
from perimetry.models.cards import parse_card
from perimetry.models.cards.use import CardUse
from perimetry.models.chat.address import Address
from perimetry.models.openai_endpoint import OpenAIEndpoint
from perimetry.models.registry import ModelContext
from perimetry.models.report_prompt import render_study
from perimetry.models.request import Decoding, ImagePart, Part, Prompt, Request, Response, TextPart
from perimetry.models.spec import resolve_model
from perimetry.models.transformers_model import TransformersModel

pytestmark = pytest.mark.long

GREEDY = Decoding(max_new_tokens=12)


@dataclass(frozen=True)
class Drawn:
    """A picture drawn from a seed."""

    seed: int
    size: tuple[int, ...]
    broken: bool = False

    @property
    def digest(self) -> str:
        return f"{self.seed}/{self.size}"

    @property
    def name(self) -> str:
        return self.digest

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        if self.broken:
            raise ImageError("a broken picture")
        return np.random.default_rng(self.seed).integers(0, 256, self.size, dtype=np.uint8)

    def encoded(self) -> None:
        return None


def request(index: int, *parts: Part, decoding: Decoding = GREEDY, system: str = "", seed: int = 1) -> Request:
    return Request(f"r{index}", str(index), "mine", "real", 0, seed, Prompt(parts, system=system), decoding)


def questions(decoding: Decoding = GREEDY) -> list[Request]:
    """Requests of different lengths, with an image, without, with two, with a system text."""
    made = []
    for index in range(10):
        text = TextPart(f"Is there a pleural effusion {'in the left lung ' * (index % 4)}? Case {index}.")
        shape = (40 + index, 30) if index % 2 else (25, 31 + index, 3)
        image = ImagePart(Image(Drawn(index, shape)))
        parts: tuple[Part, ...] = (image, text)
        if index == 3:
            parts = (text,)
        if index == 6:
            parts = (image, TextPart("Compare it with this one:"), ImagePart(Image(Drawn(77, (28, 28)))), text)
        made.append(request(index, *parts, decoding=decoding, system="Be brief." if index == 8 else "", seed=index))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_llava(tmp_path_factory.mktemp("tiny") / "llava")


@pytest.fixture(scope="module")
def model(folder: Path) -> TransformersModel:
    return in_process(folder)


def in_process(folder: Path, **context: Any) -> TransformersModel:
    made = resolve_model(f"hf:{folder}", ModelContext(device="cpu", **context))
    assert isinstance(made, TransformersModel)
    return made


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of ``transformers serve`` on this machine; ended by its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log.txt"
    command = [
        *(str(Path(sys.executable).parent / "transformers"), "serve", str(folder)),
        *("--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--dtype", "float32"),
    ]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
    try:
        deadline = time.monotonic() + 240
        while True:
            assert process.poll() is None, f"the server ended:\n{log.read_text()[-2000:]}"
            assert time.monotonic() < deadline, f"the server did not start:\n{log.read_text()[-2000:]}"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                    break
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


def ask(endpoint: OpenAIEndpoint, requests: Sequence[Request]) -> list[Response]:
    async def run() -> list[Response]:
        try:
            return [await endpoint.ask(each) for each in requests]
        finally:
            await endpoint.aclose()

    return asyncio.run(run())


def outcomes(responses: Sequence[Response]) -> list[tuple[str, str | None, str]]:
    assert [response.failure for response in responses] == [None] * len(responses)
    return [(response.request_id, response.text, response.finish_reason) for response in responses]


def test_server_and_process_give_the_same_greedy_answers(server: str, folder: Path, model: TransformersModel) -> None:
    endpoint = resolve_model(f"openai:{folder}@{server}", ModelContext(max_retries=0))
    assert isinstance(endpoint, OpenAIEndpoint)
    assert endpoint.is_local
    requests = questions()
    served, own = ask(endpoint, requests), list(model.answer(requests))
    assert outcomes(served) == outcomes(own)
    assert [response.usage for response in served] == [response.usage for response in own]
    assert len({response.text for response in own}) == len(own), "the tiny model should tell its inputs apart"


def test_an_image_changes_the_answer_on_both_sides(server: str, folder: Path, model: TransformersModel) -> None:
    endpoint = resolve_model(f"openai:{folder}@{server}", ModelContext(max_retries=0))
    assert isinstance(endpoint, OpenAIEndpoint)
    text = TextPart("Is there a pleural effusion?")
    pair = [request(index, ImagePart(Image(Drawn(index, (40, 40)))), text) for index in range(2)]
    for responses in (ask(endpoint, pair), list(model.answer(pair))):
        assert responses[0].text != responses[1].text


def test_a_request_that_the_server_refuses_is_a_failure(server: str, folder: Path) -> None:
    endpoint = resolve_model(f"openai:{folder}@{server}", ModelContext(max_retries=0, extra_body={"no_such_field": 1}))
    assert isinstance(endpoint, OpenAIEndpoint)
    failure = ask(endpoint, questions()[:1])[0].failure
    assert failure is not None
    assert failure.kind == "bad_request"


@pytest.mark.parametrize("batch_size", [1, 3, 10])
def test_answers_are_equal_in_any_batch_and_order(folder: Path, model: TransformersModel, batch_size: int) -> None:
    requests = questions()
    expected = outcomes(list(model.answer(requests)))
    other = in_process(folder, batch_size=batch_size)
    assert outcomes(list(other.answer(requests[::-1]))) == expected[::-1]


def test_sampling_follows_each_requests_seed_alone(folder: Path, model: TransformersModel) -> None:
    requests = questions(Decoding(12, 0.9, 0.95))
    expected = outcomes(list(model.answer(requests)))
    assert outcomes(list(in_process(folder, batch_size=3).answer(requests[::-1]))) == expected[::-1]
    parts = requests[0].prompt.parts
    drawn = [request(0, *parts, decoding=Decoding(12, 0.9, 0.95), seed=seed) for seed in range(6)]
    assert len({response.text for response in model.answer(drawn)}) > 1


def test_one_bad_request_fails_alone(folder: Path, model: TransformersModel) -> None:
    requests = questions()
    expected = outcomes(list(model.answer(requests)))
    broken = request(90, ImagePart(Image(Drawn(1, (9, 9), broken=True))), TextPart("Is there an effusion?"))
    long = request(91, ImagePart(Image(Drawn(1, (30, 30)))), TextPart("heart " * 600))
    responses = list(model.answer([*requests[:5], broken, long, *requests[5:]]))
    assert [response.request_id for response in responses[5:7]] == ["r90", "r91"]
    failures = [response.failure for response in responses[5:7]]
    assert [failure.kind for failure in failures if failure is not None] == ["unreadable_image", "too_long"]
    assert outcomes(responses[:5] + responses[7:]) == expected


def test_memory_that_runs_out_halves_the_batch(
    folder: Path, model: TransformersModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    requests = questions()
    expected = outcomes(list(model.answer(requests)))
    other = in_process(folder, batch_size=8)
    weights = other._open().model
    own, sizes = weights.generate, []

    def tight(**inputs: Any) -> Any:
        size = len(inputs["input_ids"])
        sizes.append(size)
        if size > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return own(**inputs)

    monkeypatch.setattr(weights, "generate", tight)
    assert outcomes(list(other.answer(requests))) == expected
    assert max(sizes) > 2

    def none(**inputs: Any) -> Any:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(weights, "generate", none)
    failures = [response.failure for response in other.answer(requests[:3])]
    assert [failure.kind for failure in failures if failure] == ["out_of_memory"] * 3


def test_pickling_leaves_the_weights_behind(folder: Path, model: TransformersModel) -> None:
    requests = questions()[:2]
    data = pickle.dumps(model)
    assert len(data) < 5_000
    assert outcomes(list(pickle.loads(data).answer(requests))) == outcomes(list(model.answer(requests)))


def test_it_says_what_it_is(folder: Path, model: TransformersModel) -> None:
    list(model.answer(questions()[:1]))
    said = model.describe()
    assert (said["device"], said["dtype"], said["revision"]) == ("cpu", "float32", "local folder")
    assert said["trust_remote_code"] is False


def test_a_folder_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"cannot be loaded"):
        list(in_process(tmp_path).answer(questions()[:1]))


CARD = """
name = "tiny"
title = "The tiny LLaVA"
family = "LLaVA"
licence = "none"
served = "tiny"

[profiles.shovir]
summary = "Frontal image, its own prompt."
report_prompt = "Describe this image."
sampling = { max_new_tokens = 12 }

[profiles.reref]
summary = "All images and the indication."
report_prompt = "Describe this image."
sections = ["indication", "comparison"]
absent = "N/A"
views = "all"
sampling = { max_new_tokens = 12, temperature = 0.0 }
extra = { chat_template_kwargs = { loud = true } }
"""


def reports() -> list[Request]:
    """Requests for the reports of three studies."""
    studies = [
        Study(
            str(index),
            "mine",
            "g",
            (Image(Drawn(100 + index, (40, 30)), view=view), Image(Drawn(200 + index, (30, 40)), view="LATERAL")),
            {"indication": f"Fever for {index} days.", "findings": "The left lung is collapsed."},
        )
        for index, view in enumerate(("PA", "AP", "PA"))
    ]
    return [
        Request(f"r{study.id}", study.id, "mine", "real", 0, 1, render_study(study), Decoding(300)) for study in studies
    ]


@pytest.mark.parametrize("profile", ["", "shovir", "reref"])
def test_reports_of_server_and_process_are_the_same(server: str, folder: Path, profile: str) -> None:
    """Through a card's profile, which gives prompt, images and decoding, and without one."""
    use = CardUse(parse_card(CARD, "here"), profile)
    own = TransformersModel(str(folder), ModelContext(device="cpu"), card=use)
    context = ModelContext(max_retries=0)
    style = use.style({})
    endpoint = OpenAIEndpoint(str(folder), Address(server), context, card=use, style=style)
    requests = reports()
    answers = list(own.answer(requests))
    if profile == "reref":  # not every server takes fields for its chat template: what they do is shown below
        assert len({response.text for response in answers}) == 3
        return
    assert outcomes(ask(endpoint, requests)) == outcomes(answers)
    assert len({response.text for response in answers}) == 3
    limit = 12 if profile else 300
    assert {response.usage.completion_tokens for response in answers if response.finish_reason == "length"} <= {limit}


def test_a_profile_tells_the_chat_template_of_a_model_in_this_process(tmp_path: Path) -> None:
    folder = build_tiny_llava(tmp_path / "llava")
    template = folder / "chat_template.jinja"
    quiet = CardUse(parse_card(CARD.replace("loud = true", "loud = false"), "here"), "reref")
    loud = CardUse(parse_card(CARD, "here"), "reref")
    text = template.read_text(encoding="utf-8")
    template.write_text(text + "{% if loud %} collapsed collapsed{% endif %}", encoding="utf-8")
    first, second = (
        [response.usage.prompt_tokens for response in TransformersModel(str(folder), card=use).answer(reports())]
        for use in (quiet, loud)
    )
    assert all((after or 0) > (before or 0) for before, after in zip(first, second, strict=True))
