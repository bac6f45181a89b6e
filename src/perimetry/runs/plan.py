"""The plan: one row a trial, many trials sharing a request."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from perimetry.cases.dataset import Case, CaseSet
from perimetry.cases.digest import DIGEST_BYTES, digest_parts
from perimetry.cases.image import Image
from perimetry.cases.question import Question
from perimetry.cases.study import Box, Study
from perimetry.conditions.condition import Condition, Surroundings
from perimetry.models.request import Decoding
from perimetry.statistics.streams import uniform

__all__ = ["Plan", "build_plan", "requests_of"]

RETEST = "retest"

# Names that are Python strings at a time: a column of them weighs half as much.
_NAMES_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Plan:
    """All trials of one model; every model of a run has the same ones.

    Parameters
    ----------
    trials : polars.DataFrame
        Columns ``case`` (index into `keys`), ``condition`` (index into `conditions`), ``repeat``, ``request_id``
        (null where the condition does not apply). Ordered by case, condition, repeat.
    keys : tuple of (dataset, case id)
    conditions : tuple of str
    digests : mapping of str to str
        One digest a data set: what its cases show, and what counts as right.
    """

    trials: pl.DataFrame
    keys: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    digests: Mapping[str, str]

    def table(self, models: Sequence[str]) -> pl.DataFrame:
        """plan.parquet: one row a trial, with names in place of indices."""
        trials = self._named()
        parts = [trials.with_columns(pl.lit(model).alias("model")) for model in models]
        return pl.concat(parts) if parts else trials.with_columns(pl.lit("").alias("model"))

    def not_applicable(self) -> pl.DataFrame:
        """Per data set and condition, how many trials do not apply."""
        return (
            self._named()
            .filter(pl.col("request_id").is_null())
            .group_by("dataset", "condition", maintain_order=True)
            .len("trials")
        )

    def _named(self) -> pl.DataFrame:
        case, condition = self.trials["case"], self.trials["condition"]
        return pl.DataFrame(
            {
                "dataset": pl.Series([dataset for dataset, _ in self.keys], dtype=pl.String).gather(case),
                "case_id": pl.Series([case_id for _, case_id in self.keys], dtype=pl.String).gather(case),
                "condition": pl.Series(self.conditions, dtype=pl.String).gather(condition),
                "repeat": self.trials["repeat"],
                "request_id": self.trials["request_id"],
            }
        )


def build_plan(
    case_sets: Sequence[CaseSet],
    conditions: Sequence[Condition],
    surroundings: Surroundings,
    profile: str,
    decoding: Decoding,
    repeats: int = 1,
    retest: float = 1.0,
    concerns: Callable[[Case, Condition], bool] | None = None,
) -> Plan:
    """Lay out every trial.

    A request is named by its recipe: case digest, normalised operations, prompt profile, decoding, and the stream
    and number of its repeat. Conditions whose recipes are equal share the request.

    Parameters
    ----------
    case_sets : sequence of CaseSet
    conditions : sequence of Condition
    surroundings : Surroundings
        Seed and neighbour tables.
    profile : str
        `PromptProfile.spelling`.
    decoding : Decoding
    repeats : int, default 1
    retest : float, default 1.0
        Share of the items that ``retest`` applies to, drawn per item from the run's seed.
    concerns : callable or None
        Whether a case has a trial under a condition at all; every case has one under every condition if None.

    Returns
    -------
    Plan
    """
    suffixes = [
        [
            f"\x1f{profile}\x1f{decoding.spelling}\x1f{condition.repeat_stream}:{repeat}".encode()
            for repeat in range(repeats)
        ]
        for condition in conditions
    ]
    recipes = _Recipes()
    sampled = [condition.spelling == RETEST and retest < 1.0 for condition in conditions]
    keys: list[tuple[str, str]] = []
    data: dict[str, str] = {}
    columns: list[pl.Series] = [pl.Series("request_id", [], dtype=pl.String)]
    names: list[str | None] = []
    shapes = _Shapes(len(conditions))
    for case_set in case_sets:
        shown: list[str] = []
        for case in case_set.cases:
            digest = case.digest_by(recipes.of) if isinstance(case, Question) else recipes.of_study(case)
            keys.append((case_set.name, case.id))
            shown += (digest, case.answer) if isinstance(case, Question) else (digest, *_truth(case))
            wanted = None if concerns is None else [concerns(case, condition) for condition in conditions]
            shapes.add(wanted)
            prefix = hashlib.blake2b(digest.encode() + b"\x1f", digest_size=DIGEST_BYTES)
            for at, (condition, own, drawn) in enumerate(zip(conditions, suffixes, sampled, strict=True)):
                if wanted is not None and not wanted[at]:
                    continue
                recipe = condition.recipe(case, surroundings)
                if recipe is None or (drawn and not _is_retested(digest, surroundings, retest)):
                    names += [None] * repeats
                    continue
                operations = recipe.encode()
                for suffix in own:
                    hasher = prefix.copy()
                    hasher.update(operations + suffix)
                    names.append(hasher.hexdigest())
            if len(names) >= _NAMES_AT_ONCE:
                columns.append(pl.Series("request_id", names, dtype=pl.String))
                names = []
        data[case_set.name] = digest_parts(shown)
    columns.append(pl.Series("request_id", names, dtype=pl.String))
    trials = pl.DataFrame(
        {
            "case": np.repeat(np.arange(len(keys), dtype=np.uint32), np.asarray(shapes.widths, np.int64) * repeats),
            "condition": np.repeat(shapes.conditions(), repeats),
            "repeat": np.tile(np.arange(repeats, dtype=np.uint16), sum(shapes.widths)),
            "request_id": pl.concat(columns, rechunk=True),
        }
    )
    return Plan(trials, tuple(keys), tuple(condition.spelling for condition in conditions), data)


class _Shapes:
    """Which conditions each case stands under: the same few patterns over and over."""

    def __init__(self, conditions: int) -> None:
        self._all = np.arange(conditions, dtype=np.uint16)
        self._parts: list[np.typing.NDArray[np.uint16]] = []
        self.widths: list[int] = []

    def add(self, wanted: Sequence[bool] | None) -> None:
        """Take in the next case."""
        part = self._all if wanted is None else self._all[np.asarray(wanted, dtype=bool)]
        self._parts.append(part)
        self.widths.append(len(part))

    def conditions(self) -> np.typing.NDArray[np.uint16]:
        """Index of the condition of every trial of one repeat."""
        return np.concatenate(self._parts) if self._parts else self._all[:0]


def _truth(study: Study) -> tuple[str, ...]:
    """What counts as right on a study: its labels and boxes, and the class under examination."""
    labels = ",".join(f"{name}={study.labels[name]:g}" for name in sorted(study.labels))
    parts = (labels, *(_spelt(box) for box in study.boxes))
    one = study.examined
    if one is None:
        return parts
    return (*parts, one.finding, str(one.present), *map(_spelt, one.boxes), "others", *map(_spelt, one.others))


def _spelt(box: Box) -> str:
    return f"{box.image}:{box.x!r},{box.y!r},{box.width!r},{box.height!r}:{'+'.join(sorted(box.classes))}"


class _Recipes:
    """Recipes of images, each looked at once a plan, however many cases show it: a file is asked whether it changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Image, str]] = {}
        self._studies: dict[tuple[str, str], str] = {}

    def of_study(self, study: Study) -> str:
        """Digest of a study, taken once for all classes that are examined on it."""
        key = (study.dataset, study.study_id)
        if key not in self._studies:
            self._studies[key] = study.digest
        return self._studies[key]

    def of(self, image: Image) -> str:
        """`Image.recipe`; the image is held, so that its id stays its own."""
        known = self._known.get(id(image))
        if known is None:
            known = self._known[id(image)] = (image, image.recipe)
        return known[1]


def _is_retested(digest: str, surroundings: Surroundings, share: float) -> bool:
    """Whether an item belongs to the share that is asked again; fixed per item and seed."""
    return bool(uniform(surroundings.seed, "retest", digest, size=1)[0] < share)


def requests_of(plan: Plan) -> pl.DataFrame:
    """The unique requests of a plan, in the order of the first trial that needs each.

    Returns
    -------
    polars.DataFrame
        Columns ``request_id``, ``case``, ``condition``, ``repeat``.
    """
    # A mask over one column: `unique` would gather every column twice.
    first = pl.col("request_id").is_not_null() & pl.col("request_id").is_first_distinct()
    return plan.trials.filter(first).select("request_id", "case", "condition", "repeat")
