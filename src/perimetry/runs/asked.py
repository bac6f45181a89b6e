"""What a run was asked to do: the part of run.toml that a second invocation must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError, UsageError
from perimetry.models.request import Decoding

__all__ = ["Asked"]

# A later invocation may add to these; everything else has to stay as it was.
EXTENSIBLE = ("models", "conditions", "allow_remote")


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that decides which trials a run has.

    Parameters
    ----------
    protocol : str
    data : tuple of str
        ``NAME:PATH`` as given.
    models, conditions : tuple of str
        Specifications and spellings, in the order in which they were first asked for.
    split, answer_type : str
        Empty for the data set's own default, and for all types.
    limit : int
        0 for all cases.
    repeats : int, default 1
    retest : float, default 1.0
        Share of the items that is asked again under ``retest``.
    seed : int, default 42
    embedder : str, default "pixels"
        What hard negatives are found with.
    pool : str
        ``NAME:PATH`` of the data set that hard negatives come from; empty for the loaded split itself.
    mapping, images : str
        Mapping file and image folder, or empty.
    allow_remote : tuple of str
        Credentialed data sets that may leave this machine.
    decoding : Decoding

    Examples
    --------
    >>> first = Asked("counterfactual", ("phantom",), ("reader:blind",), ("real", "blank"))
    >>> first.extended_by(Asked("counterfactual", ("phantom",), ("reader:random",), ("real",))).models
    ('reader:blind', 'reader:random')
    """

    protocol: str
    data: tuple[str, ...]
    models: tuple[str, ...]
    conditions: tuple[str, ...]
    split: str = ""
    answer_type: str = ""
    limit: int = 0
    repeats: int = 1
    retest: float = 1.0
    seed: int = 42
    embedder: str = "pixels"
    pool: str = ""
    mapping: str = ""
    images: str = ""
    allow_remote: tuple[str, ...] = ()
    decoding: Decoding = Decoding()

    @classmethod
    def of(
        cls,
        protocol: str,
        *,
        data: str | Sequence[str],
        models: str | Sequence[str],
        conditions: Sequence[str],
        decoding: Decoding,
        split: str | None = None,
        answer_type: str | None = None,
        limit: int | None = None,
        repeats: int = 1,
        retest: float = 1.0,
        seed: int = 42,
        embedder: str = "pixels",
        pool: str | None = None,
        mapping: str | Path | None = None,
        images: str | Path | None = None,
        allow_remote: Sequence[str] = (),
    ) -> Asked:
        """From arguments as a user gives them: one name or several, None for what was left out."""
        return cls(
            protocol=protocol,
            data=(data,) if isinstance(data, str) else tuple(data),
            models=(models,) if isinstance(models, str) else tuple(models),
            conditions=tuple(conditions),
            split=split or "",
            answer_type=answer_type or "",
            limit=limit or 0,
            repeats=repeats,
            retest=retest,
            seed=seed,
            embedder=embedder,
            pool=pool or "",
            mapping=str(mapping or ""),
            images=str(images or ""),
            allow_remote=tuple(allow_remote),
            decoding=decoding,
        )

    def __post_init__(self) -> None:
        """Check ranges; raises `UsageError` naming the field."""
        for name, low in (("repeats", 1), ("limit", 0)):
            if getattr(self, name) < low:
                raise UsageError(f"{name} is {getattr(self, name)}; give a whole number of at least {low}.")
        if not 0.0 <= self.retest <= 1.0:
            raise UsageError(f"retest is {self.retest}; give the share of items to ask again, from 0 to 1.")
        if not self.data:
            raise UsageError("No data set was given. Name one, for example --data phantom or --data vqa-rad:FOLDER.")
        if not self.models:
            raise UsageError("No model was given. Name one, for example --model reader:grounded.")

    def extended_by(self, later: Asked) -> Asked:
        """Add the models and conditions of a later invocation.

        Raises
        ------
        UsageError
            When the later invocation differs in anything else: its trials would not be paired with these.
        """
        for field in fields(self):
            if field.name in EXTENSIBLE:
                continue
            before, now = getattr(self, field.name), getattr(later, field.name)
            if before != now:
                raise UsageError(
                    f"This folder holds a run with {field.name} = {before!r}, now {now!r} was asked for. "
                    "Give another --out, or the same settings to go on with the run."
                )
        return replace(
            self,
            models=_joined(self.models, later.models),
            conditions=_joined(self.conditions, later.conditions),
            allow_remote=_joined(self.allow_remote, later.allow_remote),
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data for run.toml."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Asked:
        """Back from run.toml; raises `DataError` on unknown or missing fields."""
        from pydantic import TypeAdapter, ValidationError

        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise DataError(
                f"run.toml has fields that this version does not know: {', '.join(unknown)}. "
                "It was written by another version of perimetry; use that one, or start a new run."
            )
        try:
            return TypeAdapter(cls).validate_python(values)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise DataError(
                f"run.toml: asked.{place}: {first['msg']}. Restore the file, or start a new run in another folder."
            ) from error


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both without repetition, in the order of their first occurrence."""
    return tuple(dict.fromkeys((*first, *second)))
