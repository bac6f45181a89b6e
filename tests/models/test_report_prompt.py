"""The prompt for a report: what every model is put, and what a profile may and may not show."""

from __future__ import annotations

import asyncio
import base64
import pickle
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.models.loopback import LoopbackServer

from perimetry.cases.errors import CaseError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.study import SECTIONS, Box, Examined, Study
from perimetry.models.cards import Card, load_card, load_cards, parse_card
from perimetry.models.cards.use import CardUse
from perimetry.models.openai_endpoint import OpenAIEndpoint
from perimetry.models.report_prompt import CONTEXT, REPORT_PROFILE, ReportProfile, material_of, render_study
from perimetry.models.request import Decoding, ImagePart, Prompt, Request, Response, TextPart
from perimetry.models.spec import resolve_model
from perimetry.models.views import chosen_images, is_frontal
from perimetry.scoring.report_text import STYLES


@dataclass(frozen=True)
class Flat:
    """An image of one grey."""

    grey: int

    @property
    def digest(self) -> str:
        return f"flat{self.grey}"

    @property
    def name(self) -> str:
        return self.digest

    @property
    def shape(self) -> tuple[int, int]:
        return (4, 4)

    def read(self) -> Pixels:
        return np.full((4, 4), self.grey, dtype=np.uint8)

    def encoded(self) -> tuple[bytes, str] | None:
        return None


def study(*views: str, sections: tuple[str, ...] = SECTIONS, boxed: tuple[int, ...] = ()) -> Study:
    return Study(
        id="study7",
        dataset="mine",
        group="patient",
        images=tuple(Image(Flat(place), view=view) for place, view in enumerate(views)),
        sections={name: f"sentinel of\n {name}" for name in sections},
        boxes=tuple(Box(place, 0, 0, 2, 2, frozenset({"Edema"}), "sentinel of box") for place in boxed),
        labels={"Edema": 1.0},
        hidden={"file": "sentinel of hidden"},
    )


def greys(prompt: Prompt) -> list[int]:
    return [int(image.pixels()[0, 0]) for image in prompt.images]


def words(text: str) -> set[str]:
    return {name for name in (*SECTIONS, "box", "hidden") if f"sentinel of {name}" in text}


def request_of(case: Study) -> Request:
    return Request("r", case.id, "mine", "real", 0, 3, render_study(case), Decoding(700))


def test_the_audits_own_prompt_shows_one_frontal_image_and_no_section() -> None:
    prompt = render_study(study("LATERAL", "PA", "AP"))
    assert greys(prompt) == [1]
    assert prompt.text == REPORT_PROFILE.prompt
    assert (prompt.answer_type, prompt.system, prompt.question, prompt.options) == ("report", "", "", ())
    assert not words(prompt.text)
    assert isinstance(prompt.parts[0], ImagePart)


def test_nothing_of_the_report_its_labels_or_hidden_metadata_is_in_a_request() -> None:
    """Not in the words, and not in anything else that travels with the request."""
    whole = pickle.dumps(request_of(study("PA", boxed=(0,))))
    for name in ("findings", "impression", "box", "hidden"):
        assert f"sentinel of\n {name}".encode() not in whole
        assert f"sentinel of {name}".encode() not in whole
    assert b"sentinel of\n indication" in whole  # the search would find it


def test_the_class_under_examination_changes_no_prompt() -> None:
    case = study("PA", boxed=(0,))
    examined = Study(
        **{name: getattr(case, name) for name in Study.__dataclass_fields__ if name not in ("id", "examined")},
        id="study7#Edema",
        examined=Examined("study7", "Edema", True, case.boxes),
    )
    assert render_study(examined) == render_study(case)


@pytest.mark.parametrize("card", tuple(load_cards()), ids=lambda card: card.name)
def test_profiles_show_the_sections_that_they_name_and_no_other(card: Card) -> None:
    for name, profile in card.profiles.items():
        use = CardUse(card, name)
        asked = use.to(request_of(study("PA", "LATERAL")))
        assert words(asked.prompt.text) == set(profile.sections)
        assert asked.id == "r"
        assert 1 <= len(asked.prompt.images) <= 2
        bare = use.to(request_of(study("PA", sections=())))
        assert "{" not in bare.prompt.text.replace("boxed{}", "")
        assert profile.report_style in STYLES
        if name == "shovir":
            assert not profile.sections
            assert greys(asked.prompt) == [0]
            assert asked.decoding.temperature == (0.2 if card.name == "libra" else 0.0)
    plain = CardUse(card).to(request_of(study("PA", "LATERAL")))
    assert plain == request_of(study("PA", "LATERAL"))


