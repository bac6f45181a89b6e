"""What a registered data set is, and what loading it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from perimetry.cases.funnel import Funnel
from perimetry.cases.question import AnswerType, Question
from perimetry.cases.study import Study

__all__ = ["Case", "CaseSet", "DataUse", "Dataset", "LoadOptions", "Loader", "Terms"]

Case: TypeAlias = Question | Study

DataUse = Literal["open", "restricted", "credentialed"]
"""``restricted``: no redistribution; ``credentialed``: does not leave the machine unless the user names it."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a user may ask of any loader.

    Parameters
    ----------
    split : str or None, default None
        The data set's own split name; None takes the data set's evaluation split.
    answer_type : {"closed", "open", "choice"} or None
        Keep only questions of that type (applied by `load`, counted in the funnel).
    limit : int or None
        Keep that many cases, the same on every machine (applied by `load`).
    seed : int, default 42
        Seed of the sample that `limit` takes.
    mapping : Path or None
        TOML file of columns for ``table`` and ``hub``.
    images : Path or None
        Folder of the images where it is not the layout's own.
    settings : mapping of str to str
        Settings of the data spec, ``phantom:n=500,cooccurrence=0.8`` for example.
    """

    split: str | None = None
    answer_type: AnswerType | None = None
    limit: int | None = None
    seed: int = 42
    mapping: Path | None = None
    images: Path | None = None
    settings: dict[str, str] = field(default_factory=dict)


Loader: TypeAlias = Callable[[Path | None, LoadOptions, Funnel], Iterator[Case]]
"""Reads the official layout at a path and yields cases; counts what it leaves out in the funnel."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Whose data lie at a path and what may be done with them, where the name of the loader alone does not say.

    Parameters
    ----------
    name : str
        Data set that the cases come from.
    data_use : {"open", "restricted", "credentialed"}
    licence, citation : str
    """

    name: str
    data_use: DataUse
    licence: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A registered data set.

    Parameters
    ----------
    name : str
        As it stands in ``--data NAME:PATH``.
    title, citation, licence : str
    data_use : {"open", "restricted", "credentialed"}
    load : Loader
    default_split : str
        Split that is taken when none is named.
    splits : tuple of str
    kind : {"question", "study"}
    layout : str
        One line that says which files are looked for.
    needs_path : bool, default True
    terms_at : callable or None, default None
        Path and settings to the `Terms` of what lies there; None where they are those above.
    """

    name: str
    title: str
    citation: str
    licence: str
    data_use: DataUse
    load: Loader
    default_split: str
    splits: tuple[str, ...]
    kind: Literal["question", "study"] = "question"
    layout: str = ""
    needs_path: bool = True
    terms_at: Callable[[Path, Mapping[str, str]], Terms] | None = None


@dataclass(frozen=True, slots=True)
class CaseSet:
    """The cases of one data set as an audit uses them.

    Parameters
    ----------
    name : str
        Data set name.
    cases : tuple of Case
        After every filter and `limit`, in the loader's order.
    pool : tuple of Case
        The loaded split before `limit`: where neighbours and mismatches come from.
    funnel : Funnel
    data_use : {"open", "restricted", "credentialed"}
    licence, citation : str
    """

    name: str
    cases: tuple[Case, ...]
    pool: tuple[Case, ...]
    funnel: Funnel
    data_use: DataUse
    licence: str = ""
    citation: str = ""

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those of `cases` that are questions, in order."""
        return tuple(case for case in self.cases if isinstance(case, Question))

    @property
    def studies(self) -> tuple[Study, ...]:
        """Those of `cases` that are studies, in order."""
        return tuple(case for case in self.cases if isinstance(case, Study))
