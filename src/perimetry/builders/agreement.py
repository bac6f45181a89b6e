"""How far two sources of labels agree on the same images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SourceAgreement"]


@dataclass(slots=True)
class SourceAgreement:
    """Counts over image-class pairs: one source takes the part of the truth.

    Parameters
    ----------
    classes : tuple of str
    counts : dict of str to list of int
        True positives, false positives and false negatives of each class.

    Examples
    --------
    >>> both = SourceAgreement(("Edema", "Pneumonia"))
    >>> both.add({"Edema"}, {"Edema", "Pneumonia"})
    >>> round(both.f1(), 3)
    0.667
    """

    classes: tuple[str, ...]
    counts: dict[str, list[int]] = field(default_factory=dict)

    def add(self, truth: Iterable[str], found: Iterable[str]) -> None:
        """Count one image."""
        meant, said = set(truth), set(found)
        for name in self.classes:
            if name in meant or name in said:
                place = 0 if name in meant and name in said else 1 if name in said else 2
                self.counts.setdefault(name, [0, 0, 0])[place] += 1

    def f1(self, name: str | None = None) -> float | None:
        """F1 of a class, or over all image-class pairs (micro); None where neither source has any."""
        chosen = self.counts.values() if name is None else [self.counts.get(name, [0, 0, 0])]
        hits, extra, missed = (sum(count[place] for count in chosen) for place in range(3))
        return 2 * hits / (2 * hits + extra + missed) if hits + extra + missed else None

    def to_dict(self) -> Mapping[str, Any]:
        """As plain data, for funnel.json."""
        return {
            "f1": self.f1(),
            "per class": {
                name: {"f1": self.f1(name), "both": hits, "mapped only": extra, "original only": missed}
                for name, (hits, extra, missed) in sorted(self.counts.items())
            },
        }
