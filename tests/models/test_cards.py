"""Cards: the schema, the cards that ship, and what a card changes about a request."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path

import pytest
from tests.models.loopback import LoopbackServer

from perimetry.cases.errors import DataError, UnknownNameError, UsageError
from perimetry.models.cards import card_names, card_of, load_card, load_cards, parse_card, profile_of
from perimetry.models.openai_endpoint import OpenAIEndpoint
from perimetry.models.registry import ModelContext
from perimetry.models.request import Prompt, Request, Response, TextPart
from perimetry.models.spec import resolve_model
from perimetry.models.transformers_model import TransformersModel

MINE = """
name = "mine"
title = "Mine"
family = "any"
licence = "MIT"
hub_id = "me/mine"
revision = "0123456789abcdef0123456789abcdef01234567"

[chat]
system = "user"
text = "parts"
limit_field = "max_completion_tokens"
extra = { chat_template_kwargs = { enable_thinking = false } }

[images]
format = "jpeg"
quality = 80
max_edge = 512
max_count = 4

[sampling]
temperature = 0.6
top_p = 0.95
max_new_tokens = 4096

[profiles.think]
summary = "Thinks."
system = "Think first."
instruction = "Now think."
report_prompt = "Describe."
sections = ["indication"]
max_images = 1
"""


def ask(model: OpenAIEndpoint, request: Request) -> Response:
    async def run() -> Response:
        try:
            return await model.ask(request)
        finally:
            await model.aclose()

    return asyncio.run(run())


REQUEST = Request("r", "1", "mine", "real", 0, 3, Prompt((TextPart("Effusion?"),), system="Be brief."))


def test_the_cards_that_ship_are_valid_and_say_what_is_unverified() -> None:
    cards = {card.name: card for card in load_cards()}
    assert (
        set(card_names())
        == set(cards)
        >= {
            "generic-chat",
            "qwen2.5-vl-7b",
            "medvlthinker-7b-rl-m23k",
            "medvlthinker-7b-rl-pmc",
            "medgemma-4b",
        }
    )
    for card in cards.values():
        assert card.licence
        if card.hub_id and card.pinned is None:
            assert "not pinned" in card.warnings()[0]
        for name, profile in card.profiles.items():
            adds = bool(profile.instruction or profile.system)
            assert any(f"profile {name} adds words" in said for said in card.warnings(name)) is adds


def test_every_field_arrives() -> None:
    card = parse_card(MINE, "here")
    assert card.pinned == "0123456789abcdef0123456789abcdef01234567"
    assert card.warnings() == []
    assert card.images.policy().max_edge == 512
    assert card.images.policy(2).max_count == 2
    assert card.sampling is not None
    assert card.sampling.decoding().spelling == "max_new_tokens=4096,temperature=0.6,top_p=0.95"
    assert card.profiles["think"].sections == ("indication",)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('title = "Mine"', "", "title is missing"),
        ('title = "Mine"', 'titel = "Mine"', "titel is not a field of a card"),
        ("quality = 80", "quality = 0", "images.quality"),
        ("quality = 80", 'quality = "80"', "images.quality"),
        ('format = "jpeg"', 'format = "gif"', "images.format"),
        ("max_edge = 512", "max_egde = 512", "images.max_egde is not a field"),
        ("max_images = 1", "max_images = 0", "profiles.think.max_images"),
        ('sections = ["indication"]', 'sections = ["history"]', "profiles.think.sections"),
        ('sections = ["indication"]', 'sections = ["findings"]', "profiles.think.sections"),
        ('sections = ["indication"]', 'sections = ["impression"]', "profiles.think.sections"),
        ('"Describe."', '"Describe, given {technique}."', "list it under sections"),
        ("max_images = 1", 'views = "lateral"', "profiles.think.views"),
        ("max_images = 1", 'report_style = "short"', "profiles.think.report_style"),
        ("0123456789abcdef0123456789abcdef01234567", "main", "revision"),
        ("0123456789abcdef0123456789abcdef01234567", "unpinned", 'list "revision" under verify'),
        ('hub_id = "me/mine"', 'hub_id = "mine"', "hub_id"),
        ("top_p = 0.95", "top_p = 1.5", "sampling.top_p"),
        ("[chat]", "[chat", "is not TOML"),
    ],
)
def test_a_wrong_card_names_the_field(old: str, new: str, words: str) -> None:
    assert MINE.count(old) == 1
    with pytest.raises(DataError) as caught:
        parse_card(MINE.replace(old, new), "cards/mine.toml")
    assert words in str(caught.value)
    assert "cards/mine.toml" in str(caught.value)


def test_a_profile_adds_its_words_and_the_run_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    with LoopbackServer() as server:
        plain = resolve_model(f"card:{path}@{server.url}", ModelContext(extra_body={"logprobs": True}))
        think = resolve_model(f"card:{path}/think@{server.url}")
        assert isinstance(plain, OpenAIEndpoint)
        assert isinstance(think, OpenAIEndpoint)
        assert ask(plain, REQUEST).text == ask(think, REQUEST).text == "yes"
        first, second = (recorded.body for recorded in server.requests)
    assert (plain.name, think.name) == ("card:mine", "card:mine/think")
    assert first == {
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Effusion?"}],
            }
        ],
        "model": "me/mine",
        "max_completion_tokens": 2048,
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": 3,
        "logprobs": True,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    texts = [part["text"] for part in second["messages"][0]["content"]]
    assert texts == ["Think first.\n\nBe brief.", "Effusion?\nNow think."]
    assert plain.describe()["warnings"] == []
    assert "profile think adds words" in think.describe()["warnings"][0]
    assert think.describe()["profile_instruction"] == "Now think."
    assert profile_of(plain) is None
    profile = profile_of(think)
    assert profile is not None
    assert profile.report_prompt == "Describe."
    assert think.policy.max_count == 1
    assert pickle.loads(pickle.dumps(think)).describe() == think.describe()


def test_without_an_address_the_model_runs_in_this_process() -> None:
    model = resolve_model("card:qwen2.5-vl-7b")
    assert isinstance(model, TransformersModel)
    assert model.name == "card:qwen2.5-vl-7b"
    use = card_of(model)
    assert use is not None
    assert use.card == load_card("qwen2.5-vl-7b")
    assert any("not pinned" in said for said in model.describe()["warnings"])


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("card:qwen2.5-vl-8b", UnknownNameError, "qwen2.5-vl-7b"),
        ("card:medgemma-4b/shovr@http://h/v1", UnknownNameError, "shovir"),
        ("card:generic-chat/shovir", UsageError, "no profiles"),
        ("card:coral", UsageError, "on no hub"),
        ("card:generic-chat@http://h/v1", UsageError, "names no model"),
        ("card:gone.toml@http://h/v1", UsageError, "no card file"),
        ("card:/x", UsageError, "card:CARD"),
    ],
)
def test_specs_that_name_no_card(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        resolve_model(spec)


def test_a_card_with_remote_code_needs_leave_or_an_endpoint(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"{MINE}\n[environment]\nremote_code = true\n", encoding="utf-8")
    with pytest.raises(UsageError, match="code of its own"):
        resolve_model(f"card:{path}")
    assert resolve_model(f"card:{path}", ModelContext(trust_remote_code=True)).name == "card:mine"
    assert resolve_model(f"card:{path}@http://localhost:1/v1").name == "card:mine"


def test_generic_chat_is_what_openai_does() -> None:
    from perimetry.models.chat.body import ChatStyle
    from perimetry.models.rendering import ImagePolicy

    card = load_card("generic-chat")
    assert card.chat.style({}) == ChatStyle()
    assert card.images.policy() == ImagePolicy()
