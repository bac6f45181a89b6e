"""Numbers in options: outliers, the middle and the ends of a range, units, order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median

from perimetry.screening.asymmetry import asymmetric
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.screen import HALADYNA, MEDQA_MM, Screen

__all__ = ["SCREENS"]

UNITS = (
    "mmol/L|µmol/L|umol/L|mEq/L|mg/dL|g/dL|ng/mL|pg/mL|IU/L|U/L|mmHg|mm Hg|cmH2O|beats/min|breaths/min|mg/kg"
    "|mcg/kg|kg/m2|mcg|µg"
    "|mg|kg|g|mL|ml|dL|L|mm|cm|m|µm|nm|Hz|kHz|MHz|mGy|Gy|mSv|kVp|HU|ms|seconds?|sec|minutes?|min|hours?|hrs?"
    "|days?|weeks?|wks?"
    "|months?|years?|yrs?|degrees?|°C|°F|°|%|percent|fold|cells|times"
)
NUMBER = re.compile(
    rf"(?<![\w.])(?P<value>[-−]?\d+(?:,\d{{3}})+(?:\.\d+)?"
    rf"|[-−]?\d*\.?\d+)(?P<slash>/\d+)?\s*(?P<unit>{UNITS})?(?![\w.]*\d)(?!\w)"
)
ORDINALS = {
    **dict(zip(["first", "second", "third", "fourth", "fifth", "sixth"], range(1, 7), strict=True)),
    **dict(zip(["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"], range(1, 11), strict=True)),
}
FAR = 3.0
"""An outlier is this many times as far from its nearest neighbour as all others spread, or as large or small."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The number of an option, its unit, and where both stand."""

    label: str
    value: float
    unit: str
    start: int
    end: int


def _amounts(item: Item) -> list[Amount]:
    """One number an option; empty where an option has none, or several, or where it only numbers something."""
    found = []
    rests = set()
    for option in item.options:
        numbers = list(NUMBER.finditer(option.text))
        if len(numbers) != 1:
            return []
        match = numbers[0]
        value = float(match["value"].replace(",", "").replace("−", "-"))
        unit = (match["unit"] or "").lower().removesuffix("s")
        found.append(Amount(option.label, value, unit, match.start(), match.end()))
        rests.add(option.text[: match.start()].strip().lower())
    # "Region 4", "Region 2": numbers of places are no amounts.
    numbered = len(rests) == 1 and rests != {""} and not any(amount.unit for amount in found)
    return [] if numbered else found


def _outlier(item: Item, _: DatasetStatistics) -> Finding | None:
    amounts = sorted(_amounts(item), key=lambda amount: amount.value)
    if len(amounts) < 4 or len({amount.unit for amount in amounts}) > 1:
        return None
    lone: list[Amount] = []
    for end, rest, nearest in ((amounts[0], amounts[1:], amounts[1]), (amounts[-1], amounts[:-1], amounts[-2])):
        spread = rest[-1].value - rest[0].value
        gap = abs(end.value - nearest.value)
        if gap > 0 and gap >= FAR * spread:
            lone.append(end)
    if len(lone) != 1:
        return None
    return asymmetric(item, {lone[0].label: [_span(lone[0], "outlier")]}, "medium")


def _middle(item: Item, _: DatasetStatistics) -> Finding | None:
    amounts = _amounts(item)
    if len(amounts) < 3 or len({amount.value for amount in amounts}) < len(amounts):
        return None
    middle = median(amount.value for amount in amounts)
    return asymmetric(item, {one.label: [_span(one, "middle value")] for one in amounts if one.value == middle}, "low")


def _ends(item: Item, _: DatasetStatistics) -> Finding | None:
    amounts = _amounts(item)
    if len(amounts) < 3 or len({amount.value for amount in amounts}) < len(amounts):
        return None
    ends = {min(amount.value for amount in amounts), max(amount.value for amount in amounts)}
    return asymmetric(
        item, {one.label: [_span(one, "end of the range")] for one in amounts if one.value in ends}, "low"
    )


def _unit(item: Item, _: DatasetStatistics) -> Finding | None:
    """One option that has a unit, or a unit of its own, or alone has none."""
    if len(item.options) < 3:
        return None
    units: dict[str, str] = {}
    places: dict[str, Span] = {}
    for option in item.options:
        match = next((match for match in NUMBER.finditer(option.text)), None)
        if match is None:
            return None
        units[option.label] = (match["unit"] or "").lower().removesuffix("s")
        places[option.label] = Span(option.label, match.start(), match.end(), match["unit"] or "no unit")
    counts = {unit: list(units.values()).count(unit) for unit in units.values()}
    lone = [label for label, unit in units.items() if counts[unit] == 1]
    if len(lone) != 1 or max(counts.values()) != len(units) - 1:
        return None
    return asymmetric(item, {lone[0]: [places[lone[0]]]}, "medium")


def _ordered(item: Item, _: DatasetStatistics) -> Finding | None:
    """Whether options stand in a natural order: numbers, or ordinals."""
    values = [amount.value for amount in _amounts(item)] or _ordinals(item)
    if len(values) < 3 or len(set(values)) < len(values):
        return None
    ordered = sorted(values)
    if values == ordered:
        return Finding(severity="low", note="ascending")
    return Finding(severity="low", note="descending") if values == ordered[::-1] else None


def _ordinals(item: Item) -> list[float]:
    found = []
    for option in item.options:
        ranks = [ORDINALS.get(word.lower, ORDINALS.get(word.text, 0)) for word in option.words]
        ranks = [rank for rank in ranks if rank]
        if len(ranks) != 1:
            return []
        found.append(float(ranks[0]))
    return found


def _span(amount: Amount, label: str) -> Span:
    return Span(amount.label, amount.start, amount.end, label)


SCREENS = (
    Screen(
        "numeric-outlier",
        "Number far from the others",
        "option form",
        "option",
        "the smallest or largest of four or more numbers where it lies three times as far from its neighbour as all "
        "others spread",
        _outlier,
        HALADYNA,
    ),
    Screen(
        "numeric-middle",
        "Middle number",
        "option form",
        "option",
        "the median of an odd count of different numbers, one an option",
        _middle,
        HALADYNA,
    ),
    Screen(
        "numeric-end",
        "Smallest or largest number",
        "option form",
        "option",
        "the ends of a range of different numbers, one an option",
        _ends,
        MEDQA_MM,
    ),
    Screen(
        "unit-mismatch",
        "Unit of its own",
        "option form",
        "option",
        "an option whose number alone has another unit than the shared one, or alone has or lacks a unit",
        _unit,
    ),
    Screen(
        "ordered-options",
        "Options in their natural order",
        "option form",
        "item",
        "three or more options that stand in ascending or descending order of their numbers or ordinals",
        _ordered,
    ),
)
