"""Loading a data set by its spec: every filter is counted, and nothing is dropped in silence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import get_args

from perimetry.cases.check import checked
from perimetry.cases.dataset import Case, CaseSet, Dataset, DataUse, LoadOptions, Terms
from perimetry.cases.datasets import datasets
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub import fetched
from perimetry.cases.layout import canonical_split
from perimetry.cases.only import ONLY, chosen_ids, restricted
from perimetry.cases.question import AnswerType, Question
from perimetry.cases.spec import DataSpec
from perimetry.statistics.streams import permutation

__all__ = ["data_use_of", "load", "sample"]

DATA_USES: tuple[DataUse, ...] = get_args(DataUse)


def load(
    spec: str,
    *,
    split: str | None = None,
    limit: int | None = None,
    answer_type: AnswerType | None = None,
    seed: int = 42,
    mapping: Path | str | None = None,
    images: Path | str | None = None,
    only: Path | str | None = None,
) -> CaseSet:
    """Load the cases of a data set.

    Parameters
    ----------
    spec : str
        ``NAME:PATH`` or ``NAME:PATH,key=value`` (``vqa-rad:data/vqa_rad``), ``NAME`` or ``NAME:key=value,...`` where
        the data set needs no path (``phantom:n=500``). `datasets` has the names.
    split : str, optional
        The data set's own split name, its usual synonyms (``val`` for ``validation``), or ``all``. Default: its
        evaluation split.
    limit : int, optional
        Keep this many cases: those that a seeded shuffle of the sorted ids puts first, whatever the order of the file,
        and in the loader's order. A smaller limit takes a subset of a larger one.
    answer_type : {"closed", "open", "choice"}, optional
        Keep only questions of that type.
    seed : int, default 42
        Seed of the sample.
    mapping : path-like, optional
        TOML file field -> column for ``table`` and ``hub``; see `perimetry.cases.mapping`.
    images : path-like, optional
        Folder of the images where it is not the layout's own.
    only : path-like, optional
        File of ids (``kept.csv`` of ``perimetry subset``): the cases that it names. The setting ``only=FILE`` of the
        spec says the same. `pool` stays whole, so that each case is asked as in a run over all of them.

    Returns
    -------
    CaseSet
        `pool` holds the cases before `limit`, `cases` those after it, `funnel` what was left out and why.

    Raises
    ------
    UnknownNameError
        For a data set that is not registered; suggests the nearest names.
    DataError
        When the files are not there or not in the layout that was expected.
    UsageError
        For an unknown split or setting, a limit below 1, or no path where one is needed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.jsonl")
    ...     _ = path.write_text('{"id": "1", "question": "Is there an effusion?", "answer": "no"}')
    ...     loaded = load(f"table:{path}")
    >>> loaded.cases[0].stem, loaded.cases[0].answer_type
    ('Is there an effusion?', 'closed')
    """
    if limit is not None and limit < 1:
        raise UsageError(f"--limit is {limit}; at least 1 was expected.")
    given = DataSpec.parse(restricted(spec, only)[0])
    chosen = given.settings.get(ONLY)
    parsed = fetched(given.without_setting(ONLY))
    dataset = datasets().get(parsed.name)
    if dataset.needs_path and parsed.path is None:
        raise UsageError(f"{dataset.name} needs a path: {dataset.name}:PATH, where PATH holds {dataset.layout}.")
    if split is not None and split not in dataset.splits:
        split = canonical_split(split)
    if split is not None and dataset.splits and split not in (*dataset.splits, "all"):
        raise UsageError(f"{dataset.name} has no split {split!r}; its splits: {', '.join(dataset.splits)}.")
    options = LoadOptions(
        split=split or dataset.default_split,
        answer_type=answer_type,
        limit=limit,
        seed=seed,
        mapping=None if mapping is None else Path(mapping),
        images=None if images is None else Path(images),
        settings=parsed.settings,
    )
    terms = _terms(dataset, parsed)
    funnel = Funnel(dataset.name)
    usable = tuple(checked(dataset.load(parsed.path, options, funnel), funnel))
    pool = tuple(case for case in usable if _wanted(case, answer_type, funnel))
    # A loader from outside may count only what it leaves out.
    funnel.enter(max(0, len(pool) - funnel.kept))
    if not pool:
        raise DataError(f"{spec}: no usable case was found. {_explained(funnel)}")
    if isinstance(pool[0], Question) and not any(case.images for case in pool):
        funnel.note("no case has an image: conditions that change or take away the image do not apply")
    taken = pool if chosen is None else _named(pool, Path(chosen).expanduser(), {case.id for case in usable}, funnel)
    return CaseSet(
        # A table of the user's own may bring its own name and data-use class.
        name=pool[0].dataset,
        cases=sample(taken, limit, seed, funnel),
        pool=pool,
        funnel=funnel,
        data_use=terms.data_use,
        licence=terms.licence,
        citation=terms.citation,
    )


def data_use_of(spec: str) -> tuple[str, DataUse]:
    """Name and data-use class of a data set, from its spec alone.

    Examples
    --------
    >>> data_use_of("table:mine.csv,name=ward,data_use=credentialed")
    ('ward', 'credentialed')
    """
    parsed = DataSpec.parse(spec).without_setting(ONLY)
    dataset = datasets().get(parsed.name)
    terms = _terms(dataset, parsed)
    return parsed.settings.get("name", terms.name), terms.data_use


def sample(pool: Sequence[Case], limit: int | None, seed: int, funnel: Funnel) -> tuple[Case, ...]:
    """The cases that a limit keeps, in the order of `pool`; the others are counted in the funnel.

    The order of preference is a permutation of the sorted ids from the stream ("limit", data set) of the seed, so that
    it depends neither on the order of the file nor on the machine.

    Examples
    --------
    >>> pool = [Question(str(n), "mine", "g", "Why?", "so", "open") for n in range(100)]
    >>> [case.id for case in sample(pool, 3, 42, Funnel("mine"))] == [
    ...     case.id for case in reversed(sample(pool[::-1], 3, 42, Funnel("mine")))]
    True
    """
    if limit is None or limit >= len(pool):
        return tuple(pool)
    ids = sorted(case.id for case in pool)
    order = permutation(seed, "limit", funnel.dataset, size=len(ids))
    taken = {ids[position] for position in order[:limit].tolist()}
    for case in pool:
        if case.id not in taken:
            funnel.leave_out(f"beyond the limit of {limit:,} (seed {seed})", case.id, asked_for=True)
    return tuple(case for case in pool if case.id in taken)


def _named(pool: Sequence[Case], file: Path, known: Collection[str], funnel: Funnel) -> tuple[Case, ...]:
    """The cases whose ids a file names; the others are counted."""
    ids = chosen_ids(file, pool[0].dataset, known)
    taken = tuple(case for case in pool if case.id in ids)
    for case in pool:
        if case.id not in ids:
            funnel.leave_out(f"not in {file.name}", case.id, asked_for=True)
    if not taken:
        raise DataError(f"{file}: none of its {len(ids):,} cases is left. {_explained(funnel)}")
    return taken


def _wanted(case: Case, answer_type: AnswerType | None, funnel: Funnel) -> bool:
    if answer_type is None or (isinstance(case, Question) and case.answer_type == answer_type):
        return True
    article = "an" if answer_type == "open" else "a"
    funnel.leave_out(f"not {article} {answer_type} question", case.id, asked_for=True)
    return False


def _explained(funnel: Funnel) -> str:
    if not funnel.steps:
        return f"{funnel.entered:,} records entered."
    steps = "; ".join(f"{step.removed:,} {step.reason} ({', '.join(step.examples)})" for step in funnel.steps)
    return f"{funnel.entered:,} records entered; left out: {steps}."


def _terms(dataset: Dataset, parsed: DataSpec) -> Terms:
    if dataset.terms_at is not None and parsed.path is not None:
        return dataset.terms_at(parsed.path, parsed.settings)
    return Terms(dataset.name, _data_use(dataset, parsed.settings), dataset.licence, dataset.citation)


def _data_use(dataset: Dataset, settings: Mapping[str, str]) -> DataUse:
    given = settings.get("data_use")
    if given is None:
        return dataset.data_use
    for known in DATA_USES:
        if given == known:
            return known
    raise UsageError(f"data_use={given} is not one of {', '.join(DATA_USES)}.")