def test_every_generating_card_has_the_occlusion_papers_profile() -> None:
    without = {card.name for card in load_cards() if "shovir" not in card.profiles}
    assert without == {"generic-chat", "medvlthinker-7b-rl-m23k", "medvlthinker-7b-rl-pmc"}


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("medgemma-1.5-4b/shovir", "Describe this X-ray."),
        ("nv-reason-cxr-3b/shovir", "Find abnormalities and support devices."),
        ("chexone/shovir", "Write an example findings section for the CXR."),
        ("libra/shovir", "Provide a detailed description of the findings in the radiology image."),
        ("llava-rad/shovir", "Describe the findings of the chest x-ray."),
        ("med-cxrgen-i/shovir", "Provide a detailed description of the impression in the radiology image."),
        ("maira-2/shovir", ""),
        ("cxrmate-rrg24/shovir", ""),
        ("chex-mimic/reref", ""),
        ("qwen2.5-vl-7b/shovir", REPORT_PROFILE.prompt),
        ("maira-2/reref", "Indication: cough\nTechnique: N/A\nComparison: N/A"),
        ("chexagent-2/reref", "Given the indication cough, write a structured findings section for the CXR."),
        ("libra/reref", "Provide a detailed description of the findings in the radiology image.\nIndication: cough"),
    ],
)
def test_prompts_of_the_cards(spec: str, wanted: str) -> None:
    card, _, profile = spec.partition("/")
    case = Study("1", "mine", "g", (Image(Flat(1), view="PA"),), {"indication": " cough\n", "findings": "Edema."})
    assert CardUse(load_card(card), profile).to(request_of(case)).prompt.text == wanted


def test_a_section_that_the_study_lacks() -> None:
    case = study("PA", sections=("technique",))
    profile = ReportProfile("x", "Describe, given {indication}.", CONTEXT)
    assert render_study(case, profile).text == "Technique: sentinel of technique\nDescribe, given ."
    named = ReportProfile("x", "Describe, given {indication}.", CONTEXT, absent="N/A")
    assert render_study(case, named).text.endswith("Comparison: N/A\nDescribe, given N/A.")


def test_a_section_that_holds_a_slot_is_quoted_as_it_stands() -> None:
    case = Study("1", "mine", "g", sections={"indication": "{technique}", "technique": "portable"})
    profile = ReportProfile("x", "Given {indication}, describe \\boxed{}.", ("indication",))
    assert render_study(case, profile).text == "Given {technique}, describe \\boxed{}."


@pytest.mark.parametrize("field", ["prompt", "sections", "quoted", "absent", "system", "views", "max_images"])
def test_whatever_shapes_the_prompt_is_in_the_spelling(field: str) -> None:
    from dataclasses import replace

    other = {"sections": ("technique",), "quoted": "after", "views": "all", "max_images": 3}.get(field, "other")
    assert replace(REPORT_PROFILE, **{field: other}).spelling != REPORT_PROFILE.spelling  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("views", "boxed", "rule", "most", "shown"),
    [
        (("PA",), (), "frontal", 1, [0]),
        (("LATERAL", "AP"), (), "frontal", 1, [1]),
        (("PA", "AP"), (1,), "frontal", 1, [1]),
        (("PA", "AP"), (), "frontal", None, [0, 1]),
        (("", ""), (), "frontal", 1, [0]),
        (("LATERAL", ""), (), "frontal", None, [1]),
        (("LATERAL", "AP", "PA"), (), "all", None, [1, 2, 0]),
        (("LATERAL", "AP", "PA"), (), "all", 2, [1, 2]),
        (("LATERAL", "AP", "PA"), (0,), "all", 2, [1, 0]),
        (("LATERAL", "AP", "PA"), (2,), "pair", None, [2, 0]),
        (("LATERAL",), (), "pair", None, [0]),
        (("PA", "AP"), (), "pair", None, [0]),
        ((), (), "frontal", 1, []),
    ],
)
def test_which_images_are_shown(
    views: tuple[str, ...], boxed: tuple[int, ...], rule: str, most: int | None, shown: list[int]
) -> None:
    found = chosen_images(material_of(study(*views, boxed=boxed)), rule, most)  # type: ignore[arg-type]
    assert [int(image.pixels()[0, 0]) for image in found] == shown


def test_a_study_without_a_frontal_image_is_named() -> None:
    with pytest.raises(CaseError, match=r"study7.*LATERAL.*PA or AP"):
        render_study(study("LATERAL"))


def test_views_of_the_known_data_sets() -> None:
    frontal = ("PA", "AP", "ap", "AP_horizontal", "AP AXIAL", "Frontal", "postero-anterior", "antero-posterior")
    other = ("LATERAL", "L", "LL", "Lateral", "LAO", "COSTAL", "SWIMMERS", "", "MAP", "PAIN")
    assert all(map(is_frontal, frontal))
    assert not any(map(is_frontal, other))


