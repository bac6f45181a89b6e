"""The cards that ship with the package, and those in files of a user's own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perimetry.cases.errors import DataError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from perimetry.models.cards.card import Card

__all__ = ["card_names", "load_card", "load_cards", "parse_card"]


def card_names() -> tuple[str, ...]:
    """Names of the cards in the package, sorted.

    Examples
    --------
    >>> "generic-chat" in card_names()
    True
    """
    found = (entry.name for entry in files("perimetry.models.cards").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load_card(name: str) -> Card:
    """Read a card by its name, or by the path of a ``.toml`` file.

    Raises
    ------
    UnknownNameError
        When the package has no such card; near names are suggested.
    DataError
        When a file does not hold a card, naming file and field.

    Examples
    --------
    >>> load_card("qwen2.5-vl-7b").hub_id
    'Qwen/Qwen2.5-VL-7B-Instruct'
    """
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise UsageError(f"There is no card file {path}. Known cards: {', '.join(card_names())}.")
        return parse_card(path.read_text(encoding="utf-8"), str(path))
    if name not in card_names():
        raise UnknownNameError("card", name, card_names())
    text = (files("perimetry.models.cards") / f"{name}.toml").read_text(encoding="utf-8")
    return parse_card(text, f"card {name}")


def load_cards() -> Iterator[Card]:
    """Every card of the package, by name."""
    for name in card_names():
        yield load_card(name)


def parse_card(text: str, where: str) -> Card:
    """Check the text of a card; raises `DataError` naming place and field."""
    from pydantic import ValidationError

    from perimetry.models.cards.card import Card

    try:
        values = _tuples(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where} is not TOML: {error}.") from error
    try:
        return Card.model_validate(values)
    except ValidationError as error:
        raise DataError(f"{where} is not a card: {_explain(error)}. See docs/models.md for the fields.") from error


def _tuples(value: Any) -> Any:
    """TOML arrays as tuples, as the frozen schema has them."""
    if isinstance(value, dict):
        return {key: _tuples(inner) for key, inner in value.items()}
    return tuple(_tuples(inner) for inner in value) if isinstance(value, list) else value


def _explain(error: ValidationError) -> str:
    said = []
    for problem in error.errors(include_url=False):
        place = ".".join(str(step) for step in problem["loc"]) or "the card"
        if problem["type"] == "extra_forbidden":
            said.append(f"{place} is not a field of a card")
        elif problem["type"] == "missing":
            said.append(f"{place} is missing")
        else:
            said.append(f"{place}: {problem['msg']}, found {problem['input']!r}"[:300])
    return "; ".join(said)
