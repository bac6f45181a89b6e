"""The rules of a subset: a TOML file with a schema, and what each rule asks of an item."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from perimetry.cases.errors import DataError, UsageError
from perimetry.screening.subset.mistakes import explain
from perimetry.screening.tiers import Disposition, Tier

__all__ = [
    "Choosing",
    "CueRule",
    "GuesserRule",
    "ImagesRule",
    "LatticeRule",
    "Rule",
    "Rules",
    "TierRules",
    "default_rules_text",
    "parse_rules",
    "read_rules",
]

Action = Literal["exclude", "flag"]
Setting = Literal["textonly", "optionsonly", "imageoptions"]
Level = Literal["low", "medium", "high"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choosing(_Part):
    """Which answers of models choose items; all others are kept for the table of before and after.

    Parameters
    ----------
    models : tuple of str, default ("*",)
        Names, with ``*`` for any letters: only these models choose, the others report.
    repeats : int or None
        So many repeats of each choosing model choose, its later ones report. Left out: half of them, rounded down; of
        models with one repeat half of the models, rounded down.
    """

    models: tuple[str, ...] = ("*",)
    repeats: int | None = Field(default=None, ge=1)


class TierRules(_Part):
    """When partial input supports a cue; see `SupportSettings`."""

    level: float = Field(default=0.05, gt=0, lt=1)
    confidence: float = Field(default=0.4, ge=0, le=1)


class _Rule(_Part):
    name: str = Field(min_length=1)
    action: Action = "exclude"
    because: str = ""


class CueRule(_Rule):
    """Items with a cue.

    Parameters
    ----------
    cues : tuple of str, default ("*",)
        Names of screens, ``*`` for any letters.
    layers : tuple of str
        Empty: any layer, ``judged`` apart where nobody but a model says so: its rules name it.
    severity : {"low", "medium", "high"}
        At least that. A cue that a reviewer named has none, and counts as high.
    key : {"any", "carries", "alone"}
        ``carries``: the key has the cue; ``alone``: no other option has it.
    tiers : tuple of Tier
        Empty: any tier.
    dispositions : tuple of Disposition
        Empty: any.
    """

    when: Literal["cue"]
    cues: tuple[str, ...] = ("*",)
    layers: tuple[str, ...] = ()
    severity: Level = "low"
    key: Literal["any", "carries", "alone"] = "any"
    tiers: tuple[Tier, ...] = ()
    dispositions: tuple[Disposition, ...] = ()


class GuesserRule(_Rule):
    """Items that a guesser is sure of.

    Parameters
    ----------
    guesser : {"options", "question+options"}
    confidence : float, default 0.4
        How sure at least: 0 at chance, 1 at certainty; 0.4 is a probability of 52% among five options.
    right : bool, default True
        Whether only right answers count. Where wrong ones count alike, the choice looks at no key: what the guesser
        gets right on the items that are kept is then no product of the choice.
    """

    when: Literal["guesser"]
    guesser: Literal["options", "question+options"]
    right: bool = True
    confidence: float = Field(default=0.4, ge=0, le=1)


class LatticeRule(_Rule):
    """Items that models answer from a part of the item.

    Parameters
    ----------
    setting : {"textonly", "optionsonly", "imageoptions"}
    share : float
        At least this share of the choosing answers is right.
    answers : int
        Of at least so many.
    level : float
        And so many right ones are that unlikely by chance (one-sided binomial).
    """

    when: Literal["lattice"]
    setting: Setting
    share: float = Field(default=0.5, ge=0, le=1)
    answers: int = Field(default=2, ge=1)
    level: float = Field(default=0.05, gt=0, le=1)


class ImagesRule(_Rule):
    """Items with fewer images than that."""

    when: Literal["images"]
    fewer_than: int = Field(default=1, ge=1)


Rule = Annotated[CueRule | GuesserRule | LatticeRule | ImagesRule, Field(discriminator="when")]


class Rules(_Part):
    """A rule file.

    Parameters
    ----------
    version : 1
    name : str
    summary : str
    choosing : Choosing
    tiers : TierRules
    rule : tuple of rules, at least one
        An item that any rule with the action ``exclude`` fits is removed; ``flag`` keeps it and names the risk.
    """

    version: Literal[1]
    name: str = Field(min_length=1)
    summary: str = ""
    choosing: Choosing = Choosing()
    tiers: TierRules = TierRules()
    rule: tuple[Rule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names(self) -> Rules:
        names = [rule.name for rule in self.rule]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two rules are called {', '.join(twice)}; each needs a name of its own")
        return self


def default_rules_text() -> str:
    """The rule file that ships with the package, as it stands."""
    return (files("perimetry.screening.subset") / "default.toml").read_text(encoding="utf-8")


def read_rules(path: str | Path | None = None) -> tuple[Rules, str]:
    """Read a rule file, or the one of the package; gives the rules and the text of the file.

    Raises
    ------
    UsageError
        When there is no such file.
    DataError
        When it does not hold rules; names file, rule and field, what was found and what was expected.

    Examples
    --------
    >>> read_rules()[0].name
    'default'
    """
    if path is None:
        text = default_rules_text()
        return parse_rules(text, "the default rules"), text
    file = Path(path).expanduser()
    if not file.is_file():
        raise UsageError(f"There is no rule file {file}. docs/tiers-and-subsets.md has one to start from.")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{file} is not text in UTF-8: {error}.") from error
    return parse_rules(text, str(file)), text


def parse_rules(text: str, where: str) -> Rules:
    """Check the text of a rule file; raises `DataError` naming place and field."""
    from pydantic import ValidationError

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where} is not TOML: {error}.") from error
    try:
        return Rules.model_validate(found)
    except ValidationError as error:
        raise DataError(
            f"{where} does not hold rules: {explain(error, found)}. docs/tiers-and-subsets.md has every field."
        ) from error
