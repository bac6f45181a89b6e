"""Multiple-choice items of words drawn at random, and cues planted in some of them."""

from __future__ import annotations

from dataclasses import replace

from perimetry.screening.guessers import GuessItem
from perimetry.statistics import below, permutation, raw_integers

WORDS = [
    f"{start}{middle}{end}" for start in "bcdfglmnprst" for middle in ("ala", "eri", "oso", "ulu") for end in "nrst"
]
LABELS = "ABCDEFGHIJ"


def drawn_items(count: int, *, options: int = 5, dataset: str = "drawn", seed: int = 7) -> list[GuessItem]:
    """Items whose key was drawn apart from everything that can be seen."""
    items = []
    for number in range(count):
        raw = raw_integers(seed, "planted", dataset, number, size=options * 6 + 14)
        picked = [WORDS[place] for place in below(raw, len(WORDS)).tolist()]
        texts = [" ".join(picked[6 * place : 6 * place + 2 + place % 4]) for place in range(options)]
        order = permutation(seed, "planted-order", dataset, number, size=options).tolist()
        key = int(below(raw_integers(seed, "planted-key", dataset, number, size=1), options)[0])
        items.append(
            GuessItem(
                dataset,
                f"{number:05}",
                f"g{number // 2}",
                f"{' '.join(picked[-12:])} {number}",
                tuple((LABELS[place], texts[order[place]]) for place in range(options)),
                (LABELS[key],),
            )
        )
    return items


def planted_ids(items: list[GuessItem], share: float, seed: int = 11) -> set[str]:
    """Ids of a share of the items."""
    order = permutation(seed, "planted-share", size=len(items)).tolist()
    return {items[place].id for place in order[: round(share * len(items))]}


def with_cue(item: GuessItem, cue: str) -> GuessItem:
    """The item with its key marked by ``word`` (words added), ``length`` (a long text) or ``stem`` (named there)."""
    key = item.keys[0]
    text = dict(item.options)[key]
    if cue == "stem":
        return replace(item, stem=f"{item.stem} {text}")
    tail = " as classically described" if cue == "word" else " " + " ".join(WORDS[place] for place in range(40, 52))
    return replace(item, options=tuple((label, it + tail if label == key else it) for label, it in item.options))
