"""The metrics of the occlusion audit, each as a measure over the cases that it can use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.chexpert import ABNORMAL
from perimetry.protocols.occlusion.family import Family
from perimetry.protocols.occlusion.grid import Grid
from perimetry.protocols.occlusion.measure import Measure, class_mean, combined, minus, share, shortfall
from perimetry.scoring.labels.classes import POSITIVE, UNCERTAIN
from perimetry.statistics.finishes import divide

__all__ = ["Statistic", "region_statistics"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

ALL = "all"


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """One metric of one model.

    Parameters
    ----------
    metric, condition, comparator, stratum : str
    able : bool array, (cases,)
        Cases that it can use: a report is there under everything that it needs.
    missing : bool array, (cases,)
        Cases left out because a request failed.
    build : callable
        From the cases to use to the measure.
    difference : bool
        Whether zero is its neutral point.
    compared : bool, default True
        Whether two models are compared on it.
    """

    metric: str
    condition: str
    comparator: str
    stratum: str
    able: Flags = field(repr=False)
    missing: Flags = field(repr=False)
    build: Callable[[Flags], Measure] = field(repr=False)
    difference: bool = False
    compared: bool = True

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it has in common with the same metric of another model."""
        return self.metric, self.condition, self.comparator, self.stratum


def region_statistics(grid: Grid) -> Iterator[Statistic]:
    """Everything of the class level; under the strict policy only what stands in the stratum of all classes."""
    numbers = [ABNORMAL.index(name) for name in grid.classes]
    if not numbers:
        return
    of_class = {number: grid.finding == number for number in numbers}
    shown = grid.present & ~np.isnan(grid.true)
    stand_in = (grid.finding >= 0) & ~grid.present & ~(grid.true > 0)
    world = _World(grid, of_class, shown, stand_in)
    real = grid.index("real")
    conditions = [number for number, name in enumerate(grid.conditions) if world.regional(number)]
    for number in ([] if real is None else [real]) + conditions:
        yield from world.level(number)
    tops = [family.top[1] for family in grid.families]
    for number in tops:
        if real is not None:
            yield from world.rise(number, real)
    for fill in dict.fromkeys(family.fill for family in grid.families):
        yield from _of_fill(world, {family.region: family for family in grid.families if family.fill == fill}, real)


def _of_fill(world: _World, family: dict[str, Family], real: int | None) -> Iterator[Statistic]:
    """What sets regions of one fill against each other."""
    for control, suffix in (("ro", ""), ("romatched", "_matched")):
        for region in ("oco", "doco"):
            if region in family and control in family:
                yield from world.delta(family[region], family[control], suffix)
    for region, one in family.items():
        if real is not None:
            yield from world.sensitivity(one, None, "", real)
            for control, suffix in (("ro", ""), ("romatched", "_matched")):
                if region in ("oco", "doco") and control in family:
                    yield from world.sensitivity(one, family[control], suffix, real)
    if "oco" in family and real is not None and not world.grid.strict:
        yield from world.flips(family["oco"].top[1], real)


