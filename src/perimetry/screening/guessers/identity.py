"""What makes two items the same for a guesser, so that one must not train what is told of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from perimetry.cases.digest import digest_parts
from perimetry.screening.guessers.item import GuessItem, plain

__all__ = ["KINDS", "Identities", "identities"]

KINDS = ("id", "group", "image", "stem", "options", "stem+options")
"""Identities of an item; the last two are the normalised inputs of the two guessers."""

TEMPLATE_KINDS = frozenset({"stem", "options"})
TEMPLATE_SHARE = 0.02
TEMPLATE_LEAST = 20


@dataclass(frozen=True, slots=True)
class Identities:
    """Identity values of items.

    Parameters
    ----------
    values : mapping of kind to a tuple of values an item
        Without those of templates.
    templates : mapping of kind to (value to items)
        Stems or option lists that more than 2% of the items (and more than 20) share: a form in which many different
        items are cast, not an identity. They do not bind items together, and are counted instead.
    """

    values: dict[str, list[tuple[str, ...]]]
    templates: dict[str, dict[str, int]] = field(default_factory=dict)


def identities(items: Sequence[GuessItem]) -> Identities:
    """Identity values of every item.

    Examples
    --------
    >>> pair = (("A", "Yes"), ("B", "No"))
    >>> items = [GuessItem("d", str(n), str(n), f"Is sign {n} there?", pair, ("A",)) for n in range(30)]
    >>> found = identities(items)
    >>> found.templates["options"].values(), found.values["options"][0]
    (dict_values([30]), ())
    """
    limit = max(TEMPLATE_LEAST, TEMPLATE_SHARE * len(items))
    values: dict[str, list[tuple[str, ...]]] = {}
    templates: dict[str, dict[str, int]] = {}
    for kind in KINDS:
        rows = [_values(item, kind) for item in items]
        if kind in TEMPLATE_KINDS:
            common = {
                value: count for value, count in Counter(it for row in rows for it in row).items() if count > limit
            }
            rows = [tuple(value for value in row if value not in common) for row in rows]
            templates[kind] = common
        values[kind] = rows
    return Identities(values, templates)


def _values(item: GuessItem, kind: str) -> tuple[str, ...]:
    stem = plain(item.stem)
    # Two items with the same options in another order are the same to a ranker of options.
    options = sorted(plain(text) or text for text in item.texts)
    if kind == "id":
        return (digest_parts([item.dataset, item.id]),)
    if kind == "group":
        return (digest_parts([item.dataset, item.group]),)
    if kind == "image":
        return item.images
    if kind == "stem":
        return (digest_parts([stem]),) if stem else ()
    if kind == "options":
        return (digest_parts(options),)
    return (digest_parts([stem, *options]),)
