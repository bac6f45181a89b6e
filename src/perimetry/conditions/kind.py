"""A kind of condition: what a registry holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from perimetry.conditions.condition import Condition
from perimetry.conditions.parameters import Parameter, spell, spell_value

__all__ = ["ConditionKind", "Spelled"]


@dataclass(frozen=True, slots=True)
class ConditionKind:
    """A registered kind of condition.

    Parameters
    ----------
    name : str
        As it is spelled.
    summary : str
        One line for help texts: what the case is shown as.
    make : callable giving Condition
        Called with every parameter by keyword, already read and checked.
    parameters : tuple of Parameter, default ()
    """

    name: str
    summary: str
    make: Callable[..., Condition]
    parameters: tuple[Parameter, ...] = ()


class Spelled(Condition):
    """Base of conditions whose spelling follows from their name and their parameters.

    Subclasses are frozen dataclasses with one field for each of `parameters`; the values are checked on
    construction exactly as they are when a spelling is read.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def __post_init__(self) -> None:
        """Check every field; raises `UsageError` naming the parameter, what was found and what is expected."""
        for parameter in self.parameters:
            value: Any = getattr(self, parameter.name)
            # One value has one form: a whole number given for a real parameter would compare and hash alike, yet
            # print differently in a repr.
            object.__setattr__(self, parameter.name, parameter.parse(spell_value(value), self.name))

    @property
    def spelling(self) -> str:
        """Name and parameters, defaults left out."""
        values = {parameter.name: getattr(self, parameter.name) for parameter in self.parameters}
        return spell(self.name, self.parameters, values)

    @classmethod
    def kind(cls) -> ConditionKind:
        """The registry's entry for this class."""
        return ConditionKind(cls.name, cls.summary, cls, cls.parameters)
