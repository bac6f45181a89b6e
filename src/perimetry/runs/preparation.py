"""What a run needs before it asks anybody: cases, conditions, neighbours, plan and models."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from perimetry.cases import CaseSet, Question, UsageError, data_use_of, load
from perimetry.cases.box_sizes import box_sizes
from perimetry.cases.dataset import Case
from perimetry.cases.errors import DataError
from perimetry.cases.only import ONLY
from perimetry.cases.question import AnswerType
from perimetry.cases.spec import DataSpec
from perimetry.conditions import Condition, Surroundings, parse_condition
from perimetry.conditions.neighbours import NeighbourIndex, build_neighbours, parse_embedder
from perimetry.inference import RequestPlan
from perimetry.models import Model, ModelContext, resolve_model
from perimetry.runs.asked import Asked
from perimetry.runs.builder import request_plan
from perimetry.runs.design import Design, LaidOut, Profile, questions_of
from perimetry.runs.folder import RunFolder
from perimetry.runs.plan import Plan, build_plan

__all__ = ["Preparation", "TrainingSplits", "check_same_cases", "load_case_sets", "prepare", "resolve_models"]

NEIGHBOURS = "neighbours"

OWN_DATA = ("table", "hub")
"""Data sets whose data-use class the user sets."""

MANY_IMAGES = 2000
"""Images from which on their embedding is told of."""

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrainingSplits:
    """Gives the training split of each data set of a run; picklable.

    Parameters
    ----------
    asked : Asked
    names : tuple of str
        Names of the data sets, in the order of `Asked.data`.
    """

    asked: Asked
    names: tuple[str, ...]

    def __call__(self, dataset: str) -> Sequence[Question]:
        """Training questions of the data set of that name.

        Raises
        ------
        DataError
            When the data set has no training split.
        """
        for spec, name in zip(self.asked.data, self.names, strict=True):
            if name == dataset:
                return questions_of(self._load(spec).cases)
        raise DataError(f"There is no training split of {dataset}: it is not part of this run.")

    def _load(self, spec: str) -> CaseSet:
        try:
            return load(
                # Ids that were chosen are those of the items that are asked.
                DataSpec.parse(spec).without_setting(ONLY).absolute,
                split="train",
                answer_type=_answer_type(self.asked),
                seed=self.asked.seed,
                mapping=self.asked.mapping or None,
                images=self.asked.images or None,
            )
        except (DataError, UsageError) as error:
            remedy = (
                " Give the table a column split with train and test (or map one with --map FILE), and ask for the "
                "test rows with --split test."
                if DataSpec.parse(spec).name in OWN_DATA
                else " Leave the baselines out for this data set."
            )
            raise UsageError(
                f"A baseline is fitted on training rows, and {spec} gives none. {error}{remedy}"
            ) from error


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """Everything that follows from what was asked, before any answer.

    Parameters
    ----------
    asked : Asked
    case_sets : tuple of CaseSet
    conditions : tuple of Condition
    surroundings : Surroundings
    neighbours : NeighbourIndex or None
        Present when a condition needs it.
    plan : Plan
    design : Design
    laid : LaidOut
        The cases of the plan.
    """

    asked: Asked
    case_sets: tuple[CaseSet, ...]
    conditions: tuple[Condition, ...]
    surroundings: Surroundings
    neighbours: NeighbourIndex | None
    plan: Plan
    design: Design
    laid: LaidOut

    def requests(self) -> RequestPlan:
        """The unique requests of the plan in the form in which `perimetry.inference` asks them."""
        return request_plan(
            self.plan,
            self.laid.case_sets,
            self.conditions,
            self.surroundings,
            self.design.profile,
            self.asked.decoding,
            self.design.render,
        )

    @property
    def profile(self) -> Profile:
        """The words in which every case is put."""
        profile: Profile = self.design.profile
        return profile

    @property
    def cases(self) -> tuple[Case, ...]:
        """All cases in the order of the plan."""
        return self.laid.cases

    @property
    def withheld(self) -> frozenset[str]:
        """Data sets whose images and texts stay out of the report.

        Those that are not open; and all of them where hard negatives come from a pool that is not.
        """
        everything = self.asked.pool and data_use_of(self.asked.pool)[1] != "open"
        return frozenset(one.name for one in self.case_sets if everything or one.data_use != "open")

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions in the order of the plan."""
        return questions_of(self.cases)


