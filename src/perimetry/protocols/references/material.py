"""What a reference audit is about: references with their alternatives, and the systems' reports beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.dataset import CaseSet, DataUse
from perimetry.cases.echo import echo
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.study import Study
from perimetry.protocols.references.systems import SystemReports
from perimetry.protocols.score.alternatives import ORIGINAL, Alternatives, Matched, section_text
from perimetry.protocols.score.ids import IdAdvice, sample
from perimetry.protocols.score.reports import Reports
from perimetry.scoring.report_metric import Report

__all__ = ["SECTIONS", "Material", "References", "gather"]

SECTIONS = ("findings", "impression", "report")
"""What may be scored; ``report`` is findings and impression."""


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """One data set: its references, the systems' reports, the alternatives.

    Parameters
    ----------
    reports : Reports
    alternatives : Matched
    data_use : {"open", "restricted", "credentialed"}
    left_out : mapping of str to int
        Studies that are not scored, by reason.
    """

    reports: Reports
    alternatives: Matched
    data_use: DataUse
    left_out: Mapping[str, int]

    @property
    def name(self) -> str:
        """Of the data set."""
        return self.reports.name

    def reference(self, condition: str) -> tuple[Report, ...]:
        """References under a variation; None where the original stands in."""
        return self.reports.references if condition == ORIGINAL else self.alternatives.texts[condition]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """All data sets of an audit.

    Parameters
    ----------
    sets : tuple of References
    systems : tuple of str
        Of any data set, in the order in which they were given.
    variations : tuple of str
        Those with an alternative for some study.
    untouched : tuple of str
        Variations that were tried and have no alternative at all.
    """

    sets: tuple[References, ...]
    systems: tuple[str, ...]
    variations: tuple[str, ...]
    untouched: tuple[str, ...]

    @property
    def datasets(self) -> tuple[str, ...]:
        """One entry a study."""
        return tuple(each.name for each in self.sets for _ in each.reports.ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """One entry a study."""
        return tuple(identity for each in self.sets for identity in each.reports.ids)

    @property
    def groups(self) -> tuple[str, ...]:
        """One entry a study."""
        return tuple(group for each in self.sets for group in each.reports.groups)

    @property
    def data_use(self) -> DataUse:
        """The strictest of the data sets."""
        uses = [each.data_use for each in self.sets]
        order: tuple[DataUse, ...] = ("credentialed", "restricted", "open")
        return next(use for use in order if use in uses)


def gather(
    loaded: Sequence[CaseSet], alternatives: Sequence[Alternatives], systems: Sequence[SystemReports], section: str
) -> Material:
    """Line references, alternatives and systems up by the studies' ids.

    Studies without the section are left out, and so are those without a report of every system of their data set;
    both are counted.

    Parameters
    ----------
    loaded : sequence of CaseSet
        Of studies.
    alternatives : sequence of Alternatives
        One for all data sets, or one for each.
    systems : sequence of SystemReports
    section : {"findings", "impression", "report"}

    Raises
    ------
    UsageError, DataError
    """
    if section not in SECTIONS:
        raise UsageError(f"--section is {section!r}; expected one of {', '.join(SECTIONS)}.")
    if len(alternatives) not in (1, len(loaded)):
        raise UsageError(
            f"{len(alternatives)} folders of alternatives were given for {len(loaded)} data sets. Give one for all, or "
            "one for each in the same order."
        )
    names = [each.name for each in loaded]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"Two data sets are called {name}. Give one of them another name (name=...).")
    several = _named_systems(systems)
    paired = alternatives if len(alternatives) == len(loaded) else [alternatives[0]] * len(loaded)
    sets = tuple(_set(one, given, several, section, loaded, systems) for one, given in zip(loaded, paired, strict=True))
    for system in several:
        if all(system not in each.reports.systems for each in sets):
            raise DataError(
                f"The system {system} has no report for any study of {', '.join(names)}, which have ids such as "
                f"{sample(sets[0].reports.ids)}. {_taken(systems, system, sets[0].reports.ids)}"
            )
    tried = tuple(dict.fromkeys(each for given in alternatives for each in given.variations))
    held = tuple(each for each in tried if any(_alters(one, each) for one in sets))
    if not held:
        raise DataError(
            "No study has an accepted alternative, so there is nothing to compare. funnel.json of `perimetry rewrite` "
            "says why each was turned down."
        )
    sets = tuple(_with(one, held, tried) for one in sets)
    return Material(sets, tuple(several), held, tuple(each for each in tried if each not in held))


def _named_systems(systems: Sequence[SystemReports]) -> Mapping[str, Mapping[tuple[str, str], Report]]:
    found: dict[str, dict[tuple[str, str], Report]] = {}
    for one in systems:
        for name, reports in one.reports.items():
            held = found.setdefault(name, {})
            # A system may have a file for each data set; what it said of one study stands in one of them.
            twice = next((key for key in reports if key in held), None)
            if twice is not None:
                raise UsageError(
                    f"Two systems are called {name}: {one.source} has a second report of it for the study "
                    f"{echo(twice[1])}. Give each a name of its own; where studies of two data sets have the same ids, "
                    "add a column dataset."
                )
            held.update(reports)
    if not found:
        raise UsageError("No system was named. Give their reports with --systems FILE or --systems FILE:COLUMN,COLUMN.")
    return found


def _set(
    loaded: CaseSet,
    given: Alternatives,
    systems: Mapping[str, Mapping[tuple[str, str], Report]],
    section: str,
    every: Sequence[CaseSet],
    given_systems: Sequence[SystemReports],
) -> References:
    studies = [case for case in loaded.cases if isinstance(case, Study)]
    if len(studies) != len(loaded.cases):
        raise DataError(f"{loaded.name} holds questions; a reference audit needs studies with reports.")
    elsewhere = {case.id for other in every if other is not loaded for case in other.cases}
    with_section = [study for study in studies if section_text(study.sections, section)]
    if not with_section:
        raise DataError(
            f"None of the {len(studies):,} studies of {loaded.name} has a text in {section!r}. Name another --section, "
            "or map the column of the reports onto findings with --map."
        )
    mine: dict[str, dict[str, Report]] = {}
    for system, reports in systems.items():
        found: dict[str, Report] = {}
        for study in with_section:
            if (loaded.name, study.id) in reports:
                found[study.id] = reports[loaded.name, study.id]
            elif ("", study.id) in reports:
                if study.id in elsewhere:
                    raise DataError(
                        f"The id {study.id!r} of {system} is in several data sets. Add a column dataset to its file."
                    )
                found[study.id] = reports["", study.id]
        if found:
            mine[system] = found
    if not mine:
        raise DataError(
            f"No system has a report for any study of {loaded.name}, which have ids such as "
            f"{sample(study.id for study in with_section)}. "
            f"{_taken(given_systems, '', [study.id for study in with_section])}"
        )
    kept = [study for study in with_section if all(study.id in reports for reports in mine.values())]
    if not kept:
        raise DataError(f"No study of {loaded.name} has a report of every system: {', '.join(mine)}.")
    references = tuple(section_text(study.sections, section) for study in kept)
    lined = Reports(
        loaded.name,
        tuple(study.id for study in kept),
        tuple(study.group or study.id for study in kept),
        references,
        {system: tuple(found[study.id] for study in kept) for system, found in mine.items()},
    )
    left_out = {
        **{step.reason: step.removed for step in loaded.funnel.steps if not step.asked_for},
        f"no text in the {section}" if section != "report" else "no report": len(studies) - len(with_section),
        "no report of every system": len(with_section) - len(kept),
    }
    matched = given.matched(
        loaded.name,
        lined.ids,
        references,
        section,
        others=[each.name for each in every if each is not loaded],
        known={case.id for each in every for case in each.cases},
        advice=lambda _: IdAdvice(_order(loaded, every)),
    )
    return References(lined, matched, loaded.data_use, {why: count for why, count in left_out.items() if count})


def _taken(systems: Sequence[SystemReports], system: str, ids: Sequence[str]) -> str:
    """Where the ids of the reports of a system, or of the first one, were read from."""
    return next(one for one in systems if not system or system in one.reports).taken(ids)


def _order(loaded: CaseSet, every: Sequence[CaseSet]) -> str:
    told = f"The ids of {loaded.name} are those of its studies (--data, --map)."
    return f"{told} Folders of alternatives stand in the order of --data." if len(every) > 1 else told


def _alters(one: References, variation: str) -> bool:
    return any(each is not None for each in one.alternatives.texts.get(variation, ()))


def _with(one: References, held: Sequence[str], tried: Sequence[str]) -> References:
    """Every variation in every data set; those that a data set's file does not have were not tried there."""
    count = len(one.reports)
    texts = {each: one.alternatives.texts.get(each, (None,) * count) for each in held}
    states = {each: one.alternatives.states.get(each, ("not_tried",) * count) for each in tried}
    written = {each: one.alternatives.written.get(each, (None,) * count) for each in held}
    return References(one.reports, Matched(texts, states, written), one.data_use, one.left_out)