def ask(model: OpenAIEndpoint, *requests: Request) -> list[Response]:
    async def run() -> list[Response]:
        try:
            return [await model.ask(request) for request in requests]
        finally:
            await model.aclose()

    return asyncio.run(run())


def test_an_endpoint_is_sent_what_the_profile_says(tmp_path: Path) -> None:
    """Images, words, decoding and further fields of the body, for one profile with all of them."""
    path = tmp_path / "mine.toml"
    path.write_text(
        """
name = "mine"
title = "Mine"
family = "any"
licence = "MIT"
served = "local-name"

[chat]
extra = { a = 1, b = 1 }

[profiles.full]
summary = "All there is."
system = "You read radiographs."
instruction = "End there."
report_prompt = "Describe."
sections = ["comparison", "indication"]
views = "all"
max_images = 2
sampling = { temperature = 0.25, extra = { num_beams = 4, b = 3 } }
extra = { b = 2 }
""",
        encoding="utf-8",
    )
    question = Request("q", "1", "mine", "real", 0, 3, Prompt((TextPart("Effusion?"),), answer_type="closed"))
    with LoopbackServer() as server:
        model = resolve_model(f"card:{path}/full@{server.url}")
        assert isinstance(model, OpenAIEndpoint)
        lost = Request("l", "study7", "mine", "real", 0, 3, render_study(Study("study7", "mine", "g")))
        assert [each.failure for each in ask(model, request_of(study("LATERAL", "PA")), question, lost)] == [None] * 3
        report, other, _ = (recorded.body for recorded in server.requests)
    assert report["model"] == "local-name"
    assert report["messages"][0] == {"role": "system", "content": "You read radiographs."}
    *images, text = report["messages"][1]["content"]
    sent = [Pillow.open(BytesIO(base64.b64decode(part["image_url"]["url"].partition(",")[2]))) for part in images]
    assert [picture.getpixel((0, 0)) for picture in sent] == [1, 0]
    lines = ["Indication: sentinel of indication", "Comparison: sentinel of comparison", "Describe.", "End there."]
    assert text == {"type": "text", "text": "\n".join(lines)}
    drawn = {"max_tokens": 700, "temperature": 0.25, "top_p": 1.0, "num_beams": 4, "a": 1, "b": 3}
    assert {key: report[key] for key in drawn} == drawn
    assert (other["temperature"], other["b"]) == (0.0, 2)
    assert "num_beams" not in other
    facts = model.describe()
    assert facts["report_profile"].startswith("mine/full#")
    assert facts["report_sampling"] == '{"extra": {"b": 3, "num_beams": 4}, "temperature": 0.25}'
    assert (facts["report_prompt"], facts["report_style"]) == ("Describe.\nEnd there.", "report")


def test_a_study_without_a_frontal_image_fails_alone() -> None:
    """Its prompt was made by a profile that shows all views; the card's shows frontal ones."""
    every = ReportProfile("all", "Describe.", views="all", max_images=None)
    requests = [
        Request(name, "study7", "mine", "real", 0, 3, render_study(study(view), every))
        for name, view in (("a", "LATERAL"), ("b", "PA"))
    ]
    with LoopbackServer() as server:
        model = resolve_model(f"card:medgemma-4b/shovir@{server.url}")
        assert isinstance(model, OpenAIEndpoint)
        first, second = ask(model, *requests)
    assert first.failure is not None
    assert first.failure.kind == "unaskable"
    assert "LATERAL" in first.failure.message
    assert second.failure is None


def test_thinking_is_switched_by_the_profile() -> None:
    card = load_card("qwen3.5-9b")
    for profile, wanted in (("thinking", True), ("non-thinking", False), ("shovir", False)):
        use = CardUse(card, profile)
        assert use.template_fields == {"enable_thinking": wanted}
        assert use.style({}).extra["chat_template_kwargs"] == {"enable_thinking": wanted}
        assert use.style({"chat_template_kwargs": {}}).extra["chat_template_kwargs"] == {}
    assert CardUse(card).template_fields == {}


def test_a_changed_prompt_is_another_profile() -> None:
    """A run holds what a model's card said; a changed card must not be taken for the same model."""
    text = (Path(str(load_card.__code__.co_filename)).parent / "medgemma-4b.toml").read_text(encoding="utf-8")
    then = CardUse(parse_card(text, "then"), "shovir").facts()
    now = CardUse(parse_card(text.replace("Describe this X-ray.", "Describe this film."), "now"), "shovir").facts()
    assert then["report_profile"] != now["report_profile"]
