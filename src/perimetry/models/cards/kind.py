"""The model kind ``card``: a model spoken to as its card says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perimetry.cases.errors import UsageError
from perimetry.models.model import Model
from perimetry.models.registry import ModelContext, ModelKind

if TYPE_CHECKING:
    from perimetry.models.cards.card import Profile
    from perimetry.models.cards.use import CardUse

__all__ = ["KIND", "card_of", "profile_of"]

_TAIL = re.compile(r"(?P<card>.+?\.toml|[^/@]+)(?:/(?P<profile>[^/@]+))?(?:@(?P<url>https?://.+))?")


def card_of(model: Model) -> CardUse | None:
    """The card a model was made from, with its profile; None for a model without a card."""
    return getattr(model, "card", None)


def profile_of(model: Model) -> Profile | None:
    """The profile a model was made with; the model itself puts reports in its words (`CardUse.to`)."""
    use = card_of(model)
    return use.profile if use is not None else None


def _make(tail: str, context: ModelContext) -> Model:
    from perimetry.models.cards.library import load_card
    from perimetry.models.cards.use import CardUse

    found = _TAIL.fullmatch(tail)
    if found is None:
        raise UsageError(
            f"'card:{tail}' cannot be read. Write {KIND.grammar}, for example "
            "card:qwen2.5-vl-7b@http://localhost:8000/v1."
        )
    use = CardUse(load_card(found["card"]), found["profile"] or "")
    if not use.card.hub_id and not use.card.served:
        raise UsageError(
            f"Card {use.card.name} names no model. Write openai:NAME@URL for an endpoint, hf:PATH_OR_ID for a model "
            "in this process."
        )
    if found["url"]:
        return _endpoint(use, found["url"], context)
    return _in_process(use, context)


def _endpoint(use: CardUse, url: str, context: ModelContext) -> Model:
    from perimetry.models.chat.address import Address
    from perimetry.models.openai_endpoint import OpenAIEndpoint

    style = use.style(context.extra_body)
    return OpenAIEndpoint(
        use.card.served or use.card.hub_id,
        Address(url),
        context,
        name=use.name,
        policy=use.policy,
        style=style,
        card=use,
    )


def _in_process(use: CardUse, context: ModelContext) -> Model:
    from perimetry.models.transformers_model import TransformersModel

    if not use.card.hub_id:
        raise UsageError(
            f"Card {use.card.name}: its weights are on no hub. Serve them ({use.card.environment.serve}) and write "
            f"card:{use.card.name}@URL."
        )
    if use.card.environment.remote_code and not context.trust_remote_code:
        raise UsageError(
            f"Card {use.card.name}: {use.card.hub_id} brings code of its own. Serve it by its own process and write "
            f"card:{use.card.name}@URL, or allow the code with --trust-remote-code."
        )
    return TransformersModel(use.card.hub_id, context, name=use.name, policy=use.policy, card=use)


KIND = ModelKind(
    name="card",
    grammar="card:CARD[/PROFILE][@URL]",
    summary="A known model, spoken to as its card says: at an endpoint, or in this process without an address.",
    make=_make,
)