def load_case_sets(asked: Asked) -> tuple[CaseSet, ...]:
    """Load every data set of a run; raises `UsageError` where two would share a name."""
    case_sets: list[CaseSet] = []
    for spec in asked.data:
        case_set = load(
            spec,
            split=asked.split or None,
            limit=asked.limit or None,
            answer_type=_answer_type(asked),
            seed=asked.seed,
            mapping=asked.mapping or None,
            images=asked.images or None,
        )
        if any(case_set.name == other.name for other in case_sets):
            raise UsageError(
                f"Two data sets of this run are called {case_set.name!r}, so that their estimates could not be told "
                "apart. Audit them in two runs."
            )
        _note_conversions(case_set)
        if case_set.data_use != "open" and DataSpec.parse(spec).name in OWN_DATA:
            case_set.funnel.note(
                f"its images and texts are withheld from reports (data_use={case_set.data_use}); the setting "
                "data_use=open shows them"
            )
        for line in case_set.funnel.summary_lines(case_set.name, quoting=case_set.data_use == "open"):
            LOGGER.warning("%s", line)
        case_sets.append(case_set)
    return tuple(case_sets)


def _note_conversions(case_set: CaseSet) -> None:
    """Record in the funnel how many images are not shown as their files hold them."""
    sources = {id(image.source): image.source for case in case_set.cases for image in case.images}
    counts = Counter(getattr(source, "conversion", "") for source in sources.values())
    for conversion in sorted(set(counts) - {""}):
        case_set.funnel.note(f"{counts[conversion]:,} images, {conversion}")


def prepare(
    asked: Asked,
    case_sets: Sequence[CaseSet],
    design: Design,
    folder: RunFolder | None = None,
    laid: LaidOut | None = None,
) -> Preparation:
    """Parse conditions, find neighbours and lay out the plan.

    Parameters
    ----------
    asked : Asked
    case_sets : sequence of CaseSet
        What `load_case_sets` gives.
    design : Design
    folder : RunFolder or None
        Where the neighbour index is kept and found again; without one it is made anew.
    laid : LaidOut or None
        The cases of the plan where they are at hand already.
    """
    laid = laid or design.lay_out(asked, case_sets)
    conditions = tuple(parse_condition(spelling) for spelling in asked.conditions)
    spellings = [condition.spelling for condition in conditions]
    for spelling in spellings:
        if spellings.count(spelling) > 1:
            raise UsageError(f"The condition {spelling} was given twice. Give each condition once.")
    pool = _pool(asked, case_sets) if any(condition.needs_neighbours for condition in conditions) else ()
    neighbours = _neighbours(asked, conditions, pool, laid.cases, folder)
    tables = {case_set.name: neighbours for case_set in case_sets} if neighbours is not None else {}
    surroundings = Surroundings(
        asked.seed, tables, {case_set.name: box_sizes(case_set.studies) for case_set in case_sets}
    )
    plan = build_plan(
        laid.case_sets,
        conditions,
        surroundings,
        design.profile.spelling,
        asked.decoding,
        asked.repeats,
        asked.retest,
        design.concerns,
    )
    return Preparation(asked, tuple(case_sets), conditions, surroundings, neighbours, plan, design, laid)


