"""What a run was asked to do: the part of run.toml that a second invocation must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.spec import DataSpec
from perimetry.models.chat.secrets import without_credentials
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
        """From arguments as a user gives them: one name or several, None for what was left out.

        Paths of data, mapping, images and embedder become absolute, so that `perimetry report` finds them from any
        folder.
        """
        return cls(
            protocol=protocol,
            data=tuple(DataSpec.parse(spec).absolute for spec in ((data,) if isinstance(data, str) else data)),
            models=(models,) if isinstance(models, str) else tuple(models),
            conditions=tuple(conditions),
            split=split or "",
            answer_type=answer_type or "",
            limit=limit or 0,
            repeats=repeats,
            retest=retest,
            seed=seed,
            embedder=_absolute_embedder(embedder),
            pool=DataSpec.parse(pool).absolute if pool else "",
            mapping=_absolute(mapping),
            images=_absolute(images),
            allow_remote=tuple(allow_remote),
            decoding=decoding,
        )

    def __post_init__(self) -> None:
        """Check ranges; raises `UsageError` naming the field."""
        for name, low in (("repeats", 1), ("limit", 0)):
            if getattr(self, name) < low:
                raise UsageError(f"{name} is {getattr(self, name)}; give a whole number of at least {low}.")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise UsageError(f"seed is {self.seed}; give a whole number of at most 63 bits.")
        if not 0.0 <= self.retest <= 1.0:
            raise UsageError(f"retest is {self.retest}; give the share of items to ask again, from 0 to 1.")
        for name in ("data", "models", "conditions", "pool", "mapping", "images", "embedder"):
            given = getattr(self, name)
            for text in (given,) if isinstance(given, str) else given:
                if any(0xD800 <= ord(letter) <= 0xDFFF for letter in text) or "\0" in text:
                    raise UsageError(
                        f"{name} has {text!r}, which cannot be written as UTF-8 text. Rename the file, or give a link "
                        "with a plain name."
                    )
        if not self.data:
            raise UsageError("No data set was given. Name one, for example --data phantom or --data vqa-rad:FOLDER.")
        if not self.models:
            raise UsageError("No model was given. Name one, for example --model reader:grounded.")
        if not self.conditions:
            raise UsageError("No condition was given. Name some, for example --conditions real,retest,shuffle.")

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
            models=_joined_models(self.models, later.models),
            conditions=_joined(self.conditions, later.conditions),
            allow_remote=_joined(self.allow_remote, later.allow_remote),
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data for run.toml; user names, passwords and keys in the addresses of endpoints stay out of it."""
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        return plain | {"models": [without_credentials(spec) for spec in self.models]}

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


def _absolute(path: str | Path | None) -> str:
    """A path from the root, or empty."""
    return str(Path(path).expanduser().resolve()) if path else ""


def _absolute_embedder(embedder: str) -> str:
    kind, _, source = embedder.partition(":")
    return f"{kind}:{_absolute(source)}" if kind == "clip" and source and Path(source).exists() else embedder


def _joined_models(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both without repetition; run.toml holds no credentials, so that the later specification is the one with them."""
    joined = {without_credentials(spec): spec for spec in first}
    joined |= {without_credentials(spec): spec for spec in second}
    return tuple(joined.values())


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both without repetition, in the order of their first occurrence."""
    return tuple(dict.fromkeys((*first, *second)))
