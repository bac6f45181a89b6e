"""Specifications of models, kinds from outside, and the list of all that can be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.models.listing import list_models
from perimetry.models.model import BatchModel
from perimetry.models.registry import ModelContext, ModelKind, model_kinds
from perimetry.models.spec import resolve_model


def test_every_kind_has_its_model() -> None:
    assert model_kinds().names() == ("baseline", "card", "hf", "openai", "reader", "recorded")
    for spec in ("openai:m@http://localhost/v1", "hf:folder", "reader:blind", "baseline:majority"):
        assert resolve_model(spec).name == spec.partition("@")[0]


@pytest.mark.parametrize("spec", ["", "openai", "openai:", ":m", "just-a-name"])
def test_what_is_no_spec_gets_the_grammars(spec: str) -> None:
    with pytest.raises((UsageError, UnknownNameError)) as caught:
        resolve_model(spec)
    assert "openai" in str(caught.value)


@pytest.mark.parametrize(("spec", "near"), [("opnai:m@http://h/v1", "openai"), ("reader:blnd", "blind")])
def test_unknown_names_get_the_nearest(spec: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=near):
        resolve_model(spec)


def test_readers_get_the_seed() -> None:
    def answers(seed: int) -> list[str | None]:
        from perimetry.models.request import Prompt, Request, TextPart

        prompt = Prompt((TextPart("?"),), question="Which?", options=(("A", "a"), ("B", "b")), answer_type="choice")
        model = resolve_model("reader:random", ModelContext(seed=seed))
        assert isinstance(model, BatchModel)
        requests = [Request(str(i), str(i), "mine", "real", 0, 0, prompt) for i in range(40)]
        return [response.text for response in model.answer(requests)]

    assert answers(1) == answers(1) != answers(2)


class Parrot(BatchModel):
    """A model of another package."""

    name = "parrot:x"

    def answer(self, requests: Sequence[Any]) -> Any:
        return iter(())


PARROT = ModelKind("parrot", "parrot:NAME", "Says it again.", lambda tail, context: Parrot())
CLASH = ModelKind("openai", "openai:X", "Takes the name of another.", lambda tail, context: Parrot())


def _offer(monkeypatch: pytest.MonkeyPatch, name: str, kind: ModelKind) -> None:
    import perimetry.cases.registry as registry

    class Point(EntryPoint):
        def load(self) -> ModelKind:
            return kind

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(name, "elsewhere:KIND", group)])


def test_another_package_can_add_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    _offer(monkeypatch, "parrot", PARROT)
    assert isinstance(resolve_model("parrot:anything"), Parrot)
    assert "parrot:NAME" in [line.name for line in list_models()]


def test_another_package_cannot_take_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _offer(monkeypatch, "openai", CLASH)
    with pytest.raises(UsageError, match="already"):
        resolve_model("openai:m@http://h/v1")


def test_the_list_names_cards_readers_and_baselines() -> None:
    lines = {line.name: line for line in list_models()}
    assert lines["card:medgemma-4b"].hub_id == "google/medgemma-4b-it"
    assert lines["card:medgemma-4b"].profiles == ("reref", "shovir")
    assert lines["card:medgemma-4b"].licence
    assert lines["reader:grounded"].summary
    assert lines["baseline:question+image"].summary
    assert lines["openai:NAME@URL"].runs_now
    assert not lines["card:generic-chat"].runs_now
    assert json.loads(json.dumps([line.to_dict() for line in lines.values()]))


def test_the_list_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import perimetry.models.transformers_model as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    lines = {line.name: line for line in list_models()}
    assert "perimetry[hf]" in lines["hf:PATH_OR_ID"].obstacle
    assert "needs an endpoint" in lines["card:qwen2.5-vl-7b"].obstacle


def test_naming_a_model_imports_nothing_heavy() -> None:
    code = (
        "import sys; from perimetry.models import resolve_model, list_models\n"
        "[resolve_model(s) for s in ('openai:m@http://h/v1', 'hf:x', 'baseline:question', 'card:medgemma-4b@http://h/v1')]\n"
        "list_models()\n"
        "print(sorted({'torch', 'transformers', 'sklearn', 'ray', 'openai', 'altair'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
