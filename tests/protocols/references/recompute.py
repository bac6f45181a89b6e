"""The estimates of a reference audit, again, from files alone: plain Python, nothing of the project."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np


def bleu_counts(order):
    """Lengths, clipped matches of every order, n-grams of every order; whitespace tokens."""

    def count(ours: str, theirs: str) -> list[float]:
        one, two = ours.split(), theirs.split()
        hits, made = [], []
        for n in range(1, order + 1):
            grams = [Counter(zip(*(words[at:] for at in range(n)), strict=False)) for words in (one, two)]
            hits.append(float(sum((grams[0] & grams[1]).values())))
            made.append(float(max(len(one) - n + 1, 0)))
        return [float(len(one)), float(len(two)), *hits, *made]

    return count


def bleu(sums: np.ndarray) -> np.ndarray:
    """Corpus BLEU of one or many sums, (..., 2 + 2 order): not smoothed."""
    order = (sums.shape[-1] - 2) // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.log(sums[..., 2 : 2 + order] / sums[..., 2 + order :]).mean(axis=-1)
        short = np.minimum(0.0, 1.0 - sums[..., 1] / sums[..., 0])
        return np.where((sums[..., 2 : 2 + order] > 0).all(axis=-1), np.exp(short + means), 0.0)


def runs_of_letters(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", text.lower())


def rouge_counts(split):
    def count(ours: str, theirs: str) -> list[float]:
        one, two = split(ours), split(theirs)
        row = [0] * (len(two) + 1)
        for word in one:
            before = row[:]
            for at, other in enumerate(two, 1):
                row[at] = before[at - 1] + 1 if word == other else max(before[at], row[at - 1])
        return [2.0 * row[-1] / (len(one) + len(two)), 1.0]

    return count


def mean(sums: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def label_counts(positive):
    """True positives, false positives, false negatives over all classes.

    ``positive`` reads the classes that a text states, or None from one that it cannot read: such a report states
    nothing, such a reference leaves the study without a value.
    """
    read = cache(positive)

    def count(ours: str, theirs: str) -> list[float] | None:
        said, meant = read(ours) or frozenset(), read(theirs)
        if meant is None:
            return None
        return [float(len(said & meant)), float(len(said - meant)), float(len(meant - said))]

    return count


def micro(sums: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(2.0 * sums[..., 0] / (2.0 * sums[..., 0] + sums[..., 1] + sums[..., 2]))


METRICS = {"bleu_2": (bleu_counts(2), bleu), "rouge_l": (rouge_counts(str.split), mean)}


def default_metrics(positive) -> dict[str, Any]:
    """What the audit scores by default, with the tokens that it uses."""
    held = {f"bleu_{order}": (bleu_counts(order), bleu) for order in (1, 2, 3, 4)}
    return held | {"rouge_l": (rouge_counts(runs_of_letters), mean), "f1_rules": (label_counts(positive), micro)}


def read_set(reports, alternatives, identity: str, reference: str, systems: tuple[str, ...]):
    """A data set of lower-case references with a blank before every full stop, and its usable alternatives.

    Each study is a group of its own. Alternatives are brought into that form; one that is then empty is none, and so is
    one that is then its original.
    """
    lines = read_lines(reports)
    rows = [
        {"id": line[identity], "group": line[identity], "findings": line[reference]}
        | {system: line[system] for system in systems}
        for line in lines
    ]
    known = {row["id"]: row["findings"] for row in rows}
    marks = set(re.findall(r"[^\w\s]", " ".join(known.values())))
    found = []
    for each in read_lines(alternatives):
        text = each["alternative"]["findings"] if each["status"] == "accepted" else ""
        if text:
            text = in_form(text, marks)
            text = "" if text == in_form(known[each["id"]], marks) else text
        found.append({"id": each["id"], "target": each["target"], "alternative": {"findings": text} if text else None})
    used = {each["target"] for each in found if each["alternative"]}
    return rows, [each for each in found if each["target"] in used], systems


def read_lines(path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def in_form(text: str, marks: set[str]) -> str:
    """Lower case, no mark but these, a blank before every full stop that ends something, one at the end."""
    kept = "".join(one if one in marks or re.match(r"[\w\s]", one) else " " for one in text.lower())
    words = [part for word in kept.split() for part in _stop_apart(word)]
    return " ".join(words if words[-1] == "." else [*words, "."])


def _stop_apart(word: str) -> list[str]:
    return [word[:-1], "."] if word.endswith(".") and word != "." else [word]


class Again:
    """Everything of one metric over some data sets: ``{name: (rows, alternatives, systems)}``."""

    def __init__(
        self, metric: str, sets: dict[str, tuple[list[Any], list[Any], tuple[str, ...]]], metrics: Any = None
    ) -> None:
        count: Any
        self.value: Any
        count, self.value = (metrics or METRICS)[metric]
        self.counts: dict[tuple[str, str, str], np.ndarray] = {}
        self.feasible: dict[tuple[str, str], np.ndarray] = {}
        self.ranked: dict[str, np.ndarray] = {}
        self.groups = {name: [row["group"] for row in rows] for name, (rows, _, _) in sets.items()}
        self.variations: list[str] = []
        for name, (rows, alternatives, systems) in sets.items():
            held = {(each["id"], each["target"]): each["alternative"] for each in alternatives}
            self.variations = list(dict.fromkeys([*self.variations, *(target for _, target in held)]))
            found: dict[tuple[str, str], list[Any]] = {}
            for system in systems:
                found[system, "original"] = [count(row[system], row["findings"]) for row in rows]
            for variation in self.variations:
                texts = [held[row["id"], variation] for row in rows]
                self.feasible[name, variation] = np.array([text is not None for text in texts])
                for system in systems:
                    found[system, variation] = [
                        count(row[system], text["findings"] if text else row["findings"])
                        for row, text in zip(rows, texts, strict=True)
                    ]
            # Ranked is what has a value everywhere; a shift needs its own two.
            self.ranked[name] = np.array([all(lines[at] for lines in found.values()) for at in range(len(rows))])
            width = len(next(line for lines in found.values() for line in lines if line))
            for (system, condition), lines in found.items():
                self.counts[name, system, condition] = np.array([line or [0.0] * width for line in lines])
                if condition != "original":
                    self.feasible[name, condition] &= [bool(line) for line in lines]
                    self.feasible[name, condition] &= [bool(line) for line in found[system, "original"]]
        self.pairs = [(name, system) for name, (_, _, systems) in sets.items() for system in systems]

    def level(self, name: str, system: str, condition: str, weights: np.ndarray | None = None) -> float:
        more = self.ranked[name] if weights is None else self.ranked[name] * weights
        return float(self.value(more @ self.counts[name, system, condition]))

    def shift(self, name: str, system: str, variation: str, weights: np.ndarray | None = None) -> float:
        at = self.feasible[name, variation]
        more = at.astype(float) if weights is None else at * weights
        sides = (self.counts[name, system, condition] for condition in (variation, "original"))
        after, before = (self.value(more @ counts) for counts in sides)
        return float(after - before)

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
        return sum(self.turned(name, variation).values())

    def turned(self, name: str, variation: str) -> dict[tuple[str, str], bool]:
        """Whether the leader of a pair of systems falls behind."""
        systems = [system for of, system in self.pairs if of == name]
        return {
            (one, two): (self.level(name, one, "original") - self.level(name, two, "original"))
            * (self.level(name, one, variation) - self.level(name, two, variation))
            < 0
            for one, two in combinations(systems, 2)
        }

    def spread(self, name: str, statistic, draws: int = 2000, seed: int = 5) -> tuple[float, float]:
        """Percentile interval of a statistic of weights, groups drawn with replacement."""
        found = [statistic(weights) for weights in self.weights(name, draws, seed)]
        return tuple(np.percentile(found, [2.5, 97.5]))

    def weights(self, name: str, draws: int, seed: int) -> np.ndarray:
        """How often each row is drawn, (draws, rows)."""
        dice = np.random.default_rng(seed)
        groups = sorted(set(self.groups[name]))
        place = np.array([groups.index(group) for group in self.groups[name]])
        drawn = [
            np.bincount(dice.integers(0, len(groups), len(groups)), minlength=len(groups))[place] for _ in range(draws)
        ]
        return np.array(drawn, dtype=float)

    def drawn(self, name: str, weights: np.ndarray) -> tuple[dict[Any, np.ndarray], dict[Any, np.ndarray]]:
        """Levels by (system, condition) and shifts by (system, variation), resample by resample."""
        levels, shifts = {}, {}
        for (of, system, condition), counts in self.counts.items():
            if of == name:
                ranked = self.ranked[name]
                levels[system, condition] = self.value(weights[:, ranked] @ counts[ranked])
                if condition != "original":
                    at = self.feasible[name, condition]
                    both = (counts, self.counts[name, system, "original"])
                    after, before = (self.value(weights[:, at] @ each[at]) for each in both)
                    shifts[system, condition] = after - before
        return levels, shifts


class Losses:
    """What references lose when another wording, or an error, stands in for them: ``{name: {id: text}}`` each."""

    def __init__(self, count, value, known: dict[str, str], styles: dict[str, Any], errors: dict[str, Any]) -> None:
        self.value = value
        styles = {name: {at: text for at, text in held.items() if text != known[at]} for name, held in styles.items()}
        both = set().union(*styles.values()) & set().union(*errors.values())
        self.ids = list(known)
        plain = [count(known[at], known[at]) for at in self.ids]
        self.sides: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
        for role, several in (("style", styles), ("error", errors)):
            for name, held in several.items():
                at = [row for row, of in enumerate(self.ids) if of in held and of in both]
                worse = np.zeros((len(plain), len(plain[0])))
                worse[at] = [count(held[self.ids[row]], known[self.ids[row]]) for row in at]
                better = np.zeros_like(worse)
                better[at] = [plain[row] for row in at]
                self.sides[role, name] = (better, worse)

    def losses(self, weights: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
        """By role and name; weights are (rows,) or (draws, rows)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                key: self.value(weights @ better) - self.value(weights @ worse)
                for key, (better, worse) in self.sides.items()
            }

    def sensitivity(self, role: str, weights: np.ndarray) -> np.ndarray:
        mean: np.ndarray = np.mean([loss for (of, _), loss in self.losses(weights).items() if of == role], axis=0)
        return mean