@dataclass(frozen=True, slots=True, eq=False)
class _World:
    """A grid with the sets of cases that every metric draws on."""

    grid: Grid
    of_class: dict[int, Flags]
    shown: Flags
    stand_in: Flags

    def regional(self, condition: int) -> bool:
        """Whether a condition covers regions."""
        return any(condition == number for family in self.grid.families for _, number in family.members)

    # Measures

    def f1(self, condition: int, number: int, used: Flags) -> Measure:
        """F1 of one class on the studies that show it: 2 tp over stated and true together."""
        stated = self.grid.stated(condition)
        true = np.nan_to_num(self.grid.true)
        return share(2.0 * stated * true, stated + true, used & self.of_class[number] & self.shown)

    def mean_f1(self, condition: int, used: Flags) -> Measure:
        """mu-F1: mean over classes, weighted by their studies."""
        parts = [
            (self.f1(condition, number, used), used & cases & self.shown) for number, cases in self.of_class.items()
        ]
        return class_mean(parts, self.grid.datasets)

    def false_statements(self, condition: int, number: int, used: Flags) -> Measure:
        """Share of the reports on studies without the class that state it; a report without a word is none."""
        grid = self.grid
        cases = used & self.of_class[number] & self.stand_in
        return share(grid.stated(condition), grid.voiced[:, condition], cases)

    def mean_false(self, condition: int, used: Flags) -> Measure:
        """Mean over classes, weighted by their studies without the class."""
        parts = [
            (self.false_statements(condition, number, used), used & cases & self.stand_in)
            for number, cases in self.of_class.items()
        ]
        return class_mean(parts, self.grid.datasets)

    def two_sided(self, number: int, used: Flags) -> Flags:
        """Cases of a class in those data sets that have studies with and studies without it."""
        cases = used & self.of_class[number]
        names = self.grid.datasets
        both = set(names[cases & self.shown].tolist()) & set(names[cases & self.stand_in].tolist())
        return np.asarray(cases & np.isin(names, sorted(both)), dtype=bool)

    def balanced(self, condition: int, number: int, used: Flags) -> Measure:
        """Mean of sensitivity and specificity; a report without a word is wrong on both sides."""
        grid = self.grid
        stated, cases = grid.stated(condition), self.two_sided(number, used)
        true = np.nan_to_num(grid.true)
        ones = np.ones(len(true))
        sensitivity = share(stated * true, true, cases & self.shown)
        specificity = share(grid.voiced[:, condition] - stated, ones, cases & self.stand_in)
        return combined([sensitivity, specificity], lambda left, right: (left + right) / 2.0)

    def mean_balanced(self, condition: int, used: Flags) -> Measure:
        """Mean over the classes that have both studies with and studies without."""
        parts = []
        for number in self.of_class:
            cases = self.two_sided(number, used) & (self.shown | self.stand_in)
            if cases.any():
                parts.append((self.balanced(condition, number, used), cases))
        return class_mean(parts, self.grid.datasets)

    # Statistics

    def _all(
        self,
        metric: str,
        condition: str,
        comparator: str,
        needed: Sequence[int],
        among: Flags,
        build: Callable[[Flags], Measure],
        difference: bool = False,
        stratum: str = ALL,
    ) -> Iterator[Statistic]:
        """A statistic, where there is a case that it could use."""
        grid = self.grid
        if not (grid.applies[:, list(needed)].all(axis=1) & among).any():
            return
        yield Statistic(
            metric,
            condition,
            comparator,
            stratum,
            grid.usable(needed) & among,
            grid.failed(needed) & among,
            build,
            difference,
            compared=stratum == ALL,
        )

    def level(self, condition: int) -> Iterator[Statistic]:
        """F1, false statements and balanced accuracy under one condition, over all classes and for each."""
        name, needed = self.grid.conditions[condition], [condition]
        either = self.shown | self.stand_in
        yield from self._all("mu_f1", name, "", needed, self.shown, partial(self.mean_f1, condition))
        yield from self._all(
            "false_statement_rate", name, "", needed, self.stand_in, partial(self.mean_false, condition)
        )
        if any(self.two_sided(number, self.grid.applies[:, condition]).any() for number in self.of_class):
            yield from self._all("balanced_accuracy", name, "", needed, either, partial(self.mean_balanced, condition))
        if self.grid.strict:
            return
        for number, cases in self.of_class.items():
            stratum = ABNORMAL[number]
            build = partial(self.f1, condition, number)
            yield from self._all("f1", name, "", needed, self.shown & cases, build, stratum=stratum)
            build = partial(self.false_statements, condition, number)
            yield from self._all(
                "false_statement_rate", name, "", needed, self.stand_in & cases, build, stratum=stratum
            )
            both = self.two_sided(number, self.grid.applies[:, condition])
            if both.any():
                build = partial(self.balanced, condition, number)
                yield from self._all("balanced_accuracy", name, "", needed, either & both, build, stratum=stratum)

    def rise(self, condition: int, real: int) -> Iterator[Statistic]:
        """How much more often a class is stated falsely when a region is covered."""

        def build(used: Flags) -> Measure:
            return minus(self.mean_false(condition, used), self.mean_false(real, used))

        name = self.grid.conditions[condition]
        yield from self._all(
            "false_statement_rise", name, "real", [condition, real], self.stand_in, build, difference=True
        )

    def delta(self, region: Family, control: Family, suffix: str) -> Iterator[Statistic]:
        """Control minus region at their highest common strength, both on the same studies; then as a share of it."""
        common = {strength for strength, _ in region.members} & {strength for strength, _ in control.members}
        if not common:
            return
        place, base = dict(region.members)[max(common)], dict(control.members)[max(common)]
        name, against = self.grid.conditions[place], self.grid.conditions[base]
        metric = f"delta_{region.region}"

        def build(used: Flags) -> Measure:
            return minus(self.mean_f1(base, used), self.mean_f1(place, used))

        def relative(used: Flags) -> Measure:
            return shortfall(self.mean_f1(base, used), self.mean_f1(place, used))

        needed = [place, base]
        yield from self._all(metric + suffix, name, against, needed, self.shown, build, difference=True)
        yield from self._all(f"{metric}_relative{suffix}", name, against, needed, self.shown, relative, difference=True)
        if self.grid.strict:
            return
        for number, cases in self.of_class.items():

            def single(used: Flags, number: int = number) -> Measure:
                return minus(self.f1(base, number, used), self.f1(place, number, used))

            yield from self._all(
                metric + suffix,
                name,
                against,
                needed,
                self.shown & cases,
                single,
                difference=True,
                stratum=ABNORMAL[number],
            )

    def sensitivity(self, region: Family, control: Family | None, suffix: str, real: int) -> Iterator[Statistic]:
        """Area between F1 unchanged and F1 under rising strength, as a share of it; or its excess over a control's."""
        members = [family for family in (region, control) if family is not None]
        if any(family.top[0] != 100.0 for family in members):
            return
        needed = [real, *(number for family in members for strength, number in family.members if strength)]

        def area(family: Family, used: Flags) -> Measure:
            steps = [(0.0, real), *((strength / 100.0, number) for strength, number in family.members if strength)]
            places = np.asarray([strength for strength, _ in steps])

            def value(*levels: Numbers) -> Numbers:
                lost = np.stack([divide(levels[0] - level, levels[0]) for level in levels], axis=-1)
                return np.asarray(np.trapezoid(lost, places, axis=-1), dtype=np.float64)

            return combined([self.mean_f1(number, used) for _, number in steps], value)

        if control is None:
            yield from self._all(
                f"s_auc_{region.region}", region.name, "", needed, self.shown, partial(area, region), difference=True
            )
            return

        def excess(used: Flags) -> Measure:
            return minus(area(region, used), area(control, used))

        yield from self._all(
            f"s_auc_{region.region}_excess{suffix}",
            region.name,
            control.name,
            needed,
            self.shown,
            excess,
            difference=True,
        )

    def flips(self, covered: int, real: int) -> Iterator[Statistic]:
        """What becomes of a statement of B when A is covered, among studies of A."""
        grid = self.grid
        name = grid.conditions[covered]
        for number, cases in self.of_class.items():
            for other, finding in enumerate(ABNORMAL):
                if other == number:
                    continue
                truth = grid.truth[:, other]
                before, after = grid.said[:, real, other], grid.said[:, covered, other]
                stratum = f"{ABNORMAL[number]}>{finding}"
                true = cases & self.shown & (truth == POSITIVE)
                false = cases & self.shown & (truth != POSITIVE) & (truth != UNCERTAIN)
                dropped = partial(share, before * (1.0 - after), before)
                gained = partial(share, (1.0 - before) * after, 1.0 - before)
                yield from self._all(
                    "flip_rate", name, "real", [covered, real], true & (before > 0), dropped, stratum=stratum
                )
                yield from self._all(
                    "reverse_flip_rate", name, "real", [covered, real], false & (before < 1), gained, stratum=stratum
                )