def check_same_cases(before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise a `DataError` unless the digests of a run's data sets are those that run.toml holds.

    Parameters
    ----------
    before, now : mapping of str to str
        Data set to digest: of run.toml, and of what was loaded.
    """
    for name in (*before, *(name for name in now if name not in before)):
        if before.get(name) != now.get(name):
            raise DataError(
                f"The cases of {name} are not those this run was made with (digest {now.get(name, 'none')}, run.toml "
                f"has {before.get(name, 'none')}): answers to both would be mixed. Give the data as it was, with "
                "--data if it was moved; or another --out to audit the cases as they are now."
            )


def resolve_models(
    asked: Asked, case_sets: Sequence[CaseSet], options: ModelContext | None = None
) -> tuple[Model, ...]:
    """Make the models of a run; raises `UsageError` where two would share a name.

    Parameters
    ----------
    asked : Asked
    case_sets : sequence of CaseSet
        With the cases of the plan.
    options : ModelContext or None
        How models are reached and loaded (timeout, rate, device ...); what follows from the run is filled in.
    """
    context = replace(
        options or ModelContext(),
        seed=asked.seed,
        decoding=asked.decoding,
        training=TrainingSplits(asked, tuple(case_set.name for case_set in case_sets)),
        case_ids=frozenset(case.id for case_set in case_sets for case in case_set.cases),
        mapping=Path(asked.mapping) if asked.mapping else None,
    )
    models = tuple(resolve_model(spec, context) for spec in asked.models)
    names = [model.name for model in models]
    for name in names:
        if names.count(name) > 1:
            advice = (
                "Name the model of each file (recorded:FILE#MODEL) or rename one of the files."
                if name.startswith("recorded:")
                else "Audit them in two runs and use `perimetry compare RUN RUN2`."
            )
            raise UsageError(
                f"Two models of this run are called {name!r}, so that their estimates could not be told apart. {advice}"
            )
    return models


def _pool(asked: Asked, case_sets: Sequence[CaseSet]) -> tuple[Question, ...]:
    """Where neighbours come from: the loaded splits before any limit, or the data set that was named."""
    if asked.pool:
        return questions_of(load(asked.pool, split="all", mapping=asked.mapping or None).pool)
    return tuple(case for case_set in case_sets for case in questions_of(case_set.pool))


def _neighbours(
    asked: Asked,
    conditions: Sequence[Condition],
    pool: Sequence[Question],
    planned: Sequence[Case],
    folder: RunFolder | None,
) -> NeighbourIndex | None:
    """The neighbour index of a run: the one in its folder if it fits, else a new one."""
    wanted = [condition for condition in conditions if condition.needs_neighbours]
    if not wanted:
        return None
    cases = questions_of(planned)
    if folder is not None and (folder.path / NEIGHBOURS).is_dir():
        try:
            kept = NeighbourIndex.load(folder.path / NEIGHBOURS, pool)
        except (DataError, UsageError):
            kept = None
        if kept is not None and _fits(kept, asked, wanted, cases):
            return kept
    return build_neighbours(pool, cases, wanted, parse_embedder(asked.embedder), asked.seed, _tell_embedding)


def _tell_embedding(done: int, total: int) -> None:
    """Say how far the reading of a large pool is: nothing else is heard of a run until it is done."""
    if total < MANY_IMAGES:
        return
    if done == 1:
        LOGGER.warning("hard negatives: %s images are read and compared", f"{total:,}")
    for quarter in (1, 2, 3):
        if done == total * quarter // 4:
            LOGGER.warning("hard negatives: %s of %s images are read", f"{done:,}", f"{total:,}")


def _fits(kept: NeighbourIndex, asked: Asked, wanted: Sequence[Condition], cases: Sequence[Question]) -> bool:
    """Whether an index that was kept answers what this run asks."""
    known = {(match.dataset, match.case) for match in kept.matches}
    return (
        set(kept.conditions) == {condition.spelling for condition in wanted}
        and kept.embedder == parse_embedder(asked.embedder).name
        and kept.seed == asked.seed
        and all((case.dataset, case.id) in known for case in cases)
    )


def _answer_type(asked: Asked) -> AnswerType | None:
    known: tuple[AnswerType, ...] = ("closed", "open", "choice")
    for name in known:
        if asked.answer_type == name:
            return name
    if asked.answer_type:
        raise UsageError(f"answer_type is {asked.answer_type!r}; expected closed, open or choice.")
    return None
