"""The estimates of a reference audit, again, from files alone: plain Python, nothing of the project."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np


def bleu_counts(ours: str, theirs: str) -> list[float]:
    one, two = ours.split(), theirs.split()
    counts = [float(len(one)), float(len(two))]
    for n in (1, 2):
        grams = [Counter(zip(*(words[at:] for at in range(n)), strict=False)) for words in (one, two)]
        counts += [float(sum((grams[0] & grams[1]).values())), float(max(len(one) - n + 1, 0))]
    return counts


def bleu(sums: np.ndarray) -> float:
    ours, theirs, hit1, all1, hit2, all2 = sums
    if not hit1 or not hit2:
        return 0.0
    return math.exp(min(0.0, 1.0 - theirs / ours)) * math.sqrt(hit1 / all1 * hit2 / all2)


def rouge_counts(ours: str, theirs: str) -> list[float]:
    one, two = ours.split(), theirs.split()
    row = [0] * (len(two) + 1)
    for word in one:
        before = row[:]
        for at, other in enumerate(two, 1):
            row[at] = before[at - 1] + 1 if word == other else max(before[at], row[at - 1])
    return [2.0 * row[-1] / (len(one) + len(two)), 1.0]


def rouge(sums: np.ndarray) -> float:
    return float(sums[0] / sums[1])


METRICS = {"bleu_2": (bleu_counts, bleu), "rouge_l": (rouge_counts, rouge)}


class Again:
    """Everything of one metric over some data sets: ``{name: (rows, alternatives, systems)}``."""

    def __init__(self, metric: str, sets: dict[str, tuple[list[Any], list[Any], tuple[str, ...]]]) -> None:
        count, self.value = METRICS[metric]
        self.counts: dict[tuple[str, str, str], np.ndarray] = {}
        self.feasible: dict[tuple[str, str], np.ndarray] = {}
        self.groups = {name: [row["group"] for row in rows] for name, (rows, _, _) in sets.items()}
        self.variations: list[str] = []
        for name, (rows, alternatives, systems) in sets.items():
            held = {(each["id"], each["target"]): each["alternative"] for each in alternatives}
            self.variations = list(dict.fromkeys([*self.variations, *(target for _, target in held)]))
            for system in systems:
                self.counts[name, system, "original"] = np.array([count(row[system], row["findings"]) for row in rows])
            for variation in self.variations:
                texts = [held[row["id"], variation] for row in rows]
                self.feasible[name, variation] = np.array([text is not None for text in texts])
                for system in systems:
                    self.counts[name, system, variation] = np.array(
                        [
                            count(row[system], text["findings"] if text else row["findings"])
                            for row, text in zip(rows, texts, strict=True)
                        ]
                    )
        self.pairs = [(name, system) for name, (_, _, systems) in sets.items() for system in systems]

    def level(self, name: str, system: str, condition: str, weights: np.ndarray | None = None) -> float:
        counts = self.counts[name, system, condition]
        return self.value((counts if weights is None else counts * weights[:, None]).sum(axis=0))

    def shift(self, name: str, system: str, variation: str, weights: np.ndarray | None = None) -> float:
        at = self.feasible[name, variation]
        more = at.astype(float) if weights is None else at * weights
        return self.level(name, system, variation, more) - self.level(name, system, "original", more)

    def deviation(self) -> float:
        return float(np.std([self.level(*pair, "original") for pair in self.pairs], ddof=1))

    def percentiles(self, variation: str) -> list[float]:
        shifts = sorted(self.shift(*pair, variation) / self.deviation() for pair in self.pairs)
        found = []
        for share in (0.05, 0.25, 0.5, 0.75, 0.95):
            place = share * (len(shifts) - 1)
            low = math.floor(place)
            high = min(low + 1, len(shifts) - 1)
            found.append(shifts[low] + (place - low) * (shifts[high] - shifts[low]))
        return found

    def reversed(self, name: str, variation: str) -> int:
        systems = [system for of, system in self.pairs if of == name]
        return sum(
            (self.level(name, one, "original") - self.level(name, two, "original"))
            * (self.level(name, one, variation) - self.level(name, two, variation))
            < 0
            for one, two in combinations(systems, 2)
        )

    def spread(self, name: str, statistic, draws: int = 2000, seed: int = 5) -> tuple[float, float]:
        """Percentile interval of a statistic of weights, groups drawn with replacement."""
        dice = np.random.default_rng(seed)
        groups = sorted(set(self.groups[name]))
        place = np.array([groups.index(group) for group in self.groups[name]])
        found = []
        for _ in range(draws):
            drawn = np.bincount(dice.integers(0, len(groups), len(groups)), minlength=len(groups))
            found.append(statistic(drawn[place].astype(float)))
        return tuple(np.percentile(found, [2.5, 97.5]))
