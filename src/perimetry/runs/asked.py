"""What a run was asked to do: the part of run.toml that a second invocation must agree with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.only import restricted
from perimetry.cases.spec import FILES, DataSpec
from perimetry.conditions.spelling import split_spellings
from perimetry.models.chat.secrets import without_credentials
from perimetry.models.request import Decoding

__all__ = ["Asked"]

# A later invocation may add to these; everything else has to stay as it was.
EXTENSIBLE = ("models", "conditions", "allow_remote")

# Where files lie may change: the digests in run.toml say whether the cases are still the same.
DATA_SETS = ("data", "pool")
PATHS = ("mapping", "images")

# Settings whose option is not spelled as they are.
_OPTIONS = {"mapping": "map"}

_ADDRESS = re.compile(r"@https?://\S*$")


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
    options : tuple of (str, str)
        What only this audit takes, by name, each spelled as the audit reads it.

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
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        protocol: str,
        *,
        data: str | Sequence[str],
        only: str | Path | None = None,
        models: str | Sequence[str],
        conditions: str | Sequence[str],
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
        allow_remote: str | Sequence[str] = (),
        options: Sequence[tuple[str, str]] = (),
    ) -> Asked:
        """From arguments as a user gives them: one name or several, None for what was left out.

        ``only`` is a file of ids that restricts every data set. A text of conditions is a comma-separated list, as on
        the command line.

        Paths of data, mapping, images and embedder become absolute, so that `perimetry report` finds them from any
        folder.
        """
        return cls(
            protocol=protocol,
            data=tuple(DataSpec.parse(spec).absolute for spec in restricted(data, only)),
            models=(models,) if isinstance(models, str) else tuple(models),
            conditions=split_spellings(conditions) if isinstance(conditions, str) else tuple(conditions),
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
            allow_remote=(allow_remote,) if isinstance(allow_remote, str) else tuple(allow_remote),
            decoding=decoding,
            options=tuple(options),
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
        known: set[str] = set()
        for spec in self.models:
            name = _without_address(spec)
            if name in known:
                raise UsageError(f"The model {name} was given twice. Give each model once.")
            known.add(name)

    def extended_by(self, later: Asked) -> Asked:
        """Add the models and conditions of a later invocation.

        An endpoint's later address replaces the one before, and so does a later path of data, mapping and images.

        Raises
        ------
        UsageError
            When the later invocation differs in anything else: its trials would not be paired with these.
        """
        fixed = [field.name for field in fields(self) if field.name not in EXTENSIBLE]
        told = [f"{then}, now {now}" for then, now in self.differences(later, fixed)]
        if told:
            raise UsageError(
                f"This folder holds a run with other settings: {'; '.join(told)}. "
                "Give another --out, or the same settings to go on with the run."
            )
        return replace(
            later,
            models=_joined_models(self.models, later.models),
            conditions=_joined(self.conditions, later.conditions),
            allow_remote=_joined(self.allow_remote, later.allow_remote),
        )

    def differences(self, other: Asked, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """How this and another invocation spell each of these settings in which they differ, apart from paths."""
        for name in names:
            if _unplaced(name, getattr(self, name)) != _unplaced(name, getattr(other, name)):
                yield from _as_options(self, other, name)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for run.toml; user names, passwords and keys in the addresses of endpoints stay out of it."""
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        plain |= {"models": [without_credentials(spec) for spec in self.models], "options": dict(self.options)}
        if not self.options:
            del plain["options"]
        return plain

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
        options = values.get("options", ())
        if isinstance(options, dict):
            values = values | {"options": tuple(options.items())}
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


def _without_address(spec: str) -> str:
    """A model's specification without where its endpoint is."""
    return _ADDRESS.sub("", spec.strip())


def _joined_models(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both without repetition; what moved counts as it was given last: an address, with its credentials, or a file."""
    later = {_unmoved(spec): spec for spec in second}
    joined = [later.get(_unmoved(spec), spec) for spec in first]
    return (*joined, *(spec for spec in second if spec not in joined))


def _unmoved(spec: str) -> str:
    """A model's specification without where its endpoint or its file of answers is."""
    kind, _, source = spec.strip().partition(":")
    if kind != "recorded":
        return _without_address(spec)
    path, _, model = source.partition("#")
    return f"{kind}:{Path(path).name}#{model}"


def _unplaced(name: str, value: Any) -> Any:
    """A setting without where files lie: data sets by name and their own settings, of a path whether there is one."""
    if name in PATHS:
        return bool(value)
    if name not in DATA_SETS:
        return value
    specs = [DataSpec.parse(spec) for spec in ((value,) if isinstance(value, str) else value) if spec]
    settings = [{key: it for key, it in spec.settings.items() if key not in FILES} for spec in specs]
    files = [[key for key in FILES if key in spec.settings] for spec in specs]
    return [(one.name, one.path is None, own, its) for one, own, its in zip(specs, settings, files, strict=True)]


def _as_options(before: Asked, now: Asked, name: str) -> Iterator[tuple[str, str]]:
    """How each invocation would have spelled a setting in which they differ."""
    then, later = getattr(before, name), getattr(now, name)
    if name == "options":
        first, second = dict(then), dict(later)
        for key in (*first, *(key for key in second if key not in first)):
            if first.get(key, "") != second.get(key, ""):
                yield _option(key, first.get(key, "")), _option(key, second.get(key, ""))
        return
    if isinstance(then, Decoding):
        for field in fields(then):
            old, new = getattr(then, field.name), getattr(later, field.name)
            if old != new:
                yield _option(field.name, old), _option(field.name, new)
        return
    yield _option(name, then), _option(name, later)


def _option(name: str, value: Any) -> str:
    option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
    if isinstance(value, tuple):
        return " ".join(f"{option} {one}" for one in value)
    # What was left out is empty, or 0 where a number was left out.
    return f"no {option}" if value == "" or (name == "limit" and value == 0) else f"{option} {value}"


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both without repetition, in the order of their first occurrence."""
    return tuple(dict.fromkeys((*first, *second)))
